import SurfSockets
import SurfTerminal
import SurfThreads
import TestSupport
import Testing

extension RealSockets {
  @Suite struct MissedDatagramTests {
    @Test func `multicast for a port on which nobody listens is missed`() throws {
      let loopback = try NetworkInterface.named("lo")
      let member = try UDPSocket.groupMember(group: testGroup, port: 0, on: loopback)
      let probes = member.localEndpoint
      let missed = MissedDatagrams(probes: probes, on: loopback)
      let before = try #require(missed.counts).toOtherPorts
      let deaf = IPv4Endpoint(address: testGroup, port: probes.port ^ 1)
      #expect(try UDPSocket.sender(on: loopback).send([[1]], to: deaf) == .sent(1))
      let end = monotonicNow() + patience
      while missed.counts?.toOtherPorts == before, monotonicNow() < end {}
      #expect(try #require(missed.counts).toOtherPorts > before)
    }
  }
}

@Suite struct KernelCountTests {
  private func counts(_ ignored: Int, _ broadcasts: Int, _ strayed: Int) -> KernelCounts {
    KernelCounts(
      parsing: """
        Udp: InDatagrams NoPorts IgnoredMulti
        Udp: 7 8 \(ignored)
        UdpLite: InDatagrams IgnoredMulti
        UdpLite: 99 99
        TcpExt: SyncookiesSent IPReversePathFilter
        TcpExt: 1 \(strayed)
        IpExt: InNoRoutes InBcastPkts
        IpExt: 3 \(broadcasts)

        """)
  }

  @Test(arguments: [
    (10, 4, 2, 5, 2), (10, 9, 0, 0, 0), (5, 4, 1, 0, 1), (5, 4, 0, 0, 0),
  ])
  func `what nobody got is what the kernel ignored, without broadcasts`(
    ignored: Int, broadcasts: Int, strayed: Int, otherPorts: Int, elsewhere: Int
  ) {
    let missed = counts(ignored, broadcasts, strayed).missed(since: counts(5, 4, 0))
    #expect(missed == .init(toOtherPorts: otherPorts, fromElsewhere: elsewhere))
  }

  @Test(arguments: ["", "Udp: IgnoredMulti\nUdp: x\n", "Udp:", "a\na\n\n", "Udp: 1\nIp: 2"])
  func `a kernel that does not tell is no fault`(text: String) {
    #expect(KernelCounts(parsing: text).missed(since: counts(5, 4, 0)) == nil)
  }
}
