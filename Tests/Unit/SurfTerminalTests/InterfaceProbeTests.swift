import SurfSockets
import SurfTerminal
import TestSupport
import Testing

extension RealSockets {
  @Suite struct InterfaceProbeTests {
    @Test func findsLoopbackInOrder() throws {
      let loopback = try NetworkInterface.named("lo")
      let probe = try InterfaceProbe(
        of: loopback, group: testGroup, port: 0, timeout: patience)
      guard case .heard = probe.loopBack else {
        Issue.record("not heard: \(probe.loopBack)")
        return
      }
      #expect(probe.membership == .listed)
      #expect(probe.receiveBufferSize > 0)
      #expect(probe.segmentation != .unknown)
      if probe.segmentation == .usable, probe.coalescing != .missing {
        #expect(probe.coalescing == .seen)
      }
    }

    @Test func saysWhyNothingCouldBeSent() throws {
      var elsewhere = try NetworkInterface.named("lo")
      elsewhere.index = 9_999
      #expect {
        try InterfaceProbe(of: elsewhere, group: testGroup, port: 0, timeout: .seconds(1))
      } throws: { error in
        (error as? SocketError)?.errno != nil && "\(error)".hasPrefix("cannot set IP_MULTICAST_IF")
      }
    }

    @Test func aMembershipEndsWithItsSocket() throws {
      let loopback = try NetworkInterface.named("lo")
      let group: UInt32 = 0xEFFF_5355
      let membership = GroupMembership(interfaceIndex: loopback.index, group: group)
      var member: UDPSocket? = try .groupMember(group: group, port: 0, on: loopback)
      #expect(try member != nil && GroupMembership.all().contains(membership))
      member = nil
      #expect(try !GroupMembership.all().contains(membership))
    }
  }
}

@Suite struct GroupMembershipTests {
  @Test func readsTheKernelsList() {
    let text = """
      Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter
      1\tlo        :     2      V3
      \t\t\t\t5353FFEF     1 0:00000000\t\t0
      \t\t\t\t010000E0     1 0:00000000\t\t0
      12\teth0      :     1      V2
      \t\t\t\t010000E0     1 0:00000000\t\t0

      """
    #expect(
      GroupMembership.parse(text) == [
        GroupMembership(interfaceIndex: 1, group: 0xEFFF_5353),
        GroupMembership(interfaceIndex: 1, group: 0xE000_0001),
        GroupMembership(interfaceIndex: 12, group: 0xE000_0001),
      ])
  }

  @Test(arguments: ["", "\n\n", "\t\t5353FFEF 1", "1\tlo\n\t\tnonsense", "x\n\t\t010000E0"])
  func passesOverWhatItCannotRead(_ text: String) {
    #expect(GroupMembership.parse(text) == [])
  }
}
