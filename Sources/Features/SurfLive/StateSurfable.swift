public import SurfStore

/// A program whose whole state changes only by the actions of one reducer.
///
/// Conform with the reducer at the top, where every action passes: what does not pass there is not
/// in the history, and cannot be surfed.
public protocol StateSurfable {
  /// All that the program remembers.
  associatedtype State: StateInitializable
  /// All that can happen to it; in the history it appears as `String(describing:)` shows it.
  associatedtype Action: Sendable
  /// How an action changes the state.
  static var reducer: Reducer<Action, State> { get }
  /// What viewers offer to be dispatched, if `Action` is `Decodable`; unless written, each case of
  /// an action that is `CaseIterable`, and nothing of any other.
  static var actionCreators: [ActionCreator] { get }
}
