/// A client's calls that await an answer, by call id.
///
/// Ids are given out in order and every call waits equally long, so the oldest expires first and
/// nothing needs a search.
struct PendingCalls: Sendable {
  /// What was called.
  enum Purpose: Equatable {
    case handshake
    case subscribe(channel: String)
    case unsubscribe(channel: String)
    case invoke(event: String)

    /// The event that was sent.
    var event: String {
      switch self {
      case .handshake: "#handshake"
      case .subscribe: "#subscribe"
      case .unsubscribe: "#unsubscribe"
      case .invoke(let event): event
      }
    }
  }

  private struct Call {
    let purpose: Purpose
    let deadline: Duration
  }

  private var calls: [Int: Call] = [:]
  /// No id below this one is pending.
  private var oldest = 1
  private var next = 1

  var count: Int { calls.count }

  /// When the oldest call expires.
  var deadline: Duration? { calls[oldest]?.deadline }

  /// A new id for a call that is not sent.
  mutating func takeNumber() -> Int {
    defer { next += 1 }
    let number = next
    advanceOldest(through: number)
    return number
  }

  mutating func add(_ purpose: Purpose, deadline: Duration) -> Int {
    let cid = next
    next += 1
    calls[cid] = Call(purpose: purpose, deadline: deadline)
    return cid
  }

  mutating func remove(_ cid: Int) -> Purpose? {
    let call = calls.removeValue(forKey: cid)
    advanceOldest(through: next - 1)
    return call?.purpose
  }

  /// The oldest call, if it has expired by `now`.
  mutating func takeExpired(at now: Duration) -> (cid: Int, purpose: Purpose)? {
    guard let deadline, deadline <= now else { return nil }
    let cid = oldest
    return remove(cid).map { (cid, $0) }
  }

  /// All calls, in order, which are pending no longer.
  mutating func takeAll() -> [(cid: Int, purpose: Purpose)] {
    defer {
      calls = [:]
      oldest = next
    }
    return calls.sorted { $0.key < $1.key }.map { ($0.key, $0.value.purpose) }
  }

  private mutating func advanceOldest(through last: Int) {
    while oldest <= last, calls[oldest] == nil { oldest += 1 }
  }
}
