import StateSurf
import SurfStore

/// A program whose state reveals its history: every order of actions leads to another state.
enum Letters: StateSurfable {
  struct State: StateInitializable, Equatable {
    var text = ""
  }

  enum Action: Codable, Sendable {
    case add(String)
  }

  static let reducer = Reducer<Action, State>.reduce { action, state in
    if case .add(let letter) = action { state.text += letter }
  }
}
