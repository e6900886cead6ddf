import JSONTools
import JSONTree
import SurfControl

/// Why a text cannot be read as a lifted state.
package enum LiftedFileError: Error, Equatable, Sendable, CustomStringConvertible {
  case syntax(JSONError)
  /// This member is missing or malformed.
  case member(String)
  /// The file has actions without states, and the app has no reducer to compute them.
  case noStates

  package var description: String {
    switch self {
    case .syntax(let error): "not JSON: \(error)"
    case .member(let name): "it has no usable \"\(name)\""
    case .noStates:
      "it holds actions without states, and the app has no reducer to compute them; export the "
        + "lifted state instead"
    }
  }

  /// Reads the JSON of a file, including marks for values that JavaScript cannot express.
  package static func parse(_ text: String) throws(LiftedFileError) -> JSON {
    do throws(JSONError) {
      return ExactNumber.restored(JSAN.plain(try JSON(parsingForeign: Array(text.utf8))))
    } catch {
      throw .syntax(error)
    }
  }
}

extension ForeignHistory {
  /// Reads the text of a file that Redux DevTools exported.
  package init(liftedText text: String) throws(LiftedFileError) {
    try self.init(lifted: try LiftedFileError.parse(text))
  }

  /// Whether this is a lifted state, or wraps one: hardly a state of an app.
  package static func isLifted(_ json: JSON) -> Bool {
    guard let inner = json["nextLiftedState"] ?? json["liftedState"] else {
      return json["actionsById"] != nil && json["computedStates"]?.array != nil
    }
    return inner.object.map { isLifted(.object($0)) } ?? (inner.string != nil)
  }

  /// Reads a lifted state: `actionsById`, `computedStates`, `stagedActionIds`, `skippedActionIds`,
  /// `currentStateIndex` and `committedState`, as in redux-devtools-instrument. Also reads a
  /// history without states: `payload` and `preloadedState`, or only a list of actions.
  package init(lifted json: JSON) throws(LiftedFileError) {
    // Some exports wrap it, as a string or as an object.
    if let inner = json["nextLiftedState"] ?? json["liftedState"] {
      if let text = inner.string {
        try self.init(liftedText: text)
      } else {
        try self.init(lifted: inner)
      }
      return
    }
    if json.array != nil {
      try self.init(actions: json, preloaded: nil)
      return
    }
    if let payload = json["payload"], json["computedStates"] == nil {
      let inner = try Self.unwrapped(payload)
      if inner["computedStates"] != nil {
        try self.init(lifted: inner)
      } else {
        try self.init(actions: inner, preloaded: json["preloadedState"])
      }
      return
    }
    guard let computed = json["computedStates"]?.array else { throw .member("computedStates") }
    guard let actions = json["actionsById"] else { throw .member("actionsById") }
    let staged = json["stagedActionIds"]?.array?.compactMap(\.integer) ?? Array(computed.indices)
    guard staged.count == computed.count, let first = computed.first else {
      throw .member("stagedActionIds")
    }
    let skipped = Set(json["skippedActionIds"]?.array?.compactMap(\.integer) ?? [])
    let current = json["currentStateIndex"]?.integer ?? staged.count - 1
    var steps: [Step] = []
    var currentStep: Int?
    for (index, (id, entry)) in zip(staged, computed).enumerated().dropFirst() {
      let action = actions["\(id)"]?["action"]
      let name = action?["type"]?.string ?? "action \(id)"
      if !PanelAction.isNoAction(name) {
        let state = try Self.state(entry, after: action)
        steps.append(
          Step(name: name, action: action, state: state, isSkipped: skipped.contains(id)))
      }
      if index <= current { currentStep = steps.isEmpty ? nil : steps.count - 1 }
    }
    // The first staged action has the state that history starts with: @@INIT, or the @@CUT of our
    // own exports.
    let committed = json["committedState"].flatMap { $0 == .null ? nil : $0 } ?? first["state"]
    self.init(
      committed: committed == .null ? nil : committed, steps: steps, current: currentStep)
  }

  /// The state after an action; nil if the file omits it and has the action to compute it from.
  private static func state(_ entry: JSON, after action: JSON?) throws(LiftedFileError) -> JSON? {
    // The action failed, or the state was too large for the file.
    let isLeftOut = entry["error"] != nil && action != nil
    guard let state = entry["state"] else {
      guard isLeftOut else { throw .member("computedStates") }
      return nil
    }
    return isLeftOut && state == .null ? .none : .some(state)
  }

  /// Reads the export of an app that computes its own states: the actions and the state before
  /// them, each perhaps as a string.
  private init(actions json: JSON, preloaded: JSON?) throws(LiftedFileError) {
    guard let actions = json.array else { throw .member("payload") }
    let committed = try preloaded.map { json throws(LiftedFileError) in try Self.unwrapped(json) }
    let steps = actions.enumerated().map { index, action in
      Step(name: action["type"]?.string ?? "action \(index + 1)", action: action, state: nil)
    }
    self.init(
      committed: committed == .null ? nil : committed, steps: steps,
      current: steps.isEmpty ? nil : steps.count - 1)
  }

  private static func unwrapped(_ json: JSON) throws(LiftedFileError) -> JSON {
    if let text = json.string { try LiftedFileError.parse(text) } else { json }
  }
}
