internal import SurfControl
public import SurfStore

/// An action that viewers offer in a form, where people fill in its values.
public struct ActionCreator: Hashable, Sendable {
  /// The name of the enum's case, or what the app reads as an action's `type`.
  public let name: String
  /// The parameters in order, as the enum's case declares them: a label, or `_` for none, and
  /// optionally a second name that people see.
  public let arguments: [String]

  /// `ActionCreator("move", "from", "to")` offers `move(from:to:)`.
  /// `ActionCreator("add", "_ title")` offers `add(_:)` with a field called "title".
  public init(_ name: String, _ arguments: String...) {
    self.name = name
    self.arguments = arguments
  }

  var signature: ActionSignature { ActionSignature(name: name, arguments: arguments) }
}

extension StateSurfable {
  /// None: people write actions by hand.
  public static var actionCreators: [ActionCreator] { [] }
  /// None.
  public static var validators: [Validator<State>] { [] }
}

extension StateSurfable where Action: CaseIterable & Decodable {
  /// All cases of `Action`.
  public static var actionCreators: [ActionCreator] {
    Action.allCases.map { action in
      let rawValue = (action as? any RawRepresentable)?.rawValue
      return ActionCreator(rawValue as? String ?? String(describing: action))
    }
  }
}
