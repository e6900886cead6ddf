internal import SurfControl

/// An action that viewers offer to people, who fill in its values.
public struct ActionCreator: Hashable, Sendable {
  /// The name of the enum's case, or what the app reads as an action's `type`.
  public let name: String
  /// The labels of its values, in order; `_` for one without a label.
  public let arguments: [String]

  /// `ActionCreator("move", "from", "to")` offers `move(from:to:)`.
  public init(_ name: String, _ arguments: String...) {
    self.name = name
    self.arguments = arguments
  }

  var signature: ActionSignature { ActionSignature(name: name, arguments: arguments) }
}

extension StateSurfable {
  /// None: people write actions by hand.
  public static var actionCreators: [ActionCreator] { [] }
}

extension StateSurfable where Action: CaseIterable & Decodable {
  /// Each of its cases.
  public static var actionCreators: [ActionCreator] {
    Action.allCases.map { action in
      let rawValue = (action as? any RawRepresentable)?.rawValue
      return ActionCreator(rawValue as? String ?? String(describing: action))
    }
  }
}
