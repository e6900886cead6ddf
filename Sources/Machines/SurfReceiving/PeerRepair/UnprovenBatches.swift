import SurfTransport
import SurfWire

/// Blocks of packets that are whole, and what the app says about them (Protocol.md §A.1).
///
/// One question is under way at a time, about all blocks that were whole when it was first asked.
struct UnprovenBatches: Sendable {
  enum Verdict: Sendable {
    case proven, refuted
    /// The app has forgotten some of it, or does not answer.
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

  /// An app that is there answers sooner.
  private static let attemptMax = 12

  init(viewer: ViewerID, using random: inout SplitMix64) {
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

  /// The proof's result for each block in it; nothing if it answers none of our questions.
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

  /// The question, if it is due, or due again; after the last time, the blocks that it was about.
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

  /// The key is drawn now, when nothing of these packets can change any more.
  private mutating func askNext(at now: Duration) {
    guard question == nil, !waiting.isEmpty else { return }
    let count = min(waiting.count, Limits.checkRangeCountMax)
    question = Question(key: keys.next(), batches: Array(waiting.prefix(count)), due: now)
    waiting.removeFirst(count)
  }
}

/// Keys for digests that stay unpredictable even to a host that has seen the earlier ones
/// (Protocol.md §A.1).
///
/// The generator that spreads requests in time would not do: one of its numbers gives away all that
/// follow. This is a keyed hash of a count, as a cookie is one of an address.
struct DigestKeys: Sendable {
  private let secret: (UInt64, UInt64)
  private var count: UInt64 = 0

  init(using random: inout SplitMix64) { secret = (random.next(), random.next()) }

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
