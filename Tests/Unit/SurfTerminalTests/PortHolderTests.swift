import Glibc
import SurfSockets
import SurfTerminal
import Testing

@Suite struct PortHolderTests {
  private static let group: UInt32 = 0xEFFF_5353
  private static let head =
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"

  private func line(_ local: String, _ inode: Int) -> String {
    " 1234: \(local) 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 \(inode) 2 0 0"
  }

  @Test func whatStandsInTheWayIsRead() {
    let text = [
      Self.head, line("00000000:20BF", 1), line("5353FFEF:20BF", 2), line("0100007F:20BF", 3),
      line("00000000:20C0", 4), line("00000000000000000000000000000000:20BF", 5), "", "nonsense",
      line("00000000", 6), line(":", 7), line("00000000:FFFFF", 8),
    ].joined(separator: "\n")
    #expect(PortHolders.inodes(in: text, port: 8383, group: Self.group) == ["1", "2", "5"])
  }

  @Test(arguments: ["", "\n", "head", "head\n 1: 0:0"])
  func whatIsNoListIsEmpty(text: String) {
    #expect(PortHolders.inodes(in: text, port: 0, group: 0) == [])
  }

  @Test func aProcessThatSharesNothingIsNamed() throws {
    let raw = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(raw) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(raw, $0, size) == 0 && getsockname(raw, $0, &size) == 0
      }
    }
    try #require(isBound)
    let port = UInt16(bigEndian: address.sin_port)
    let names = PortHolders.names(of: port, group: Self.group)
    #expect(names.contains { $0.hasSuffix("#\(getpid())") })
    #expect(throws: SocketError.self) {
      try UDPSocket.groupMember(group: Self.group, port: port, on: try .named("lo"))
    }
  }
}
