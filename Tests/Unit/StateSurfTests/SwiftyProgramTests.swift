import StateSurf
import SurfStore
import SurfWire
import SwiftyState
import Testing

/// The lines of Sources/Libraries.md, on an engine that only this test has.
private let swifty = SwiftyState(SwiftyEngine())

struct MyStore: SwiftyStateStoreProtocol, StateInitializable, Equatable { var coins = 0 }

enum Purse: StateSurfable {
  typealias State = MyStore
  static let validators = [swifty.validator(of: MyStore.self)]
  static let reducer = Reducer<SwiftyChange, MyStore>.reduce { change, store in
    store = change.applied(to: store)
  }
}

private struct Earn: SwiftyAction, CustomStringConvertible {
  let coins: Int
  var description: String { "earn(\(coins))" }
  func reducer(state: any SwiftyStateStoreProtocol) -> any SwiftyStateStoreProtocol {
    (state as? MyStore).map { MyStore(coins: $0.coins + coins) } ?? state
  }
}

/// A program that uses SwiftyState, and what a viewer can do to it.
@Suite struct SwiftyProgramTests {
  private let bench = Bench()

  private var coins: Int? { swifty.getState(as: MyStore.self)?.coins }

  private func earn(_ counts: Int...) {
    for coins in counts { swifty.action(a: Earn(coins: coins)) }
  }

  private func attach(_ history: StoreObserver<Purse>) -> SwiftyObservation {
    swifty.setStore(MyStore())
    swifty.setStateValidiator(
      Validator("rich") { ($0 as? MyStore).map { $0.coins < 100 } ?? false })
    history.attach {
      swifty.perform($0)
    } revise: {
      await swifty.revise($0)
    }
    swifty.setGate { history.admits($0) }
    let observation = swifty.observe { row in
      guard let change = row.change, let state = row.state as? MyStore else { return }
      if row.fate == .applied { history.record(change, state: state) }
      if let objection = row.objection { history.reject(change, because: objection) }
    }
    history.resume()
    return observation
  }

  private func names(_ count: Int) async -> [String] {
    #expect(await bench.recorded(count))
    return bench.sink.records.map(\.name)
  }

  @Test func `It takes every command, and its rejected actions are told as such`() async {
    let history = StoreObserver<Purse>(transceiver: bench.transceiver())
    let observation = attach(history)
    // The engine stays, and what it keeps.
    defer {
      observation.cancel()
      swifty.setGate { _ in true }
    }
    earn(3, 7, 200, 20)
    #expect(await names(4) == ["earn(3)", "earn(7)", "rejected: earn(200) (rich)", "earn(20)"])
    #expect(bench.sink.records.map(\.kind)[2] == .log(.warning))

    #expect(await bench.performed(#"{"command":"lock","on":true}"#) == .applied)
    swifty.startDebug()
    earn(1)
    #expect(coins == 30)
    #expect(swifty.getHistory().last?.fate == .refused)
    #expect(await names(6).last == "refused while locked: earn(1)")
    #expect(await bench.performed(#"{"command":"lock","on":false}"#) == .applied)

    #expect(await bench.performed(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(coins == 23)
    #expect(await bench.performed(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(coins == 30)

    let refusal = await bench.restored(#"{"coins":500}"#, at: .elsewhere, request: 1)
    #expect(refusal == .rejected(reason: "the app rejects this state (SwiftyState: rich)"))
    #expect(await bench.restored(#"{"coins":3}"#, at: .record(1), request: 2) == .applied)
    #expect(coins == 3)

    // While the program itself has stopped the engine.
    swifty.stopEngine()
    earn(1)
    swifty.startEngine()
    let rejection = "rejected: earn(1) (SwiftyState: the engine is stopped)"
    #expect(await bench.recorded(bench.sink.records.count))
    history.transceiver.flush(timeout: .seconds(60))
    #expect(bench.sink.records.last?.name == rejection)

    // No row tells of an undo: what follows it is not run from the row before.
    earn(1)
    swifty.undo()
    earn(5)
    #expect(coins == 8)
    history.transceiver.flush(timeout: .seconds(60))
    let row = bench.sink.records.count - 1
    for _ in 1...2 {
      #expect(await bench.performed(#"{"command":"toggle","row":\#(row)}"#) == .applied)
      #expect(coins == 8)
    }
  }
}
