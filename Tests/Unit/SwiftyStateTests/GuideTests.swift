import Foundation
import SwiftyState
import Synchronization
import Testing

/// SwiftyState's guide, walked through in its order: Jenny, Donald, and their money. Its output
/// goes into a list, and a `MoneyStatus` replaces the closures of its views.
enum Guide {
  struct MyStore: SwiftyStateStoreProtocol {
    // As the guide has them.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var Jenny: Int = 100
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var Donald: Int = 20
  }

  enum PayAction: SwiftyAction {
    case give10BuckToDonald
    case giveToDonald(amount: Int)

    func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol {
      var newState = state as! MyStore
      switch self {
      case .give10BuckToDonald:
        newState.Donald += 10
        newState.Jenny -= 10
      case .giveToDonald(let amount):
        newState.Donald += amount
        newState.Jenny -= amount
      }
      return newState
    }
  }

  enum StealAction: SwiftyAction {
    case stealAll

    func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol {
      var newState = state as! MyStore
      newState.Donald = 0
      newState.Jenny = 0
      return newState
    }
  }

  struct MyValidator: SwiftyStateValidiator {
    func validiator(_ state: any SwiftyStateStoreProtocol) -> Bool {
      let newState = state as! MyStore
      return (newState.Donald >= 0) && (newState.Jenny >= 0)
    }
  }

  final class MoneyStatus: Sendable {
    private let printed = Mutex<[String]>([])
    private let subscription = Mutex<SwiftySubscription?>(nil)

    var lines: [String] { printed.withLock { $0 } }

    func viewDidLoad() {
      let subscription = SwiftyState().subscribe { [weak self] in
        let state = $0 as! MyStore
        let oldState = $1 as? MyStore
        if state.Donald != oldState?.Donald {
          self?.printed.withLock { $0.append("Donald now owns \(state.Donald)$") }
        }
      }
      subscription.hotStart()
      self.subscription.withLock { $0 = subscription }
    }

    deinit {
      subscription.withLock { $0 }?.unsubscribe()
    }
  }
}

extension SwiftyState {
  func getState() -> Guide.MyStore {
    return self.getRawState() as! Guide.MyStore
  }
}

/// The only test that uses the engine that all handles share.
@Suite struct GuideTests {
  @Test func `The guide holds from its first line to its last`() throws {
    SwiftyState().setStore(Guide.MyStore())
    SwiftyState().setStateValidiator(Guide.MyValidator())
    SwiftyState().startDebug()
    let state = SwiftyState().getState()
    #expect(state.Jenny == 100 && state.Donald == 20)

    SwiftyState().action(a: Guide.PayAction.give10BuckToDonald)
    SwiftyState().action(a: Guide.PayAction.giveToDonald(amount: 5))
    #expect(SwiftyState().getState().Jenny == 85)
    var status: Guide.MoneyStatus? = Guide.MoneyStatus()
    status?.viewDidLoad()
    SwiftyState().action(a: Guide.PayAction.giveToDonald(amount: 1_000))
    #expect(SwiftyState().getState().Donald == 35)
    SwiftyState().action(a: Guide.StealAction.stealAll)
    #expect(status?.lines == ["Donald now owns 35$", "Donald now owns 0$"])
    status = nil

    #expect(
      SwiftyState().getHistory().map(\.action) == [
        "SwiftyState debug started", "give10BuckToDonald", "giveToDonald(amount: 5)",
        "giveToDonald(amount: 1000)", "stealAll",
      ])
    #expect(SwiftyState().getHistory().map(\.valid) == [true, true, true, false, true])
    SwiftyState().undo()
    #expect(SwiftyState().getState().Jenny == 85)
    #expect(
      try SwiftyState().toJSON() == """
        {
          "Donald" : 35,
          "Jenny" : 85
        }
        """)
  }
}
