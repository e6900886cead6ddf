import SurfStreams
import Testing

@Suite struct TCPAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:80", true), ("127.9.9.9", "127.9.9.9:80", true),
    ("10.0.0.1", "10.0.0.1:80", false), ("0.0.0.0", "0.0.0.0:80", false),
    ("::1", "[::1]:80", true), ("[::1]", "[::1]:80", true), ("::", "[::]:80", false),
    ("0:0:0:0:0:0:0:1", "[::1]:80", true), ("2001:DB8::00:5", "[2001:db8::5]:80", false),
    ("::ffff:127.0.0.1", "[::ffff:127.0.0.1]:80", true),
    ("::ffff:10.0.0.1", "[::ffff:10.0.0.1]:80", false), ("::2", "[::2]:80", false),
    ("1::1", "[1::1]:80", false),
  ])
  func readsAnAddress(_ text: String, _ description: String, _ isLoopback: Bool) throws {
    let address = try #require(TCPAddress(parsing: text, port: 80))
    #expect(address.description == description)
    #expect(address.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", "[", "]", "[]", "localhost", "127.1", "1.2.3.4.5", "[127.0.0.1]", "::1]", "[::1", "[[::1]]",
    ":::", "1:2:3:4:5:6:7:8:9", "::1\0", "::1%lo", " ::1", "12345::", "010.0.0.1",
    "::1" + String(repeating: " ", count: 100),
  ])
  func refusesWhatIsNoAddress(_ text: String) {
    #expect(TCPAddress(parsing: text, port: 80) == nil)
  }

  @Test func showsTheScopeOfALinkLocalAddress() {
    let address = IPv6Address(high: 0xFE80_0000_0000_0000, low: 1, scope: 2)
    #expect(TCPAddress(.v6(address), port: 1).description == "[fe80::1%2]:1")
  }

  /// The kernel reads and writes the same bytes.
  @Test(arguments: loopbacks)
  func theKernelUnderstandsIt(_ address: TCPAddress) throws {
    let listener = try TCPListener(on: address)
    #expect(listener.address == TCPAddress(address.host, port: listener.address.port))
    let client = try Client(listener.address)
    guard case .accepted(let stream) = listener.accept() else { throw Gone() }
    #expect(try stream.peer == client.stream.localAddress())
    #expect(try stream.localAddress() == client.stream.peer)
    guard case .nobody = listener.accept() else { throw Gone() }
  }

  @Test(arguments: [
    ("127.0.0.1:8000", "127.0.0.1:8000"), ("127.0.0.1:0", "127.0.0.1:0"),
    ("127.0.0.1", "127.0.0.1:7"), ("[::1]:9000", "[::1]:9000"), ("[::1]", "[::1]:7"),
    ("::1", nil), ("::1:9000", nil), ("localhost:8000", nil), ("127.0.0.1:+1", nil),
    ("127.0.0.1:", nil), ("127.0.0.1:65536", nil), (":8000", nil), ("", nil), ("[::1:8000", nil),
    ("]:8000", nil), ("127.0.0.1:８", nil),
  ])
  func anEndpointHasAPortOrNone(text: String, expected: String?) {
    #expect(TCPAddress(endpoint: text, defaultPort: 7)?.description == expected)
  }
}
