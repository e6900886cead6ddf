import Foundation
import StateSurf
import SurfLive
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

  @Test func `the configuration makes the broadcaster refuse them`() {
    var configuration = Transceiver.Configuration()
    configuration.acceptsResets = false
    let transceiver = bench.transceiver(configuration)
    transceiver.onReset { _ in }
    transceiver.resume()
    #expect(bench.configurations.map(\.acceptsResets) == [false])
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

  /// A program's state on an actor of its own.
  private actor Room {
    private(set) var degrees = 20
    func set(_ degrees: Int) throws {
      guard degrees < 100 else { throw Refusal() }
      self.degrees = degrees
    }
  }

  @MainActor private final class Window { var degrees = 20 }

  @Test func anAsyncHandlerIsAnsweredWhenItHasReturned() async {
    let room = Room()
    let gate = AsyncStream<Void>.makeStream()
    let transceiver = bench.transceiver()
    transceiver.onReset { reset in
      for await _ in gate.stream { break }
      try await room.set(try reset.state(as: Int.self) ?? 20)
    }
    transceiver.resume()
    bench.reset(to: "30")
    #expect(bench.sink.answers == [])
    gate.continuation.yield()
    #expect(await bench.answered(1))
    bench.reset(to: "200")
    gate.continuation.yield()
    #expect(await bench.answered(2))
    #expect(bench.sink.answers == [.applied, .rejected(reason: "not today")])
    #expect(await room.degrees == 30)
  }

  @Test func aHandlerRunsOnAnActor() async {
    let room = Room()
    let transceiver = bench.transceiver()
    transceiver.onReset(on: room) { room, reset in
      try room.set(try reset.state(as: Int.self) ?? 20)
    }
    transceiver.resume()
    bench.reset(to: "30")
    #expect(await bench.answered(1))
    #expect(await room.degrees == 30)
  }

  @Test func aHandlerRunsOnTheMainActor() async {
    let window = Window()
    let transceiver = bench.transceiver()
    transceiver.onReset(on: MainActor.self) { reset in
      window.degrees = try reset.state(as: Int.self) ?? 20
    }
    transceiver.resume()
    bench.reset(to: "30")
    #expect(await bench.answered(1))
    #expect(bench.sink.answers == [.applied])
    #expect(await window.degrees == 30)
  }

  @Test(arguments: 0..<4)
  func `a handler of one type gets the state, or the initial one`(kind: Int) async {
    let room = Room()
    let window = Window()
    let lock = Mutex(0)
    let transceiver = bench.transceiver()
    switch kind {
    case 0: transceiver.onReset(initial: 7) { (state: Int) in lock.withLock { $0 = state } }
    case 1:
      transceiver.onReset(initial: 7) { (state: Int) async throws in try await room.set(state) }
    case 2: transceiver.onReset(initial: 7, on: room) { room, state in try room.set(state) }
    default: transceiver.onReset(initial: 7, on: MainActor.self) { window.degrees = $0 }
    }
    transceiver.resume()
    for (index, text) in ["30", nil, "\"warm\""].enumerated() {
      bench.reset(to: text)
      #expect(await bench.answered(index + 1))
      let degrees =
        switch kind {
        case 0: lock.withLock(\.self)
        case 3: await window.degrees
        default: await room.degrees
        }
      #expect(degrees == (text == "30" ? 30 : 7), "\(kind)")
    }
    guard case .rejected? = bench.sink.answers.last else {
      Issue.record("a text is no Int")
      return
    }
  }

  @Test func whoWaitsTooLongBehindAHandlerIsNotApplied() {
    let time = Mutex(Duration.zero)
    let mailbox = Mailbox(whenFull: .giveUpStates)
    let desk = ResetQueue(mailbox: mailbox, now: { time.withLock { $0 } })
    let (hasBegun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let names = Mutex<[String]>([])
    desk.setHandler { request, answer in
      names.withLock { $0.append(request.viewerName) }
      hasBegun.signal()
      gate.wait()
      answer(.applied)
    }
    func send(_ name: String) {
      desk.receive(IncomingReset(viewerName: name, state: nil))
    }
    send("first")
    hasBegun.wait()
    send("late")
    time.withLock { $0 += ResetQueue.patience }
    send("in time")
    gate.signal()
    hasBegun.wait()
    gate.signal()
    #expect(names.withLock { $0 } == ["first", "in time"])
  }
}
