import SurfSockets
import SurfThreads

/// The facts that `statesurf doctor` learns about one interface by sending multicast to itself.
package struct InterfaceProbe: Equatable, Sendable {
  /// Whether the tokens that were sent came back to this machine.
  package enum LoopBack: Equatable, Sendable {
    /// All of them came back, after this time.
    case heard(after: Duration)
    /// Some did not come back within this time.
    case silent(for: Duration)
    /// They could not be sent.
    case refused(SocketError)
  }

  /// Whether the kernel splits one buffer into datagrams (UDP_SEGMENT) on this interface.
  package enum Segmentation: String, Sendable {
    case usable = "GSO works"
    /// The kernel refused, and the datagrams were sent by `sendmmsg`.
    case refused = "no GSO (plain calls instead)"
    /// Nothing could be sent.
    case unknown = "GSO untried"
  }

  /// Whether the kernel delivers several datagrams in one buffer (UDP_GRO).
  package enum Coalescing: String, Sendable {
    case seen = "GRO works"
    /// The kernel can, but delivered these datagrams one by one.
    case offered = "GRO offered, not seen"
    /// The kernel does not have this option.
    case missing = "no GRO (plain calls instead)"
  }

  /// Whether the kernel lists the probe's membership in the group.
  package enum Membership: Equatable, Sendable {
    case listed
    case absent
    /// The list cannot be read.
    case unreadable(SocketError)
  }

  package let loopBack: LoopBack
  package let segmentation: Segmentation
  package let coalescing: Coalescing
  package let membership: Membership
  /// The size that the kernel granted to a receiving socket, in bytes as it counts them.
  package let receiveBufferSize: Int

  /// Enough datagrams for UDP_SEGMENT to split, and small enough for any link.
  static let tokenCount = 4
  static let tokenSize = 32

  /// Joins the group, sends it four random tokens of 32 bytes and waits for them on the caller's
  /// thread. Other members of the group receive the tokens too and drop them. Throws if a socket
  /// cannot be opened.
  package init(
    of interface: NetworkInterface, group: UInt32, port: UInt16, timeout: Duration
  ) throws(SocketError) {
    let member = try UDPSocket.groupMember(group: group, port: port, on: interface)
    let sender = try UDPSocket.sender(on: interface)
    let tokens = (0..<Self.tokenCount).map { _ in Self.randomToken() }
    let outcome = sender.send(tokens, to: member.localEndpoint)
    if case .failed(_, let error) = outcome {
      loopBack = .refused(error)
    } else {
      loopBack = try Self.listen(on: member, for: tokens, from: sender, timeout: timeout)
    }
    segmentation =
      switch outcome {
      case .sent: sender.sendMethod == .segmentation ? .usable : .refused
      case .wouldBlock, .failed: .unknown
      }
    coalescing =
      !member.isCoalescing ? .missing : member.counters.coalescedBuffers > 0 ? .seen : .offered
    membership = Self.membership(of: group, on: interface)
    receiveBufferSize = member.receiveBufferSize
  }

  private static func randomToken() -> [UInt8] {
    (0..<tokenSize).map { _ in UInt8.random(in: .min ... .max) }
  }

  private static func listen(
    on member: UDPSocket, for tokens: [[UInt8]], from sender: UDPSocket, timeout: Duration
  ) throws(SocketError) -> LoopBack {
    let start = monotonicNow()
    var missing = Set(tokens)
    while monotonicNow() - start < timeout {
      _ = try SocketError.wrapping { () throws(ThreadError) in
        try Poller.wait(reading: [member.fileDescriptor], until: start + timeout)
      }
      _ = try member.receive { datagram, from in
        if from == sender.localEndpoint { missing.remove(Array(datagram)) }
      }
      if missing.isEmpty { return .heard(after: monotonicNow() - start) }
    }
    return .silent(for: timeout)
  }

  private static func membership(of group: UInt32, on interface: NetworkInterface) -> Membership {
    do throws(SocketError) {
      let wanted = GroupMembership(interfaceIndex: interface.index, group: group)
      return try GroupMembership.all().contains(wanted) ? .listed : .absent
    } catch {
      return .unreadable(error)
    }
  }
}

/// A multicast group that some socket of this machine has joined, from the kernel's list.
package struct GroupMembership: Hashable, Sendable {
  package var interfaceIndex: UInt32
  /// In host order.
  package var group: UInt32

  package init(interfaceIndex: UInt32, group: UInt32) {
    self.interfaceIndex = interfaceIndex
    self.group = group
  }

  /// All memberships in this network namespace.
  package static func all() throws(SocketError) -> [GroupMembership] {
    parse(try SystemFile.text("/proc/net/igmp"))
  }

  /// Parses /proc/net/igmp. Each interface has a line that begins with its index, then an indented
  /// line for each group. That line begins with the group's address: a word in network byte order,
  /// as eight hexadecimal digits. Other lines are skipped.
  package static func parse(_ text: String) -> [GroupMembership] {
    var memberships: [GroupMembership] = []
    var interfaceIndex: UInt32?
    for line in text.split(separator: "\n") {
      guard let field = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).first else {
        continue
      }
      guard line.first == "\t" else {
        interfaceIndex = UInt32(field)
        continue
      }
      guard let interfaceIndex, let word = UInt32(field, radix: 16) else { continue }
      memberships.append(
        GroupMembership(interfaceIndex: interfaceIndex, group: UInt32(bigEndian: word)))
    }
    return memberships
  }
}
