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

  @Test func listsEachInterfaceOnce() throws {
    let interfaces = try NetworkInterface.all()
    #expect(Set(interfaces.map(\.index)).count == interfaces.count)
    #expect(interfaces.contains { $0.name == "lo" })
  }

  @Test func anUnknownNameListsTheExistingOnes() throws {
    let names = try NetworkInterface.all().map(\.name)
    #expect(throws: SocketError.noSuchInterface("nosuch0", existing: names)) {
      try NetworkInterface.named("nosuch0")
    }
    let error = SocketError.noSuchInterface("nosuch0", existing: ["lo", "eth0"])
    #expect(error.description == "no IPv4 interface is named 'nosuch0'; there are: lo, eth0")
  }

  @Test func errorsSayWhatFailedAndWhy() {
    let endpoint = IPv4Endpoint(address: IPv4.loopback, port: 80)
    let error = SocketError.system(.bind(endpoint), errno: 13)
    #expect(error.description == "cannot bind to 127.0.0.1:80: Permission denied (errno 13)")
  }
}
