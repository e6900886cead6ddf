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
    #expect(!rig.library.requests.contains(Self.asking))
    rig.wait(.seconds(100))
    #expect(rig.takeEvents() == [])
  }

  @Test func aDaemonThatRefusesTheQuestionLeavesTheName() {
    rig.answer(Self.asking, .failed(.unknown))
    #expect(takeLocated()?.host == "desk.local")
  }

  private func resolve(_ record: String, port: UInt16 = 8000, at host: String = "desk.local.") {
    rig.answer(
      .resolve(Self.service),
      .resolved(
        hostTarget: host, port: port, record: [UInt8(record.utf8.count)] + Array(record.utf8)))
  }

  @Test func `A record that changes is told again, with the same address`() throws {
    rig.answer(Self.asking, .record([10, 0, 0, 1]))
    _ = rig.takeEvents()
    resolve("a=c")
    var located = try #require(takeLocated())
    #expect(located.record.texts == ["a": "c"] && located.host == "10.0.0.1")
    resolve("a=c", port: 8001)
    located = try #require(takeLocated())
    #expect(located.port == 8001)
    resolve("a=c", port: 8001)
    #expect(rig.takeEvents() == [])
    #expect(!rig.library.requests.contains(Self.asking))
  }

  @Test func `One that changes before its address is known is told once`() throws {
    resolve("a=c")
    #expect(rig.takeEvents() == [])
    rig.answer(Self.asking, .record([10, 0, 0, 1]))
    #expect(try #require(takeLocated()).record.texts == ["a": "c"])
  }

  @Test func `One that moves to another machine is asked for its address again`() throws {
    resolve("a=b", at: "shelf.local.")
    let elsewhere = ServiceRequest.address(Self.service, hostTarget: "shelf.local.")
    #expect(rig.library.requests.contains(elsewhere))
    #expect(!rig.library.requests.contains(Self.asking))
    rig.answer(elsewhere, .record([10, 0, 0, 2]))
    #expect(try #require(takeLocated()).host == "10.0.0.2")
  }

  @Test func `A watch that fails ends, and what was told stays`() {
    rig.answer(Self.asking, .record([10, 0, 0, 1]))
    _ = rig.takeEvents()
    rig.answer(.resolve(Self.service), .failed(.unknown))
    rig.wait(.seconds(100))
    #expect(rig.takeEvents() == [])
    #expect(rig.library.requests.count == 1)
  }

  @Test func `A bounded number is watched`() {
    for number in 1...40 {
      let service = Service(
        name: "relay \(number)", type: "_reduxdevtools._tcp.", domain: "local.", interface: 1)
      rig.answer(.browse(interface: 0, type: "_reduxdevtools._tcp"), .found(service))
      rig.answer(.resolve(service), .resolved(hostTarget: "a.local.", port: 1, record: [0]))
    }
    #expect(rig.library.resolves.count == 16)
    #expect(rig.library.resolves.contains(Self.service))
  }

  @Test func oneThatGoesIsAskedAboutNoMore() {
    rig.answer(
      .browse(interface: 0, type: "_reduxdevtools._tcp"), .removed(Self.service))
    #expect(rig.library.requests.count == 1)
    #expect(rig.takeEvents() == [.removed(Self.service)])
  }
}
