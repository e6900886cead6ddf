/// The states that can be returned to.
struct Travel: Sendable {
  typealias State = any SwiftyStateStoreProtocol

  static let pastCountMax = 100

  private var past: [State] = []
  private var future: [State] = []

  /// The state is another now. Gives the states that nobody can return to any more: their last
  /// release can run code of the program's, so it must not happen under a lock.
  mutating func changed(from previous: State) -> [State] {
    var forgotten = future
    future = []
    past.append(previous)
    if past.count > Self.pastCountMax { forgotten.append(past.removeFirst()) }
    return forgotten
  }

  /// The state before the last change, if there is one.
  mutating func undo(from state: State) -> State? {
    guard let previous = past.popLast() else { return nil }
    future.append(state)
    return previous
  }

  /// The state before the last `undo`, if there is one.
  mutating func redo(from state: State) -> State? {
    guard let next = future.popLast() else { return nil }
    past.append(state)
    return next
  }
}
