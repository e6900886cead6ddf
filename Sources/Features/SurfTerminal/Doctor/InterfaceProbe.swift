import SurfSockets
import SurfThreads

/// What `statesurf doctor` finds out about one interface, by sending to itself.
package struct InterfaceProbe: Equatable, Sendable {
  /// Whether multicast comes back to this machine.
  package enum LoopBack: Equatable, Sendable {
    /// All of it came back; how long that took.
    case heard(after: Duration)
    /// Not all of it came back in that time.
    case silent(for: Duration)
    /// It could not be sent.
    case refused(SocketError)
  }

  /// Whether the kernel cuts one buffer into datagrams (UDP_SEGMENT) on this interface.
  package enum Segmentation: Equatable, Sendable {
    /// It did.
    case usable
    /// The kernel refused, and the datagrams went by `sendmmsg`.
    case refused
    /// Nothing could be sent.
    case unknown
  }

  /// Whether the kernel hands over several datagrams in one buffer (UDP_GRO).
  package enum Coalescing: Equatable, Sendable {
    /// It did.
    case seen
    /// The kernel can, but these datagrams came one by one.
    case offered
    /// This kernel has no such option.
    case missing
  }

  /// Whether the kernel lists the membership that the probe held.
  package enum Membership: Equatable, Sendable {
    /// It does.
    case listed
    /// It does not.
    case absent
    /// Its list cannot be read.
    case unreadable(SocketError)
  }

  /// Whether multicast comes back.
  package let loopBack: LoopBack
  /// Whether runs may be sent with one call.
  package let segmentation: Segmentation
  /// Whether runs may be received with one call.
  package let coalescing: Coalescing
  /// Whether the kernel knows of the membership.
  package let membership: Membership
  /// How much room a receiving socket gets.
  package let receiveBuffer: ReceiveBuffer

  /// Enough for one buffer that is worth cutting; small enough for any link.
  static let tokenCount = 4
  static let tokenSize = 32

  /// Joins the group, sends four random tokens of 32 bytes to it and waits for them, on the
  /// caller's thread. Others in the group get the tokens too, and drop them as noise. Fails if a
  /// socket cannot be opened.
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
    receiveBuffer = ReceiveBuffer(of: member)
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

/// The room that a receiving socket asked for, and got. All in bytes, as the kernel's limits count.
package struct ReceiveBuffer: Equatable, Sendable {
  /// What every socket asks for.
  package var requested: Int
  /// What the kernel gave it.
  package var granted: Int
  /// `net.core.rmem_max`, above which only a privileged process gets more; `nil` if it cannot be
  /// read, as in some containers.
  var systemMax: Int?

  /// Whether a burst may overflow it sooner than intended.
  package var isShort: Bool { granted < requested }

  /// What this socket got.
  package init(of socket: UDPSocket) {
    requested = UDPSocket.receiveBufferSize
    granted = socket.receiveBufferSize
    do throws(SocketError) {
      let text = try SystemFile.text("/proc/sys/net/core/rmem_max")
      systemMax = Int(text.prefix { $0.isNumber })
    } catch {
      systemMax = nil
    }
  }
}

/// A group that some socket of this machine has joined, as the kernel lists it.
package struct GroupMembership: Hashable, Sendable {
  /// The interface it was joined on.
  package var interfaceIndex: UInt32
  /// In host order.
  package var group: UInt32

  /// A membership of `group` (host order) on an interface.
  package init(interfaceIndex: UInt32, group: UInt32) {
    self.interfaceIndex = interfaceIndex
    self.group = group
  }

  /// Every membership of this network namespace.
  package static func all() throws(SocketError) -> [GroupMembership] {
    parse(try SystemFile.text("/proc/net/igmp"))
  }

  /// Reads the form of /proc/net/igmp. Each interface has a line that begins with its index, then
  /// an indented line for each group. That line begins with the group's address: eight hexadecimal
  /// digits of a word whose bytes lie in network order. Other lines are skipped.
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
