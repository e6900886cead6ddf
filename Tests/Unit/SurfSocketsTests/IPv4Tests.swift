import SurfSockets
import Testing

@Suite struct IPv4Tests {
  @Test(
    arguments: [
      ("127.0.0.1:80", 0x7F00_0001, 80),
      ("239.255.83.83:65535", 0xEFFF_5353, 65_535),
      ("0.0.0.0:0", 0, 0),
    ] as [(String, UInt32, UInt16)])
  func readsWhatItWrites(_ text: String, _ address: UInt32, _ port: UInt16) {
    let endpoint = IPv4Endpoint(parsing: text)
    #expect(endpoint == IPv4Endpoint(address: address, port: port))
    #expect(endpoint?.description == text)
  }

  @Test(arguments: [
    "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
    "127.0.0:80", "127.0.0.1.1:80", "256.0.0.1:80", "127..0.1:80", "127.0.0.01:80", "a.b.c.d:80",
    "127.0.0.1:80:80", " 127.0.0.1:80", "127.0.0.1:٨", "localhost:80",
  ])
  func refusesAnythingElse(_ text: String) {
    #expect(IPv4Endpoint(parsing: text) == nil)
  }

  @Test func tellsGroupsFromHosts() {
    #expect(IPv4.isMulticast(0xE000_0000))
    #expect(IPv4.isMulticast(0xEFFF_FFFF))
    #expect(!IPv4.isMulticast(0xDFFF_FFFF))
    #expect(!IPv4.isMulticast(0xF000_0000))
  }
}
