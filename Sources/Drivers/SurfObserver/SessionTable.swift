import SurfWire

/// A value for each session, found by the session's id and changed where it lies: a dictionary
/// would copy a value to look at a part of it.
struct SessionTable<Value> {
  var values: [Value] = []
  private var sessions: [SessionID] = []
  private var indices: [SessionID: Int] = [:]

  var count: Int { values.count }

  /// The index in `values` of a session's value, until the next removal.
  func index(of session: SessionID) -> Int? { indices[session] }

  mutating func append(_ value: Value, for session: SessionID) {
    indices[session] = values.count
    sessions.append(session)
    values.append(value)
  }

  /// Removes a value; the last takes its place.
  mutating func remove(at index: Int) {
    indices[sessions[index]] = nil
    values.swapAt(index, values.count - 1)
    sessions.swapAt(index, sessions.count - 1)
    values.removeLast()
    sessions.removeLast()
    if index < values.count { indices[sessions[index]] = index }
  }
}
