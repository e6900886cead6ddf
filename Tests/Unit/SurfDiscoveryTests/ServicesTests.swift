import SurfDiscovery
import Testing

/// What browses find, and how it is resolved.
struct ServicesTests {
  static let browsing = ServiceRequest.browse(interface: 0)

  func record() throws -> [UInt8] { try InstanceAdvertisement.sample.record().encoded }

  func browsingRig() -> Rig {
    let rig = Rig(.browse(interface: 0))
    _ = rig.takeEvents()
    return rig
  }

  @Test func aFoundServiceIsResolvedAndItsOperationClosed() throws {
    let rig = browsingRig()
    rig.answer(Self.browsing, .found(.sample()))
    #expect(rig.library.resolves == [.sample()])
    rig.answer(
      .resolve(.sample()),
      .resolved(hostTarget: "desk.local.", port: 7070, record: try record()))
    let answer = ResolvedService(
      service: .sample(), hostTarget: "desk.local.", port: 7070, instance: .sample)
    #expect(rig.takeEvents() == [.found(.sample()), .resolved(answer)])
    #expect(rig.library.requests == [Self.browsing])
    #expect(rig.driver.deadline == nil)
  }

  @Test func aServiceSeenTwiceIsThereUntilTheSecondRemoval() {
    let rig = browsingRig()
    rig.answer(Self.browsing, .found(.sample()), .found(.sample()), .removed(.sample()))
    #expect(rig.takeEvents() == [.found(.sample())])
    rig.answer(Self.browsing, .removed(.sample()), .removed(.sample()))
    #expect(rig.takeEvents() == [.removed(.sample())])
  }

  @Test func aRemovedServiceIsNotResolvedAnyLonger() {
    let rig = browsingRig()
    rig.answer(Self.browsing, .found(.sample()))
    rig.answer(Self.browsing, .removed(.sample()))
    #expect(rig.library.requests == [Self.browsing])
  }

  @Test func whatABrowseFoundGoesWithIt() {
    let rig = browsingRig()
    rig.answer(Self.browsing, .found(.sample("a")), .found(.sample("b")), .found(.sample("b")))
    _ = rig.takeEvents()
    rig.killDaemon()
    #expect(Array(rig.takeEvents().prefix(2)) == [.removed(.sample("a")), .removed(.sample("b"))])
    #expect(rig.library.open.isEmpty)
  }

  @Test func whatAnotherBrowseSeesStays() {
    let rig = Rig(.browse(interface: 0), .browse(interface: 2))
    rig.answer(Self.browsing, .found(.sample()))
    rig.answer(.browse(interface: 2), .found(.sample()))
    rig.pursue([.browse(interface: 2)])
    #expect(rig.takeEvents() == [.daemon(.running), .found(.sample())])
    rig.pursue([])
    #expect(rig.takeEvents() == [.removed(.sample())])
  }

  @Test func aResolveWithoutAnswerEndsAfterFiveSecondsAndIsTriedAgain() {
    let rig = browsingRig()
    rig.answer(Self.browsing, .found(.sample()))
    rig.wait(.milliseconds(4999))
    #expect(rig.library.resolves.count == 1)
    rig.wait(.milliseconds(1))
    #expect(rig.library.resolves.isEmpty)
    #expect(rig.driver.descriptors.count == 1)
    rig.wait(.seconds(1))
    #expect(rig.library.resolves.count == 1)
  }

  @Test func aFailedResolveIsTriedAgainAndHarmsNothingElse() {
    let rig = browsingRig()
    rig.answer(Self.browsing, .found(.sample()))
    rig.answer(.resolve(.sample()), .failed(.unknown))
    #expect(rig.library.requests == [Self.browsing])
    #expect(rig.takeEvents() == [.found(.sample())])
    rig.wait(.seconds(1))
    #expect(rig.library.resolves.count == 1)
  }

  @Test func aBoundedNumberResolvesAtOnceAndTheRestFollow() throws {
    let rig = browsingRig()
    let services = (0..<100).map { Service.sample("service \($0)") }
    for service in services { rig.answer(Self.browsing, .found(service)) }
    #expect(rig.library.resolves.count == 64)
    var mostAtOnce = 0
    while let service = rig.library.resolves.first {
      mostAtOnce = max(mostAtOnce, rig.library.resolves.count)
      rig.answer(
        .resolve(service), .resolved(hostTarget: "a.local.", port: 1, record: try record()))
    }
    #expect(mostAtOnce == 64)
    let resolved = rig.takeEvents().filter { if case .resolved = $0 { true } else { false } }
    #expect(resolved.count == 100)
  }

  @Test func servicesAreBounded() {
    let rig = browsingRig()
    for number in 0..<1030 { rig.answer(Self.browsing, .found(.sample("service \(number)"))) }
    #expect(rig.takeEvents().count == 1024)
  }

  @Test func aRecordOfSomethingElseIsTold() {
    let rig = browsingRig()
    rig.answer(Self.browsing, .found(.sample()))
    rig.answer(.resolve(.sample()), .resolved(hostTarget: "a.local.", port: 1, record: [0]))
    #expect(rig.takeEvents().last == .malformed(.sample(), .missing(key: "v")))
  }

  @Test func aDescriptorTakenAgainIsNotReadForItsFormerOwner() throws {
    let rig = browsingRig()
    for name in ["a", "b"] { rig.answer(Self.browsing, .found(.sample(name))) }
    let descriptors = ["a", "b"].compactMap { name in
      rig.library.answer(.resolve(.sample(name)), [.failed(.unknown)])
    }
    let browse = try #require(rig.library.answer(Self.browsing, [.removed(.sample("a"))]))
    rig.driver.process(readable: [browse] + descriptors, at: rig.now)
    #expect(rig.library.requests == [Self.browsing])
  }
}
