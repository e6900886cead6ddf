import DemoSupport
import StateSurf
import SurfStore
import SwiftRexStyle

@main
enum Main {
  static let help = """
    ShakeAndCount: the example of SwiftRex's quick guide, in a terminal.

    Usage: ShakeAndCount [--help]

    Type + or -, then Enter; q leaves. A shake, which counts as well, is a signal:
      kill -USR1 $(pgrep -x ShakeAndCount)
    Ctrl-Z stops the program, and fg continues it.
    """

  static func main() {
    let arguments: Arguments
    do {
      arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Terminal.misused("ShakeAndCount", error.message)
    }
    if arguments.isHelpWanted { return Terminal.say(help) }
    run()
  }

  private static func run() {
    let history = HistoryTransceiver<App>(name: "ShakeAndCount")
    history.store.install(
      ShakeMiddleware().lift(
        inputAction: \App.Action.shake, outputAction: App.Action.shake, state: ignore)
        <> AppLifecycleMiddleware().lift(
          inputAction: \App.Action.appLifecycle, outputAction: App.Action.appLifecycle,
          state: ignore)
        <> bridge().lift(state: ignore))
    history.resume()
    let store = ReduxStoreBase(history.store)
    let counter = CounterViewModel.viewModel(from: store)
    let token = counter.statePublisher.sink { Terminal.say($0.countLabel) }
    let end = history.store.observe { step in
      if step.action == .appLifecycle(.willTerminate) { history.suspend() }
    }
    store.dispatch(.appLifecycle(.start))
    Terminal.forEachLine(prompt: "+ - q > ") { obey($0, with: counter) }
    history.suspend()
    withExtendedLifetime((token, end)) {}
  }

  /// False if it is time to leave.
  private static func obey(
    _ line: String, with counter: ObservableViewModel<ViewAction, ViewState>
  ) -> Bool {
    for key in line {
      switch key {
      case "+": counter.dispatch(.plusButtonTap)
      case "-": counter.dispatch(.minusButtonTap)
      case "q": return false
      default: Terminal.say("there is no key \(key); the keys are + - q")
      }
    }
    return true
  }
}

/// The screen knows neither the program's state nor its actions.
enum CounterViewModel {
  static func viewModel(
    from store: some StoreType<App.Action, App.State>
  ) -> ObservableViewModel<ViewAction, ViewState> {
    store.projection(action: action(for:), state: ViewState.init(_:))
      .asObservableViewModel(initialState: ViewState(App.State()))
  }

  private static func action(for tap: ViewAction) -> App.Action? {
    switch tap {
    case .plusButtonTap: .count(.increment)
    case .minusButtonTap: .count(.decrement)
    }
  }
}

/// What the screen shows.
struct ViewState: Equatable {
  let countLabel: String

  init(_ state: App.State) { countLabel = "count \(state.count)" }
}

/// The actions of a user.
enum ViewAction {
  case plusButtonTap, minusButtonTap
}
