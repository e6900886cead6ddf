import SurfDiscovery
import Testing

/// Goals through daemons that are absent, die and come back.
struct DaemonTests {
  static let advertise = DiscoveryGoal.advertise(.sample)
  static let browse = DiscoveryGoal.browse(interface: 0)
  static let register = ServiceRequest.register(.sample, name: "Todo")
  static let browsing = ServiceRequest.browse(interface: 0)

  @Test func aDaemonThatAnswersIsRunning() {
    let rig = Rig(Self.advertise, Self.browse)
    rig.answer(Self.register, .registered(name: "Todo"))
    #expect(rig.takeEvents() == [.daemon(.running), .registered(.sample, name: "Todo")])
    #expect(rig.driver.deadline == nil)
    #expect(rig.driver.descriptors == [3, 4])
  }

  @Test func withoutADaemonTheWaitsDoubleUpToThirtySeconds() {
    let rig = Rig()
    rig.library.refusal = { _ in .unknown }
    rig.pursue([Self.browse])
    var waits: [Duration] = []
    for _ in 0..<7 {
      let wait = (rig.driver.deadline ?? rig.now) - rig.now
      waits.append(wait)
      rig.wait(wait)
    }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    #expect(rig.library.tried.count == 8)
  }

  @Test func aLastingAbsenceIsToldOnce() {
    let rig = Rig()
    rig.library.refusal = { _ in .unknown }
    rig.pursue([Self.advertise, Self.browse])
    rig.wait(.seconds(60))
    let states = rig.takeEvents().filter { if case .daemon = $0 { true } else { false } }
    #expect(states == [.daemon(.unavailable(.unknown))])
  }

  @Test func everythingWantedReturnsWithTheDaemon() {
    let rig = Rig(Self.advertise, Self.browse)
    rig.killDaemon()
    #expect(rig.library.open.isEmpty)
    #expect(rig.driver.descriptors.isEmpty)
    #expect(rig.takeEvents().last == .daemon(.unavailable(.unknown)))
    rig.wait(.seconds(10))
    rig.library.refusal = { _ in nil }
    rig.wait(.seconds(30))
    #expect(rig.library.requests == [Self.register, Self.browsing])
    #expect(rig.takeEvents().last == .daemon(.running))
  }

  @Test func aLongLifeForgetsEarlierFailures() {
    let rig = Rig()
    rig.library.refusal = { _ in .unknown }
    rig.pursue([Self.browse])
    rig.wait(.seconds(20))
    rig.library.refusal = { _ in nil }
    rig.wait(.seconds(90))
    rig.killDaemon()
    #expect(rig.driver.deadline == rig.now + .seconds(1))
  }

  @Test func aDaemonThatRefusesLateIsNotAskedEverySecond() {
    let rig = Rig(Self.advertise)
    for _ in 0..<5 {
      rig.answer(Self.register, .failed(.unknown))
      rig.wait((rig.driver.deadline ?? rig.now) - rig.now)
    }
    rig.answer(Self.register, .failed(.unknown))
    #expect(rig.driver.deadline == rig.now + .seconds(30))
  }

  @Test func aRefusedRegistrationLeavesTheBrowseAlone() {
    let rig = Rig(Self.browse)
    rig.library.refusal = { $0 == Self.register ? .unknown : nil }
    rig.pursue([Self.browse, Self.advertise])
    rig.wait(.seconds(60))
    #expect(rig.library.requests == [Self.browsing])
    #expect(rig.library.tried.filter { $0 == Self.browsing }.count == 1)
    let events = rig.takeEvents()
    #expect(events.contains(.failed(Self.advertise, .unknown)))
    #expect(!events.contains(.daemon(.unavailable(.unknown))))
  }

  @Test func anAbandonedGoalIsNotTriedAgain() {
    let rig = Rig(Self.advertise)
    rig.killDaemon()
    rig.pursue([])
    #expect(rig.driver.deadline == nil)
    rig.library.refusal = { _ in nil }
    rig.wait(.seconds(60))
    #expect(rig.library.open.isEmpty)
  }

  @Test func anAbandonedGoalIsClosed() {
    let rig = Rig(Self.advertise, Self.browse)
    rig.pursue([Self.browse])
    #expect(rig.library.requests == [Self.browsing])
  }

  @Test func goalsAreBounded() {
    let rig = Rig()
    rig.pursue((0..<70).map { .browse(interface: $0) })
    #expect(rig.library.open.count == DiscoveryMachine.goalCountMax)
  }

  @Test func aTakenNameIsFollowedByTheNext() {
    let rig = Rig()
    let taken = ["Todo", "Todo #2"].map { ServiceRequest.register(.sample, name: $0) }
    rig.library.refusal = { taken.contains($0) ? .nameConflict : nil }
    rig.pursue([Self.advertise])
    let third = ServiceRequest.register(.sample, name: "Todo #3")
    #expect(rig.library.requests == [third])
    rig.answer(third, .registered(name: "Todo #3"))
    #expect(rig.takeEvents() == [.daemon(.running), .registered(.sample, name: "Todo #3")])
  }

  @Test func aHostFullOfOneNameIsAFailureLikeOthers() {
    let rig = Rig()
    rig.library.refusal = { _ in .nameConflict }
    rig.pursue([Self.advertise])
    #expect(rig.library.tried.count == 101)
    #expect(rig.driver.deadline == rig.now + .seconds(1))
    #expect(rig.takeEvents().first == .failed(Self.advertise, .nameConflict))
  }
}
