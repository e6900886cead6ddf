import StateSurf
import SurfStore
import SwiftRexStyle

/// The whole program: what it remembers, and all that can happen to it.
package enum App: StateSurfable {
  /// What the program remembers.
  package struct State: StateInitializable, Equatable {
    package var count = 0

    package init() {}
  }

  /// All that can happen to it.
  package enum Action: Codable, Equatable, Sendable {
    case count(CountAction)
    case shake(ShakeAction)
    case appLifecycle(LifecycleAction)

    var count: CountAction? { if case .count(let action) = self { action } else { nil } }
    var shake: ShakeAction? { if case .shake(let action) = self { action } else { nil } }
    var appLifecycle: LifecycleAction? {
      if case .appLifecycle(let action) = self { action } else { nil }
    }
  }

  package static let reducer: Reducer<Action, State> =
    counterReducer.lift(action: \Action.count, state: \State.count)
}

/// What changes the count.
package enum CountAction: String, Codable, Sendable {
  case increment, decrement
}

/// Whether shakes count, and a shake itself.
package enum ShakeAction: String, Codable, Sendable {
  case startMonitoring, shaken, stopMonitoring
}

/// The life of the program; `start` asks for the rest.
package enum LifecycleAction: String, Codable, Sendable {
  case start, willEnterForeground, didEnterBackground, willTerminate
}

let counterReducer = Reducer<CountAction, Int>.reduce { action, state in
  switch action {
  case .decrement: state = state == .min ? state : state - 1
  case .increment: state = state == .max ? state : state + 1
  }
}
