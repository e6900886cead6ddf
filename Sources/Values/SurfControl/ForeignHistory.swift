import JSONTree

/// A history to import, from a file or a Redux DevTools panel, with all its steps in memory.
package struct ForeignHistory: Equatable, Sendable {
  package struct Step: Equatable, Sendable {
    package var name: String
    /// Nil if the action cannot be run again.
    package var action: JSON?
    /// The state after the step; nil if the app should compute it from the action.
    package var state: JSON?
    package var isSkipped: Bool

    package init(name: String, action: JSON?, state: JSON?, isSkipped: Bool = false) {
      self.name = name
      self.action = action
      self.state = state
      self.isSkipped = isSkipped
    }
  }

  /// The state before the first step; nil for the app's initial state.
  package var committed: JSON?
  /// Oldest first.
  package var steps: [Step]
  /// The index of the step whose state the app should be in; nil for `committed`.
  package var current: Int?

  /// The values need not be consistent: the app checks the bounds.
  package init(committed: JSON?, steps: [Step], current: Int?) {
    self.committed = committed
    self.steps = steps
    self.current = current
  }
}

/// A history to import whose steps are read one at a time, so that the app need not hold them all.
package protocol StepSource: Sendable {
  /// The state before the first step; nil for the app's initial state.
  var committed: JSON? { get }
  /// The index of the step whose state the app should be in; nil for `committed`.
  var current: Int? { get }
  var stepCount: Int { get }
  func step(_ index: Int) throws(ControlError) -> ForeignHistory.Step
}

extension ForeignHistory: StepSource {
  package var stepCount: Int { steps.count }

  package func step(_ index: Int) -> Step { steps[index] }
}

/// The text of an `import` command (Protocol.md §11.5). It parses each step on demand, so that a
/// million steps take little more memory than their text.
package struct ImportText: StepSource {
  package let committed: JSON?
  package let current: Int?
  private let text: JSONText
  private let steps: [Range<Int>]

  /// Nil if the command is not `import`.
  package init?(parsing bytes: [UInt8]) throws(ControlError) {
    let text = try ControlError.reading { () throws(JSONError) in try JSONText(bytes) }
    let word = try ControlError.reading { () throws(JSONError) in try text["command"] }
    guard word?.string == "import" else { return nil }
    self.text = text
    committed = try ControlError.reading { () throws(JSONError) in try text["committed"] }
    current = try ControlError.reading { () throws(JSONError) in try text["current"]?.integer }
    let steps = try ControlError.reading { () throws(JSONError) in
      try text.range(of: "steps").flatMap { range throws(JSONError) in
        try text.elements(in: range)
      }
    }
    guard let steps else { throw .member("steps", of: "import") }
    self.steps = steps
  }

  package var stepCount: Int { steps.count }

  package func step(_ index: Int) throws(ControlError) -> ForeignHistory.Step {
    let json = try ControlError.reading { () throws(JSONError) in
      try text.value(in: steps[index])
    }
    return try ForeignHistory.Step(Members(of: "step", json))
  }
}

// Protocol.md §11.5: the members of `import`.
extension ForeignHistory {
  init(_ text: ImportText) throws(ControlError) {
    steps = []
    for index in 0..<text.stepCount { steps.append(try text.step(index)) }
    (committed, current) = (text.committed, text.current)
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
      // With an action, the app can compute the state.
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
