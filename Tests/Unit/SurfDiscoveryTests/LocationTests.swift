import SurfDiscovery
import Testing

/// Services of other types: relays of Redux DevTools.
struct LocationTests {
  private static let service = Service(
    name: "relay", type: "_reduxdevtools._tcp.", domain: "local.", interface: 1)
  private static let asking = ServiceRequest.address(service, hostTarget: "desk.local.")
  private let rig: Rig

  /// The relay is resolved, and its machine's address asked for.
  init() {
    rig = Rig(.browse(interface: 0, type: "_reduxdevtools._tcp"))
    rig.answer(.browse(interface: 0, type: "_reduxdevtools._tcp"), .found(Self.service))
    _ = rig.takeEvents()
    rig.answer(
      .resolve(Self.service),
      .resolved(hostTarget: "desk.local.", port: 8000, record: [3] + Array("a=b".utf8)))
  }

  private func takeLocated() -> LocatedService? {
    guard case .located(let located)? = rig.takeEvents().last else { return nil }
    return located
  }

  @Test func itIsToldWithTheAddressOfItsMachine() throws {
    #expect(rig.takeEvents() == [])
    rig.answer(Self.asking, .record([10, 0, 0, 255]))
    let located = try #require(takeLocated())
    #expect(located.host == "10.0.0.255" && located.port == 8000)
    #expect(located.record.texts == ["a": "b"])
    #expect(!rig.library.requests.contains(Self.asking))
  }

  @Test func whatIsNoAddressIsPassedOver() {
    rig.answer(
      Self.asking, .record([]), .record([1, 2, 3]), .record([UInt8](repeating: 1, count: 16)))
    #expect(takeLocated() == nil)
    rig.answer(Self.asking, .record([10, 0, 0, 1]), .record([10, 0, 0, 2]))
    #expect(takeLocated()?.host == "10.0.0.1")
  }

  @Test func withoutAnAddressItIsToldByNameAfterTwoSeconds() {
    rig.wait(.milliseconds(1999))
    #expect(takeLocated() == nil)
    rig.wait(.milliseconds(1))
    #expect(takeLocated()?.host == "desk.local")
    #expect(rig.driver.counters.addressesMissing == 1)
    #expect(rig.driver.counters.resolvesTimedOut == 0)
  }

  /// The daemon halted for a moment: by its name the machine may be out of reach.
  @Test func anAddressThatComesLateIsToldToo() {
    rig.wait(.seconds(11))
    #expect(takeLocated()?.host == "desk.local")
    rig.answer(Self.asking, .record([10, 0, 0, 1]))
    #expect(takeLocated()?.host == "10.0.0.1")
    #expect(!rig.library.requests.contains(Self.asking))
  }

  @Test(arguments: [true, false]) func oneThatNeverComesIsGivenUpInSilence(isRefused: Bool) {
    rig.wait(.seconds(2))
    #expect(takeLocated()?.host == "desk.local")
    if isRefused { rig.answer(Self.asking, .failed(.unknown)) } else { rig.wait(.seconds(10)) }
    #expect(rig.takeEvents() == [])
    #expect(rig.driver.counters.addressesMissing == 1)
    #expect(!rig.library.requests.contains(Self.asking))
    rig.wait(.seconds(100))
    #expect(rig.takeEvents() == [])
  }

  @Test func aDaemonThatRefusesTheQuestionLeavesTheName() {
    rig.answer(Self.asking, .failed(.unknown))
    #expect(takeLocated()?.host == "desk.local")
  }

  @Test func oneThatGoesIsAskedAboutNoMore() {
    rig.answer(
      .browse(interface: 0, type: "_reduxdevtools._tcp"), .removed(Self.service))
    #expect(rig.library.requests.count == 1)
    #expect(rig.takeEvents() == [.removed(Self.service)])
  }
}
