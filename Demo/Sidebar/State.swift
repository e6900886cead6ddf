import StateSurf
import SurfStore

/// A counter that goes up and down.
enum Tally: StateSurfable {
  struct State: StateInitializable, Equatable {
    var count = 0
    var steps = 0
  }

  enum Action: String, Codable, Sendable { case up, down }

  static let reducer = Reducer<Action, State>.reduce { action, state in
    state.count &+= action == .up ? 1 : -1
    state.steps &+= 1
  }

  static let validators: [Validator<State>] = [
    Validator("never negative") { $0.count >= 0 }
  ]
}
