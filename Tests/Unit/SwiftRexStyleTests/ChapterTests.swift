import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

/// The guide's first chapters, before its whole app.
enum Chapters {
  struct AppState: Equatable {
    var count: Int
    var name = ""
  }

  enum AppAction {
    case count(CountAction)
    case anythingElse

    var count: CountAction? {
      guard case .count(let value) = self else { return nil }
      return value
    }
  }

  enum CountAction {
    case increment
    case decrement
  }

  static let counterReducer = Reducer<CountAction, Int>.reduce { action, state in
    switch action {
    case .decrement:
      state -= 1
    case .increment:
      state += 1
    }
  }

  struct CounterViewState: Equatable {
    let countLabelText: String

    static func from(appState: AppState) -> CounterViewState {
      CounterViewState(countLabelText: "\(appState.count)")
    }
  }

  enum CounterViewAction {
    case plusButtonTapped
    case minusButtonTapped
    case longPressed

    var asAppAction: AppAction? {
      switch self {
      case .plusButtonTapped: return .count(.increment)
      case .minusButtonTapped: return .count(.decrement)
      case .longPressed: return nil
      }
    }
  }

  static func store(_ appReducer: Reducer<AppAction, AppState>) -> ReduxStoreBase<
    AppAction, AppState
  > {
    ReduxStoreBase<AppAction, AppState>(
      subject: .combine(initialValue: AppState(count: 0)),
      reducer: appReducer,
      middleware: IdentityMiddleware()
    )
  }

  static let byKeyPaths = counterReducer.lift(
    action: \AppAction.count,
    state: \AppState.count
  )

  static let inFull = counterReducer.lift(
    actionGetter: { (appAction: AppAction) -> CountAction? in
      guard case AppAction.count(let countAction) = appAction else { return nil }
      return countAction
    },
    stateGetter: { (appState: AppState) -> Int in
      appState.count
    },
    stateSetter: { (appState: inout AppState, newCount: Int) in
      appState.count = newCount
    }
  )
}

@Suite struct ChapterTests {
  @Test func `the smallest counter publishes each state`() {
    let store = ReduxStoreBase<Chapters.CountAction, Int>(
      subject: .rx(initialValue: 0), reducer: Chapters.counterReducer,
      middleware: IdentityMiddleware())
    let states = Log<Int>()
    let cancellable = store.statePublisher.sink { states.append($0) }
    for action: Chapters.CountAction in [.increment, .increment, .decrement] {
      store.dispatch(action)
    }
    cancellable.cancel()
    store.dispatch(.increment)
    #expect(states.entries == [0, 1, 2, 1])
    #expect(store.state == 2)
  }

  @Test(arguments: [Chapters.byKeyPaths, Chapters.inFull])
  func `a lifted counter ignores anything else`(
    appReducer: Reducer<Chapters.AppAction, Chapters.AppState>
  ) {
    let store = Chapters.store(appReducer <> .identity)
    store.dispatch(.count(.increment))
    store.dispatch(.anythingElse)
    store.dispatch(.count(.increment))
    store.dispatch(.count(.decrement))
    #expect(store.state == Chapters.AppState(count: 1))
  }

  @Test func `a projection translates both ways, and drops what it cannot translate`() {
    let store = Chapters.store(Chapters.byKeyPaths)
    let viewModel: StoreProjection<Chapters.CounterViewAction, Chapters.CounterViewState> =
      store.projection(
        action: \Chapters.CounterViewAction.asAppAction,
        state: Chapters.CounterViewState.from(appState:)
      )
    let labels = Log<String>()
    let steps = Log<UInt64>()
    let observation = store.store.observe { steps.append($0.id) }
    let cancellable = viewModel.statePublisher.sink { labels.append($0.countLabelText) }
    viewModel.dispatch(.plusButtonTapped)
    viewModel.dispatch(.plusButtonTapped)
    viewModel.dispatch(.longPressed)
    viewModel.dispatch(.minusButtonTapped)
    #expect(labels.entries == ["0", "1", "2", "1"])
    #expect(steps.entries == [1, 2, 3])
    cancellable.cancel()
    observation.cancel()
  }
}
