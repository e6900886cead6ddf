import Foundation
import StateSurf
import SurfStore
import SurfWire
import Testing

/// An app with a state that takes for ever to encode.
@Suite("A value whose encoding does not return")
struct SlowEncodingTests {
  private let bench = Bench()

  /// Its state does not encode while it counts 2, until that is let.
  private enum Stuck: StateSurfable {
    static let reached = DispatchSemaphore(value: 0)
    static let release = DispatchSemaphore(value: 0)

    struct State: StateInitializable, Equatable {
      var count = 0

      func encode(to encoder: any Encoder) throws {
        if count == 2 {
          reached.signal()
          release.wait()
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
      }
    }

    enum Action { case increment }

    static let reducer = Reducer<Action, State> { _, state in
      state.count += 1
      return []
    }
  }

  /// The turn asks which row it comes to, and the encoding thread is not done with one.
  @Test(.timeLimit(.minutes(10))) func `holds up no turn of the store's`() async {
    let history = HistoryTransceiver<Stuck>(transceiver: bench.transceiver())
    history.resume()
    for _ in 0..<2 { history.store.dispatch(.increment) }
    Stuck.reached.wait()
    bench.reset(to: #"{"count":1}"#, from: 1)
    // The end of a test that fails.
    for _ in 0..<1_000 where history.store.state.count != 1 {
      usleep(10_000)
    }
    #expect(history.store.state.count == 1)
    history.store.dispatch(.increment)
    Stuck.release.signal()
    Stuck.release.signal()
    #expect(await bench.answered(1))
    #expect(bench.sink.answers == [.applied])
    history.suspend()
    #expect(bench.sink.records.map(\.state.text).prefix(2) == [#"{"count":1}"#, #"{"count":2}"#])
  }
}
