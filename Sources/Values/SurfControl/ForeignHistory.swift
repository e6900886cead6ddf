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

/// A history from elsewhere whose steps are read one at a time, by an app that need not hold all of
/// them.
package protocol StepSource: Sendable {
  /// The state that it begins with; nil for the app's own beginning.
  var committed: JSON? { get }
  /// The step whose state the app should be in, from 0; nil for the one it begins with.
  var current: Int? { get }
  var stepCount: Int { get }
  func step(_ index: Int) throws(ControlError) -> ForeignHistory.Step
}

extension ForeignHistory: StepSource {
  package var stepCount: Int { steps.count }

  package func step(_ index: Int) -> Step { steps[index] }
}

/// The command `import` as it came (Protocol.md §11.5). A million steps take no more memory than
/// their text.
package struct ImportText: StepSource {
  package let committed: JSON?
  package let current: Int?
  private let text: JSONText
  private let steps: [Range<Int>]

  /// Nil for another command.
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
  /// Reads all steps at once.
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
