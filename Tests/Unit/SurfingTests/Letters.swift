import StateSurf
import SurfStore

/// A program whose state tells how it came about: every order of its actions leads to another.
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
