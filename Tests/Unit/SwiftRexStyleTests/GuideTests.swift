import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

/// The quick guide of SwiftRex, whole, without its views.
///
/// A shake is a `Bell`'s ring, and what the guide prints goes to a `Log`. Closures that a bell calls
/// may run on any thread, so they capture `output`, and not the middleware.
enum Guide {
  enum CounterViewModel {
    static func viewModel<S: StoreType>(
      from store: S
    ) -> ObservableViewModel<ViewAction, ViewState>
    where S.ActionType == AppAction, S.StateType == AppState {
      store.projection(
        action: from(viewAction:),
        state: from(appState:)
      ).asObservableViewModel(initialState: .empty)
    }

    struct ViewState: Equatable {
      let title: String = "Welcome to the Redux counter"
      let countLabel: String
      static var empty: ViewState {
        .init(countLabel: "")
      }
    }

    enum ViewAction {
      case plusButtonTap
      case minusButtonTap
    }

    private static func from(viewAction: ViewAction) -> AppAction? {
      switch viewAction {
      case .plusButtonTap: return .count(.increment)
      case .minusButtonTap: return .count(.decrement)
      }
    }

    private static func from(appState: AppState) -> ViewState {
      ViewState(countLabel: "\(appState.count)")
    }
  }

  struct AppState: Equatable {
    var count: Int

    static var initial: AppState {
      .init(count: 0)
    }
  }

  enum AppAction {
    case count(CountAction)
    case shake(ShakeAction)
    case appLifecycle(AppLifecycleAction)
  }
  enum CountAction {
    case increment
    case decrement
  }
  enum ShakeAction {
    case startMonitoring
    case shaken
    case stopMonitoring
  }
  enum AppLifecycleAction {
    case start
    case willEnterForeground
    case didEnterBackground
  }

  static let counterReducer = Reducer<CountAction, Int>.reduce { action, state in
    switch action {
    case .decrement:
      state -= 1
    case .increment:
      state += 1
    }
  }

  class ShakeMiddleware: Middleware {
    private let shakes: Bell<Void>
    init(_ shakes: Bell<Void>) { self.shakes = shakes }

    private var shakeGesture: AnyCancellable?
    private var output: AnyActionHandler<ShakeAction>?
    func receiveContext(
      getState: @escaping GetState<Void>, output: AnyActionHandler<ShakeAction>
    ) {
      self.output = output
    }

    func handle(
      action: ShakeAction, from dispatcher: ActionSource, afterReducer: inout AfterReducer
    ) {
      switch action {
      case .startMonitoring:
        shakeGesture = shakes.sink { [output] in
          output?.dispatch(.shaken)
        }

      case .stopMonitoring:
        shakeGesture = nil

      case .shaken:
        break
      }
    }
  }

  class AppLifecycleMiddleware: Middleware {
    private let lifecycle: Bell<AppLifecycleAction>
    init(_ lifecycle: Bell<AppLifecycleAction>) { self.lifecycle = lifecycle }

    private var lifecycleSubscription: AnyCancellable?
    private var output: AnyActionHandler<AppLifecycleAction>?
    func receiveContext(
      getState: @escaping GetState<Void>, output: AnyActionHandler<AppLifecycleAction>
    ) {
      self.output = output
    }

    func handle(
      action: AppLifecycleAction, from dispatcher: ActionSource, afterReducer: inout AfterReducer
    ) {
      switch action {
      case .start:
        lifecycleSubscription = lifecycle.sink { [output] event in
          output?.dispatch(event)
        }
      case .didEnterBackground, .willEnterForeground: break
      }
    }
  }

  class LoggerMiddleware: Middleware {
    private let log: Log<String>
    init(_ log: Log<String>) { self.log = log }

    private var getState: GetState<AppState>?
    func receiveContext(
      getState: @escaping GetState<AppState>, output: AnyActionHandler<Never>
    ) {
      self.getState = getState
    }

    func handle(
      action: AppAction, from dispatcher: ActionSource, afterReducer: inout AfterReducer
    ) {
      guard let getState = self.getState else { return }

      let stateBefore = getState()
      afterReducer = .do { [log] in
        let stateAfter = getState()
        guard stateBefore != stateAfter else { return log.append("\(action)") }
        log.append("\(action): \(stateBefore.count) to \(stateAfter.count)")
      }
    }
  }

  class BridgeMiddleware: Middleware {
    private var output: AnyActionHandler<AppAction>?
    func receiveContext(getState: @escaping GetState<Void>, output: AnyActionHandler<AppAction>) {
      self.output = output
    }

