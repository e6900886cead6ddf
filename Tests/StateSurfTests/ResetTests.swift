import Foundation
import StateSurf
import SurfNetwork
import SurfWire
import Synchronization
import Testing

@Suite("Resets of a program without a store")
struct ResetTests {
  private struct Refusal: Error, CustomStringConvertible { let description = "not today" }

  private let bench = Bench()

  @Test func withoutAHandlerTheyAreForbidden() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    bench.reset(to: "1")
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.forbidden])
    #expect(bench.configurations.map(\.acceptsResets) == [false])
  }

  @Test func theConfigurationCanForbidThem() {
    var configuration = Transceiver.Configuration()
    configuration.acceptsResets = false
    let transceiver = bench.transceiver(configuration)
    transceiver.onReset { _ in Issue.record("forbidden") }
    transceiver.resume()
    bench.reset(to: "1")
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.forbidden])
  }

  @Test func theHandlerSeesTheBytesAndIsAnswered() {
    let seen = Mutex<[Transceiver.Reset]>([])
    let transceiver = bench.transceiver()
    transceiver.onReset { reset in seen.withLock { $0.append(reset) } }
    transceiver.resume()
    bench.reset(to: "17")
    bench.reset(to: nil)
    bench.reset(to: "")
    #expect(bench.sink.waitForAnswers(3))
    #expect(bench.sink.answers == [.applied, .applied, .applied])
    #expect(seen.withLock { $0.map(\.state) } == [Data("17".utf8), nil, nil])
    #expect(seen.withLock { $0.map(\.contentType) } == ["application/json", "", ""])
    #expect(seen.withLock { $0.map(\.viewerName) } == ["viewer", "viewer", "viewer"])
    #expect(bench.configurations.map(\.acceptsResets) == [true])
  }

  @Test func whatTheHandlerThrowsIsTheReason() {
    let transceiver = bench.transceiver()
    transceiver.onReset { _ in throw Refusal() }
    transceiver.resume()
    bench.reset(to: "1")
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.rejected(reason: "not today")])
  }

  @Test func onlySoManyWaitForASlowHandler() {
    let gate = DispatchSemaphore(value: 0)
    let transceiver = bench.transceiver()
    transceiver.onReset { _ in gate.wait() }
    transceiver.resume()
    for _ in 1...6 { bench.reset(to: "1") }
    #expect(bench.sink.waitForAnswers(2))
    #expect(bench.sink.answers == [.busy, .busy])
    for _ in 1...4 { gate.signal() }
    #expect(bench.sink.waitForAnswers(6))
    #expect(bench.sink.answers.suffix(4) == [.applied, .applied, .applied, .applied])
  }
}
