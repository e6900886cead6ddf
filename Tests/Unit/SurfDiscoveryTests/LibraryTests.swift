import SurfDiscovery
import Testing

/// The library is looked for when it is wanted, and may not be there.
@Suite struct LibraryTests {
  @Test(arguments: [
    ("libdns_sd.so.none", "a file that is not there"), ("libm.so.6", "a library of others"),
    ("/dev/null", "no library at all"), ("", "the program itself"),
  ])
  func withoutItDiscoveryIsUnavailableAndGoesOnTrying(fileName: String, what: String) {
    var events: [DiscoveryEvent] = []
    let library = SystemDNSService(libraryName: fileName)
    let driver = DiscoveryDriver(backend: library) { events.append($0) }
    driver.pursue([.browse(interface: 0)], at: .zero)
    #expect(events.contains(.daemon(.unavailable(.noLibrary))), "\(what)")
    #expect(driver.descriptors == [])
    #expect(driver.deadline == .seconds(1))
    driver.advance(to: .seconds(1))
    #expect(events.count { if case .failed = $0 { true } else { false } } == 2)
    driver.pursue([], at: .seconds(2))
    #expect(driver.deadline == nil)
  }
}
