import JSONTree
import SurfControl

/// Why a text is no lifted state.
package enum LiftedFileError: Error, Equatable, Sendable, CustomStringConvertible {
  case syntax(JSONError)
  /// A member that is missing, or is not what it should be.
  case member(String)
  /// Actions without the states after them, which only their own reducer could compute.
  case noStates

  package var description: String {
    switch self {
    case .syntax(let error): "not JSON: \(error)"
    case .member(let name): "it has no usable \"\(name)\""
    case .noStates: "it holds actions without states; export the lifted state instead"
    }
  }

  static func parse(_ text: String) throws(LiftedFileError) -> JSON {
    do throws(JSONError) {
      return JSAN.plain(try JSON(parsing: text))
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

  /// Reads a lifted state: `actionsById`, `computedStates`, `stagedActionIds`, `skippedActionIds`,
  /// `currentStateIndex` and `committedState`, as redux-devtools-instrument has them.
  package init(lifted json: JSON) throws(LiftedFileError) {
    // Some exports wrap it, as text or as it is.
    if let inner = json["nextLiftedState"] ?? json["liftedState"] {
      if case .string(let text) = inner {
        try self.init(liftedText: text)
      } else {
        try self.init(lifted: inner)
      }
      return
    }
    guard let computed = json["computedStates"]?.elements else {
      throw json["payload"] == nil ? .member("computedStates") : .noStates
    }
    guard let actions = json["actionsById"] else { throw .member("actionsById") }
    let staged = json["stagedActionIds"]?.elements?.compactMap(\.integer) ?? Array(computed.indices)
    guard staged.count == computed.count, let first = computed.first else {
      throw .member("stagedActionIds")
    }
    let skipped = Set(json["skippedActionIds"]?.elements?.compactMap(\.integer) ?? [])
    var steps: [Step] = []
    for (id, entry) in zip(staged, computed).dropFirst() {
      guard let state = entry["state"] else { throw .member("computedStates") }
      let action = actions["\(id)"]?["action"]
      steps.append(
        Step(
          name: action?["type"]?.text ?? "action \(id)", action: action, state: state,
          isSkipped: skipped.contains(id)))
    }
    // The first staged action is @@INIT, whose state history begins with.
    let committed = json["committedState"].flatMap { $0 == .null ? nil : $0 } ?? first["state"]
    let current = json["currentStateIndex"]?.integer ?? staged.count - 1
    self.init(
      committed: committed == .null ? nil : committed, steps: steps,
      current: current <= 0 || steps.isEmpty ? nil : min(current, steps.count) - 1)
  }
}
