import Foundation
import StateSurf
import SurfStore
import SurfWire
import Testing

@Suite("Values that are nested deep")
struct DepthTests {
  private indirect enum Tree: Codable, Sendable {
    case leaf
    case node(Int, Tree)
  }

  /// Cannot be encoded, and is described all the same.
  private indirect enum Move: Sendable {
    case stop
    case then(Move)
  }

  private struct Link: StateInitializable {
    var next: [Link]? = []
  }

  private enum Chain: StateSurfable {
    typealias State = Link
    static let reducer = Reducer<Int, State> { depth, state in
      state = Link()
      for _ in 0..<depth { state = Link(next: [state]) }
      return []
    }
  }

  private let bench = Bench()

  private static func tree(_ depth: Int) -> Tree {
    (0..<depth).reduce(.leaf) { tree, number in .node(number, tree) }
  }

  @Test func theyAreAnErrorInTheHistoryAndTheAppGoesOn() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    transceiver.record(action: Self.tree(12_000), state: Self.tree(12_000))
    transceiver.inspect("tree", Self.tree(12_000))
    transceiver.record(action: "after", state: 1)
    transceiver.flush(timeout: .seconds(60))
    #expect(
      bench.sink.records.map(\.name) == [
        "node(…)",
        "state not recorded: nested more than 500 deep; "
          + "payload not recorded: nested more than 500 deep",
        "tree", "payload not recorded: nested more than 500 deep", "after",
      ])
  }

  @Test func anActionThatCannotBeEncodedMayBeDeeper() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    let move = (0..<30_000).reduce(Move.stop) { move, _ in .then(move) }
    transceiver.record(action: move, state: 1)
    transceiver.flush(timeout: .seconds(60))
    #expect(bench.sink.records.first?.name.hasPrefix("then.then.") == true)
  }

  @Test(arguments: [Transceiver.Configuration.Coding.foundation, .readable])
  func whatTheLimitAllowsIsRestored(coding: Transceiver.Configuration.Coding) throws {
    var configuration = Transceiver.Configuration()
    configuration.coding = coding
    let chain = HistoryTransceiver<Chain>(transceiver: bench.transceiver(configuration))
    chain.resume()
    chain.store.dispatch(240)
    chain.transceiver.flush(timeout: .seconds(60))
    let state = try #require(bench.sink.records.first?.state.text)
    chain.store.dispatch(0)
    bench.reset(to: state, from: 1)
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.applied])
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    let deeper = String(repeating: #"{"next":["#, count: 50_000)
    bench.reset(to: deeper)
    #expect(bench.sink.waitForAnswers(4))
    guard case .rejected = bench.sink.answers.last else {
      Issue.record("not rejected")
      return
    }
  }
}
