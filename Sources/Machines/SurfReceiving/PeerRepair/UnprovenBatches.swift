import SurfBasics
import SurfTransport
import SurfWire

/// Whole blocks from other viewers that wait for the app's verdict (Protocol.md §A.1).
/// `RepairSeeker` owns it.
///
/// One question is outstanding at a time, about all blocks that were whole when it was first sent.
struct UnprovenBatches: Sendable {
  enum Verdict: Sendable {
    case proven, refuted
    /// The app has dropped some of the packets, or does not answer.
    case unknown
  }

  private struct Question: Sendable {
    let key: DigestKey
    let batches: [PacketBatch]
    var due: Duration
    var attempts = 0

    var ranges: [PacketRange] {
      batches.compactMap { PacketRange(first: $0.packets.lowerBound, count: WireCount($0.count)) }
    }
  }

  private let viewer: ViewerID
  private var keys: DigestKeys
  private var waiting: [PacketBatch] = []
  private var question: Question?

  /// An app that is alive answers sooner.
  private static let attemptMax = 12

  init(viewer: ViewerID, using random: inout SeededGenerator) {
    self.viewer = viewer
    keys = DigestKeys(using: &random)
  }

  var count: Int { waiting.count + (question?.batches.count ?? 0) }
  var size: Int { Self.size(of: waiting) + Self.size(of: question?.batches ?? []) }
  var deadline: Duration? { question?.due }

  private static func size(of batches: [PacketBatch]) -> Int { batches.reduce(0) { $0 + $1.size } }

  mutating func add(_ batch: PacketBatch, at now: Duration) {
    waiting.append(batch)
    askNext(at: now)
  }

  mutating func removeAll() { (waiting, question) = ([], nil) }

  /// The verdict on each block; empty if the proof answers no question of ours.
  mutating func receive(_ proof: Proof, at now: Duration) -> [(PacketBatch, Verdict)] {
    guard proof.viewer == viewer, let asked = question, proof.key == asked.key.first,
      proof.digests.count == asked.batches.count
    else { return [] }
    question = nil
    askNext(at: now)
    return zip(asked.batches, proof.digests).map { batch, digest in
      guard let digest else { return (batch, .unknown) }
      return (batch, batch.digest(asked.key) == digest ? .proven : .refuted)
    }
  }

  /// The question, when it is due. After the last attempt, its blocks instead.
  mutating func advance(
    to now: Duration, cookie: Cookie, repeatMin: Duration
  ) -> (check: Check?, unanswered: [PacketBatch]) {
    guard let asked = question, asked.due <= now else { return (nil, []) }
    guard asked.attempts < Self.attemptMax else {
      question = nil
      askNext(at: now)
      return (nil, asked.batches)
    }
    question?.attempts += 1
    question?.due = now + min(repeatMin * (1 << (asked.attempts / 2)), Timers.nakRepeatMax)
    return (Check(viewer: viewer, cookie: cookie, key: asked.key, ranges: asked.ranges), [])
  }

  /// Draws the key only now, when these blocks can no longer change.
  private mutating func askNext(at now: Duration) {
    guard question == nil, !waiting.isEmpty else { return }
    let count = min(waiting.count, Limits.checkRangeCountMax)
    question = Question(key: keys.next(), batches: Array(waiting.prefix(count)), due: now)
    waiting.removeFirst(count)
  }
}

/// Keys for digests. A host that has seen earlier keys cannot predict the next (Protocol.md §A.1).
///
/// Each is a keyed hash of a counter, as a cookie is one of an address. The generator that spreads
/// requests in time would not do: one of its numbers reveals all that follow.
struct DigestKeys: Sendable {
  private let secret: (UInt64, UInt64)
  private var count: UInt64 = 0

  init(using random: inout SeededGenerator) { secret = (random.next(), random.next()) }

  mutating func next() -> DigestKey {
    count += 2
    return DigestKey(first: number(count), second: number(count + 1))
  }

  private func number(_ index: UInt64) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(secret.0)
    hasher.combine(secret.1)
    hasher.combine(index)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
