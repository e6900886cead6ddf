/// The calls of a `SocketClusterClient` that await an answer, by call id.
///
/// Ids ascend and every call waits equally long, so the oldest expires first, without a search.
struct PendingCalls: Sendable {
  enum Purpose: Equatable {
    case handshake
    case subscribe(channel: String)
    case invoke(event: String)

    /// The event sent for it.
    var event: String {
      switch self {
      case .handshake: "#handshake"
      case .subscribe: "#subscribe"
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

  /// Returns a new id for a call that will not be sent.
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

  /// Removes and returns the oldest call, if it has expired by `now`.
  mutating func takeExpired(at now: Duration) -> (cid: Int, purpose: Purpose)? {
    guard let deadline, deadline <= now else { return nil }
    let cid = oldest
    return remove(cid).map { (cid, $0) }
  }

  /// Removes and returns all calls, in order.
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
