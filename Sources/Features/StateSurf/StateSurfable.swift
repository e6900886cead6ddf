public import SurfStore

/// A program whose state changes only by the actions of one reducer.
///
/// Conform with the reducer that every action passes. An action that bypasses it is not in the
/// history, and viewers cannot return to its state.
public protocol StateSurfable {
  /// All that the program remembers.
  associatedtype State: StateInitializable
  /// All that can happen to it. The history shows an action by its `String(describing:)`.
  associatedtype Action: Sendable
  /// How an action changes the state. If that depends on values that are known only at run time,
  /// such as a price list, pass another reducer to the transceiver.
  static var reducer: Reducer<Action, State> { get }
  /// The rules that each state must satisfy; none by default. An action that breaks one changes
  /// nothing, and viewers see that it was rejected. A viewer's state must satisfy them as well.
  static var validators: [Validator<State>] { get }
  /// The actions that viewers offer to dispatch, if `Action` is `Decodable`. The default offers
  /// each case of a `CaseIterable` action, and none of any other.
  static var actionCreators: [ActionCreator] { get }
}

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

extension Recorder {
  /// The controller of the history of `App`.
  func controller<App: StateSurfable>(
    of app: App.Type, initial: App.State, reducer: Reducer<App.Action, App.State>
  ) -> Controller<App.Action, App.State> {
    controller(
      reducer: reducer, validators: App.validators,
      creators: App.actionCreators.map { (name: $0.name, arguments: $0.arguments) },
      initial: initial, read: { App.State(from: $0) })
  }
}
