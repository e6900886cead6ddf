public import SurfStore

/// A program whose whole state changes only by the actions of one reducer.
///
/// Conform with the reducer at the top, where every action passes: an action that bypasses it is
/// not in the history, and viewers cannot return to it.
public protocol StateSurfable {
  /// All that the program remembers.
  associatedtype State: StateInitializable
  /// All that can happen to it; in the history it appears as `String(describing:)` shows it.
  associatedtype Action: Sendable
  /// How an action changes the state.
  static var reducer: Reducer<Action, State> { get }
  /// The rules that each state must keep; none, unless you write some. An action that breaks one
  /// changes nothing, and viewers see that it was rejected. They cannot bring such a state either.
  static var validators: [Validator<State>] { get }
  /// The actions that viewers offer to dispatch, if `Action` is `Decodable`. The default offers
  /// each case of an action that is `CaseIterable`, and nothing of any other.
  static var actionCreators: [ActionCreator] { get }
}
