import Foundation
import JSONTree
import SurfGateway
import SurfObserver
import SurfStreams
import SurfWire
import TestSupport
import Testing

/// Panels, a gateway and an app, and all that crosses on the way between them.
private final class Crossing {
  private enum Parcel {
    case command(String, JSON, from: Int)
    case frame(JSON, to: Int)
    case drained(Int)
    case request(GatewayRequest)
    case answer(ResetAnswer)
    case event(ObserverEvent)
  }

  private enum Lane: Hashable {
    case fromPanel(Int)
    case toPanel(Int)
    /// From the app: its records, and its news of requests.
    case stream
  }

  private let bench = Bench()
  private var mail = Mail<Parcel, Lane>()
  private var generator: SeededGenerator
  private var panels: [Panel] = []
  private var requestCount: UInt64 = 0
  /// The longest pause between two steps, in milliseconds: a short one is too fast for panels.
  private let pauseMax: Int
  /// A heartbeat that takes very long.
  private var straggler: ObserverEvent
  private(set) var books: [Books] = []
  private(set) var app = DistantApp()
  /// For who reads of a failure.
  private(set) var story: [String] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    pauseMax = Bool.random(using: &generator) ? 30 : 600
    straggler = app.heartbeat()
    bench.appear(app.session)
    for _ in 0..<2 { connect() }
  }

  // MARK: What happens

  func step() {
    switch Int.random(in: 0..<16, using: &generator) {
    case 0..<3:
      story.append("act")
      tell(app.act())
    case 3: beat()
    case 4 where panels.count < 4: connect()
    case 5: pressStart()
    case 6: slowDown()
    case 7: moveByAnother()
    case 8 where Int.random(in: 0..<4, using: &generator) == 0: vanish()
    default: press()
    }
    advance(by: .milliseconds(Int.random(in: 0..<pauseMax, using: &generator)))
  }

  private func connect() {
    story.append("panel \(panels.count) connects")
    panels.append(bench.panel())
    books.append(Books())
    send("respond", ["type": "START"], from: panels.count - 1)
  }

  private func pressStart() {
    send(
      "sc-surf-11", ["type": "START"], from: panels.indices.randomElement(using: &generator) ?? 0)
  }

  /// The slider sends many before the first is answered.
  private func press() {
    guard let who = panels.indices.randomElement(using: &generator) else { return }
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard let index = books[who].ids.indices.randomElement(using: &generator) else { continue }
      let id = books[who].ids[index]
      books[who].index = index
      story.append("panel \(who) jumps to \(id)")
      let action: JSON = ["type": "JUMP_TO_ACTION", "actionId": .number(id.rawValue)]
      send("sc-surf-11", ["type": "DISPATCH", "action": action], from: who)
    }
  }

  private func moveByAnother() {
    let row = app.rows.randomElement(using: &generator)
    let target: Position =
      Bool.random(using: &generator) ? .elsewhere : row.map { .record($0) } ?? .initial
    story.append("another viewer: \(target)")
    tell(app.decide(on: nextRequest(), to: target))
  }

  private func slowDown() {
    guard let who = panels.indices.randomElement(using: &generator) else { return }
    story.append("panel \(who) is slow")
    bench.machine.receive(
      .progress(panels[who].stream, unsent: GatewayLimits.behindSize), at: bench.now)
    mail.send(.drained(who), on: nil, due: arrival())
  }

  /// The network is cut for a while.
  private func vanish() {
    story.append("the app falls silent")
    deliver(.event(.gone(app.session, saidGoodbye: false)))
  }

  // MARK: The app

  private func nextRequest() -> UInt64 {
    requestCount += 1
    return requestCount
  }

  /// Some notices get lost; a record that does is repaired.
  private func tell(_ event: ObserverEvent) {
    if case .restored = event, Int.random(in: 0..<4, using: &generator) == 0 { return }
    mail.send(.event(event), on: .stream, due: arrival())
    if Bool.random(using: &generator) { beat() }
  }

  /// Heartbeats overtake one another, get lost, and come twice.
  private func beat() {
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let lag = UInt64.random(in: 0...1, using: &generator)
      mail.send(.event(app.heartbeat(lag: lag)), on: nil, due: arrival())
    }
  }

  private func obey(_ request: GatewayRequest) {
    guard case .reset(_, let target, _) = request else { return }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: answer(.timedOut, at: bench.now + .seconds(5))
    case 1: answer(.answered(.busy, app.position), at: arrival())
    case 2:
      let result = Outcome.Result.rejected(reason: "no")
      tell(app.decide(on: nextRequest(), to: target, result))
      answer(.answered(result, app.position), at: arrival())
    case 3:
      tell(app.decide(on: nextRequest(), to: target))
      answer(.timedOut, at: bench.now + .seconds(5))
    default:
      tell(app.decide(on: nextRequest(), to: target))
      answer(.answered(.applied, app.position), at: arrival())
    }
  }

  private func answer(_ answer: ResetAnswer, at due: Duration) {
    mail.send(.answer(answer), on: nil, due: due)
  }

  // MARK: The way between them

  private func arrival() -> Duration {
    let isLate = Int.random(in: 0..<6, using: &generator) == 0
    return bench.now + .milliseconds(Int.random(in: 0..<(isLate ? 3_000 : 200), using: &generator))
  }

  private func send(_ channel: String, _ frame: JSON, from who: Int) {
    mail.send(.command(channel, frame, from: who), on: .fromPanel(who), due: arrival())
  }

  private func advance(by duration: Duration) {
    let end = bench.now + duration
    collect()
    while let due = mail.due, due <= end {
      bench.advance(by: max(.zero, due - bench.now))
      if let parcel = mail.receive() { deliver(parcel) }
      collect()
    }
    bench.advance(by: end - bench.now)
    collect()
  }

  private func deliver(_ parcel: Parcel) {
    switch parcel {
    case .command(let channel, let frame, let who): panels[who].transmit(channel, frame)
    case .frame(let frame, let who): read(frame, who)
    case .drained(let who): bench.drain(panels[who].stream)
    case .request(let request): obey(request)
    case .answer(let answer): bench.machine.receive(.answer(app.session, answer), at: bench.now)
    case .event(let event): bench.observe(event)
    }
  }

  private func read(_ frame: JSON, _ who: Int) {
    do { try books[who].apply([frame]) } catch { Issue.record(error) }
    if frame["type"] == "START" { send("sc-surf-11", ["type": "START"], from: who) }
  }

  /// Puts on its way what the gateway has said.
  private func collect() {
    for request in bench.takeRequests() { mail.send(.request(request), on: nil, due: arrival()) }
    for (who, panel) in panels.enumerated() {
      for frame in panel.takeFrames() {
        mail.send(.frame(frame, to: who), on: .toPanel(who), due: arrival())
      }
    }
  }

  /// Nobody does anything, but the app's heart beats: all that is under way arrives.
  func rest() {
    for _ in 0..<20 {
      mail.send(.event(app.heartbeat()), on: .stream, due: bench.now)
      advance(by: .seconds(1))
    }
    deliver(.event(straggler))
    straggler = app.heartbeat()
    advance(by: .seconds(5))
    story.append("rest")
  }
}

@Suite struct CrossingTests {
  static let seedCount: UInt64 =
    ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 5_000 : 40

  @Test func `when all is quiet every pointer is where the app is, whatever crossed before`() {
    for seed in 0..<Self.seedCount {
      let crossing = Crossing(seed: seed)
      for _ in 0..<4 {
        for _ in 0..<12 { crossing.step() }
        crossing.rest()
        for books in crossing.books {
          let isRight = books.ids == crossing.app.ids && books.index == crossing.app.index
          guard isRight else {
            Issue.record("seed \(seed): \(books), and not \(crossing.app): \(crossing.story)")
            return
          }
        }
      }
    }
  }
}
