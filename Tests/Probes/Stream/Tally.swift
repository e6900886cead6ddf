import SurfObserver
import SurfWire
import TestSupport

/// A viewer's reports of one session, judged as they arrive: every byte, the order, and the claims
/// about losses.
struct Tally {
  private(set) var session: SessionID?
  private var decoder = RecordDecoder()
  private(set) var isCaughtUp = false
  private(set) var records = 0
  /// Records whose bytes are not those that were sent.
  private(set) var wrong = 0
  private(set) var unordered = 0
  private(set) var repeated = 0
  /// The record that came first: the newest one when the viewer joined. Older ones are backlog.
  private(set) var first: UInt64 = 0
  private(set) var firstAt: Duration?
  /// The newest that arrived or was given up.
  private(set) var newest: UInt64 = 0
  private(set) var seen: Set<UInt64> = []
  private(set) var lost: Set<UInt64> = []
  private var newestOfBacklog: UInt64 = 0

  /// Lost by its own account, and yet delivered.
  var contradicted: Int { lost.intersection(seen).count }

  /// Neither delivered nor said to be lost: a hole in silence.
  func unaccounted(since: UInt64) -> Int {
    guard since <= newest else { return 0 }
    return (since...newest).count { !seen.contains($0) && !lost.contains($0) }
  }

  /// - Parameter now: since the viewer began.
  mutating func take(_ event: ObserverEvent, size: Int, at now: Duration) {
    switch event {
    case .appeared(let session, let heartbeat, _) where heartbeat.app == "StreamProbe":
      if self.session == nil { self.session = session }
    case .record(session, let arrived):
      decoder.make(arrived).map { take($0, size: size, at: now) }
    case .lost(session, let range): lose(range)
    case .caughtUp(session): isCaughtUp = true
    default: break
    }
  }

  private mutating func take(_ record: Record, size: Int, at now: Duration) {
    let sequence = record.sequence.rawValue
    records += 1
    if firstAt == nil { (first, firstAt) = (sequence, now) }
    if record != sample(sequence, size: size) { wrong += 1 }
    if !seen.insert(sequence).inserted {
      repeated += 1
    } else if sequence >= first {
      if sequence <= newest { unordered += 1 }
    } else {
      if sequence <= newestOfBacklog { unordered += 1 }
      newestOfBacklog = sequence
    }
    newest = max(newest, sequence)
  }

  private mutating func lose(_ range: ClosedRange<SequenceNumber>) {
    // No test sends so many; a range that lies must not fill the memory.
    for sequence in range.halfOpen.numbers.prefix(1_000_000) { lost.insert(sequence.rawValue) }
    newest = max(newest, range.upperBound.rawValue)
  }
}