    func handle(
      action: AppAction, from dispatcher: ActionSource, afterReducer: inout AfterReducer
    ) {
      switch action {
      case .appLifecycle(.willEnterForeground): output?.dispatch(.shake(.startMonitoring))
      case .appLifecycle(.didEnterBackground): output?.dispatch(.shake(.stopMonitoring))
      case .shake(.shaken): output?.dispatch(.count(.increment))
      default: break
      }
    }
  }

  class Store: ReduxStoreBase<AppAction, AppState> {
    static func create(in world: World) -> Store {
      let store = Store(
        subject: .combine(initialValue: AppState(count: 0)),
        reducer: counterReducer.lift(
          action: \AppAction.count,
          state: \AppState.count
        ),
        middleware:
          ShakeMiddleware(world.shakes).lift(
            inputAction: \AppAction.shake,
            outputAction: AppAction.shake,
            state: ignore
          )
          <> AppLifecycleMiddleware(world.lifecycle).lift(
            inputAction: \AppAction.appLifecycle,
            outputAction: AppAction.appLifecycle,
            state: ignore
          )
          <> BridgeMiddleware().lift(
            state: ignore
          ) <> LoggerMiddleware(world.log).lift(outputAction: absurd)
      )
      store.dispatch(.appLifecycle(.start))
      return store
    }
  }

  /// What happens to a device.
  struct World: Sendable {
    let shakes = Bell<Void>()
    let lifecycle = Bell<AppLifecycleAction>()
    let log = Log<String>()
  }
}

extension Guide.AppAction {
  var count: Guide.CountAction? {
    guard case .count(let value) = self else { return nil }
    return value
  }
  var shake: Guide.ShakeAction? {
    guard case .shake(let value) = self else { return nil }
    return value
  }
  var appLifecycle: Guide.AppLifecycleAction? {
    guard case .appLifecycle(let value) = self else { return nil }
    return value
  }
}

@Suite struct GuideTests {
  private let world = Guide.World()

  @Test func `the guide's app counts taps and shakes`() {
    let store = Guide.Store.create(in: world).asObservableViewModel(initialState: .initial)
    let viewModel = Guide.CounterViewModel.viewModel(from: store)
    #expect(viewModel.state.countLabel == "0")
    viewModel.dispatch(.plusButtonTap)
    viewModel.dispatch(.plusButtonTap)
    viewModel.dispatch(.minusButtonTap)
    #expect(viewModel.state.countLabel == "1")
    world.shakes.ring(())
    #expect(store.state.count == 1)
    world.lifecycle.ring(.willEnterForeground)
    world.shakes.ring(())
    world.shakes.ring(())
    #expect(viewModel.state.countLabel == "3")
    world.lifecycle.ring(.didEnterBackground)
    world.shakes.ring(())
    #expect(store.state.count == 3)
  }

  @Test func `its log tells the story of a shake`() {
    let store = Guide.Store.create(in: world)
    world.lifecycle.ring(.willEnterForeground)
    world.shakes.ring(())
    store.dispatch(.count(.decrement))
    #expect(
      world.log.entries.map {
        $0.replacing("SwiftRexStyleTests.", with: "").replacing("Guide.", with: "")
      }
        == [
          "appLifecycle(AppLifecycleAction.start)",
          "appLifecycle(AppLifecycleAction.willEnterForeground)",
          "shake(ShakeAction.startMonitoring)",
          "shake(ShakeAction.shaken)",
          "count(CountAction.increment): 0 to 1",
          "count(CountAction.decrement): 1 to 0",
        ])
  }

  @Test func `a derived action names the step that it came of`() {
    let store = Guide.Store.create(in: world)
    let causes = Log<UInt64?>()
    let observation = store.store.observe { causes.append($0.cause) }
    world.lifecycle.ring(.willEnterForeground)
    world.shakes.ring(())
    observation.cancel()
    // 2 entered the foreground, 3 started monitoring, 4 is the shake, 5 the increment.
    #expect(causes.entries == [nil, 2, nil, 4])
  }

  @Test func `the app can be released, and rings go nowhere`() {
    var store: Guide.Store? = Guide.Store.create(in: world)
    weak let engine = store?.store
    world.lifecycle.ring(.willEnterForeground)
    #expect(world.shakes.count == 1)
    store = nil
    #expect(engine == nil)
    #expect(world.shakes.count == 0)
    world.shakes.ring(())
  }
}
