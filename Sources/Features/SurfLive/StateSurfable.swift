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
  /// How an action changes the state.
  static var reducer: Reducer<Action, State> { get }
  /// The rules that each state must satisfy; none by default. An action that breaks one changes
  /// nothing, and viewers see that it was rejected. A viewer's state must satisfy them as well.
  static var validators: [Validator<State>] { get }
  /// The actions that viewers offer to dispatch, if `Action` is `Decodable`. The default offers
  /// each case of a `CaseIterable` action, and none of any other.
  static var actionCreators: [ActionCreator] { get }
}
