import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Protocol.md §11.9 again, in the plainest words: who has the wheel, and until when.
private struct WheelModel {
  var driver: WheelDriver?
  var end = Duration.zero

  mutating func lapse(at now: Duration) -> [Wheel.Change] {
    guard let former = driver, now >= end else { return [] }
    driver = nil
    return [.lapsed(former)]
  }

  mutating func ask(
    _ request: Wheel.Request, _ viewer: WheelDriver, at now: Duration
  ) -> Wheel.Verdict {
    var verdict = Wheel.Verdict(obstacle: nil, changes: lapse(at: now))
    let isOwn = driver?.viewer == viewer.viewer
    if request == .giveBack {
      if isOwn, let driver {
        verdict.changes.append(.givenBack(by: driver))
        self.driver = nil
      }
      return verdict
    }
    if let driver, !isOwn, request != .take(over: true) {
      verdict.obstacle = driver
      return verdict
    }
    if request != .move {
      if !isOwn { verdict.changes.append(.taken(by: viewer, from: driver)) }
      driver = viewer
    }
    if driver != nil { end = now + .seconds(30) }
    return verdict
  }
}

@Suite struct WheelTests {
  private static let ada = WheelDriver(viewer: ViewerID(rawValue: 1), name: "ada")
  private static let bob = WheelDriver(viewer: ViewerID(rawValue: .max), name: "bob")
  private static let nobody = WheelDriver(viewer: ViewerID(rawValue: 0), name: "")
  /// The same person at another viewer.
  private static let twin = WheelDriver(viewer: ViewerID(rawValue: 2), name: "ada")

  /// The steps between two requests: mostly at an edge of the 30 s.
  private static let steps: [Duration] = [
    .zero, .nanoseconds(1), .seconds(1), .seconds(10), .seconds(30) - .nanoseconds(1),
    .seconds(30), .seconds(30) + .nanoseconds(1), .seconds(3_600 * 24 * 365 * 100),
  ]

  @Test(arguments: 0..<200)
  func `what viewers take, renew, leave, seize and move is as the model says`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var (wheel, model) = (Wheel(), WheelModel())
    // The clock of an app that has run for as long as its uptime can say.
    var now = seed.isMultiple(of: 2) ? Duration.zero : .nanoseconds(Int64.max)
    for _ in 0..<200 {
      now += Self.steps.randomElement(using: &random)!
      let viewer = [Self.ada, Self.bob, Self.nobody, Self.twin].randomElement(using: &random)!
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        // The app runs again.
        (wheel, model) = (Wheel(), WheelModel())
      case 1..<5:
        let change = model.lapse(at: now)
        #expect(wheel.advance(to: now).map { [$0] } ?? [] == change)
      case let number:
        let request: Wheel.Request =
          switch number % 5 {
          case 0: .take(over: false)
          case 1: .take(over: true)
          case 2: .giveBack
          default: .move
          }
        let wanted = model.ask(request, viewer, at: now)
        #expect(wheel.receive(request, from: viewer, at: now) == wanted)
      }
      #expect(wheel.driver == model.driver)
      #expect(wheel.deadline == (model.driver == nil ? nil : model.end))
    }
  }

  @Test func `a lease ends 30 seconds after the driver's last request, to the nanosecond`() {
    var wheel = Wheel()
    let taken = wheel.receive(.take(over: false), from: Self.ada, at: .seconds(1))
    #expect(taken.changes == [.taken(by: Self.ada, from: nil)])
    #expect(wheel.receive(.move, from: Self.ada, at: .seconds(21)) == .init())
    let last = Duration.seconds(51) - .nanoseconds(1)
    #expect(wheel.receive(.move, from: Self.bob, at: last).obstacle == Self.ada)
    #expect(
      wheel.receive(.move, from: Self.bob, at: .seconds(51))
        == .init(changes: [.lapsed(Self.ada)]))
  }

  @Test func `nobody is kept from anything while nobody drives`() {
    var wheel = Wheel()
    #expect(wheel.receive(.move, from: Self.ada, at: .zero) == .init())
    #expect(wheel.receive(.giveBack, from: Self.bob, at: .zero) == .init())
    #expect(wheel == Wheel())
  }
}
