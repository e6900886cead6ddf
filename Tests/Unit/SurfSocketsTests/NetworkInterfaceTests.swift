import SurfSockets
import Testing

@Suite struct NetworkInterfaceTests {
  @Test func findsLoopback() throws {
    let loopback = try NetworkInterface.named("lo")
    #expect(loopback.address == IPv4.loopback)
    #expect(loopback.netmask == 0xFF00_0000)
    #expect(loopback.isUp)
    #expect(loopback.isLoopback)
    #expect(loopback.datagramSizeMax == loopback.mtu - 28)
  }

  @Test func anUnknownNameListsEachExistingOneOnce() throws {
    let thrown = #expect(throws: SocketError.self) { try NetworkInterface.named("nosuch0") }
    guard case .noSuchInterface("nosuch0", let names) = thrown else {
      Issue.record("another error: \(String(describing: thrown))")
      return
    }
    #expect(Set(names).count == names.count && names.contains("lo"))
    let error = SocketError.noSuchInterface("nosuch0", existing: ["lo", "eth0"])
    #expect(error.description == "no IPv4 interface is named 'nosuch0'; there are: lo, eth0")
  }

  @Test func errorsSayWhatFailedAndWhy() {
    let endpoint = IPv4Endpoint(address: IPv4.loopback, port: 80)
    let error = SocketError.system(.bind(endpoint), errno: 13)
    #expect(error.description == "cannot bind to 127.0.0.1:80: Permission denied (errno 13)")
  }
}
