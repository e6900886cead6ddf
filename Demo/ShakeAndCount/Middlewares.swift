import Glibc
import SurfStore
import SwiftRexStyle

/// Dispatches `shaken` for each SIGUSR1, while somebody wants to know of shakes.
final class ShakeMiddleware: Middleware {
  private var shakes: AnyCancellable?
  private var output: AnyActionHandler<ShakeAction>?

  func receiveContext(getState: @escaping GetState<Void>, output: AnyActionHandler<ShakeAction>) {
    self.output = output
  }

  func handle(
    action: ShakeAction, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    switch action {
    case .startMonitoring:
      // On another thread: it captures the way to the store, and not the middleware.
      shakes = EventSource.signal(SIGUSR1).sink { [output] in output?.dispatch(.shaken) }
    case .stopMonitoring: shakes = nil
    case .shaken: break
    }
  }
}

/// Tells that the program is stopped, continued and ended.
final class AppLifecycleMiddleware: Middleware {
  private var lifecycle: AnyCancellable?
  private var output: AnyActionHandler<LifecycleAction>?

  func receiveContext(
    getState: @escaping GetState<Void>, output: AnyActionHandler<LifecycleAction>
  ) {
    self.output = output
  }

  func handle(
    action: LifecycleAction, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    guard action == .start else { return }
    lifecycle = EventSource.appLifecycle.sink { [output] event in
      switch event {
      case .willEnterForeground: output?.dispatch(.willEnterForeground)
      case .didEnterBackground: output?.dispatch(.didEnterBackground)
      case .willTerminate: output?.dispatch(.willTerminate)
      }
    }
  }
}

/// What the actions of one part mean for another.
func bridge() -> BridgeMiddleware<App.Action, App.Action> {
  BridgeMiddleware { action in
    switch action {
    case .appLifecycle(.start), .appLifecycle(.willEnterForeground): [.shake(.startMonitoring)]
    case .appLifecycle(.didEnterBackground): [.shake(.stopMonitoring)]
    case .shake(.shaken): [.count(.increment)]
    case .appLifecycle(.willTerminate), .count, .shake: []
    }
  }
}
