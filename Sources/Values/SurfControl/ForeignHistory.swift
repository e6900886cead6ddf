import JSONTree

/// A history that was recorded elsewhere: in a file, or by a panel.
package struct ForeignHistory: Equatable, Sendable {
  /// One step of it.
  package struct Step: Equatable, Sendable {
    /// What happened, in words.
    package var name: String
    /// The action itself, if it can be run again.
    package var action: JSON?
    /// The state after it; nil if the app should compute it from the action.
    package var state: JSON?
    /// Whether it is left out.
    package var isSkipped: Bool

    /// A step, taken in unless said otherwise.
    package init(name: String, action: JSON?, state: JSON?, isSkipped: Bool = false) {
      self.name = name
      self.action = action
      self.state = state
      self.isSkipped = isSkipped
    }
  }

  /// The state that it begins with; nil for the app's own beginning.
  package var committed: JSON?
  /// Oldest first.
  package var steps: [Step]
  /// The step whose state the app should be in, from 0; nil for the one it begins with.
  package var current: Int?

  /// A history, which need not be consistent: the app checks the bounds.
  package init(committed: JSON?, steps: [Step], current: Int?) {
    self.committed = committed
    self.steps = steps
    self.current = current
  }
}

// Protocol.md §11.5: the members of `import`.
extension ForeignHistory {
  init(_ members: Members) throws(ControlError) {
    committed = members["committed"]
    guard let entries = members["steps"]?.array else {
      throw .member("steps", of: members.word)
    }
    steps = []
    for entry in entries { steps.append(try Step(Members(of: "step", entry))) }
    current = members["current"]?.integer
  }

  func write(into object: inout JSONObject) {
    object["committed"] = committed
    object["steps"] = .array(steps.map(\.json))
    object["current"] = current.map { .number($0) }
  }
}

extension ForeignHistory.Step {
  fileprivate init(_ members: Members) throws(ControlError) {
    let action = members["action"]
    self.init(
      name: try members.text("name"), action: action,
      // Without one, the app computes it.
      state: action == nil ? try members.value("state") : members["state"],
      isSkipped: members.flag("skipped") ?? false)
  }

  fileprivate var json: JSON {
    var object = JSONObject([.init(key: "name", value: .string(name))])
    object["action"] = action
    object["state"] = state
    if isSkipped { object["skipped"] = true }
    return .object(object)
  }
}
