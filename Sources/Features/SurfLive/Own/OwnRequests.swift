internal import SurfWire

/// What a debugger within the program has asked for and not been answered.
struct OwnRequests: Sendable {
  /// A struct around the closure, for the reason that `ResetDesk` gives.
  struct Waiting: Sendable {
    let complete: OwnHistory.Completion
  }

  /// As a viewer among others.
  let viewer = ViewerID(rawValue: .random(in: 1 ... .max))
  private var newest: UInt64 = 0
  private var waiting: [UInt64: Waiting] = [:]

  mutating func add(_ completion: @escaping OwnHistory.Completion) -> UInt64 {
    newest += 1
    waiting[newest] = Waiting(complete: completion)
    return newest
  }

  mutating func take(_ request: UInt64) -> Waiting? { waiting.removeValue(forKey: request) }
}
