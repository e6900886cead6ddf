import SurfSockets
import Testing

@Suite struct IPv4Tests {
  @Test(
    arguments: [
      ("127.0.0.1", 0x7F00_0001), ("239.255.83.83", 0xEFFF_5353), ("0.0.0.0", 0),
      ("255.255.255.255", .max),
    ] as [(String, UInt32)])
  func readsWhatItWrites(_ text: String, _ address: UInt32) {
    #expect(IPv4.parse(text) == address)
    #expect(IPv4.text(address) == text)
  }

  @Test(arguments: [
    "", ".", "127.0.0.1:80", "127.0.0.-1", "127.0.0.+1", "127.0.0", "127.0.0.1.1", "256.0.0.1",
    "127..0.1", "127.0.0.01", "127.0.0.00", "a.b.c.d", " 127.0.0.1", "127.0.0.٨", "localhost",
  ])
  func refusesAnythingElse(_ text: String) {
    #expect(IPv4.parse(text) == nil)
  }

  @Test func tellsGroupsFromHosts() {
    #expect(IPv4.isMulticast(0xE000_0000))
    #expect(IPv4.isMulticast(0xEFFF_FFFF))
    #expect(!IPv4.isMulticast(0xDFFF_FFFF))
    #expect(!IPv4.isMulticast(0xF000_0000))
  }
}
