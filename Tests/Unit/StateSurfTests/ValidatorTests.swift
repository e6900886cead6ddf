import StateSurf
import SurfStore
import SurfWire
import Testing

/// What viewers see of validators.
@Suite struct ValidatorTests {
  enum Bank: StateSurfable {
    struct State: StateInitializable, Equatable { var jenny = 100 }
    enum Action: Codable, Sendable { case pay(Int) }
    static let reducer = Reducer<Action, State>.reduce { action, state in
      if case .pay(let amount) = action { state.jenny -= amount }
    }
    static let validators = [
      Validator<State>("no debt") { $0.jenny < 0 ? "Jenny has \($0.jenny)" : nil }
    ]
  }

  private let bench = Bench()
  private let history: HistoryTransceiver<Bank>

  init() {
    history = HistoryTransceiver(transceiver: bench.transceiver(bench.waiting()))
    history.resume()
  }

  private func pay(_ amounts: Int...) {
    let count = bench.sink.records.count
    for amount in amounts { history.store.dispatch(.pay(amount)) }
    #expect(bench.sink.waitForRecords(count + amounts.count))
  }

  @Test func `Viewers see a rejected action and the reason, and no state`() {
    pay(60, 50, 40)
    #expect(
      bench.sink.records.map(\.name) == [
        "pay(60)", "rejected: pay(50) (no debt: Jenny has -10)", "pay(40)",
      ])
    #expect(bench.sink.records[1].kind == .log(.warning))
    #expect(bench.sink.records[1].state == RecordState.none)
    #expect(history.store.state.jenny == 0)
  }

  @Test func `A viewer cannot bring a state to which a validator objects`() {
    bench.reset(to: #"{"jenny":-1}"#)
    #expect(bench.sink.waitForAnswers(1))
    #expect(
      bench.sink.answers.last
        == .rejected(reason: "the app rejects this state (no debt: Jenny has -1)"))
    #expect(history.store.state.jenny == 100)
  }

  @Test func `A viewer hears why its action changed nothing`() {
    let reason = "the app rejects this action (no debt: Jenny has -1)"
    for (amount, answer) in [(101, Outcome.Result.rejected(reason: reason)), (100, .applied)] {
      #expect(
        bench.perform(#"{"command":"dispatch","action":{"pay":\#(amount)}}"#) == answer)
    }
    #expect(history.store.state.jenny == 0)
    pay(1)
    #expect(bench.perform(#"{"command":"dispatch","action":{"pay":-5}}"#) == .applied)
  }

  @Test func `An action that is run again meets the validators again`() {
    pay(60, -50, 70)
    #expect(history.store.state.jenny == 20)
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(history.store.state.jenny == 40)
  }
}
