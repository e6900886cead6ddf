import SurfSeal
import SurfSockets
import SurfTransport
import SurfWire

/// The sockets of an app or a viewer on one interface. It sends transmissions, receives datagrams,
/// and keeps what a full socket did not take.
///
/// Used by one loop on one thread.
package final class Link {
  private static let unknownKey = WireError.unknownKey(id: 0).reason

  package private(set) var interface: NetworkInterface
  /// Sends everything, and receives unicast datagrams.
  package private(set) var own: UDPSocket
  private var member: UDPSocket
  private let group: IPv4Endpoint
  /// The part of a transmission that the socket did not take. It goes first.
  private var blocked: Transmission?
  package private(set) var counters = NetworkCounters()
  /// Counts of closed sockets.
  private var formerOverflows = 0
  private var reader = RunReader()

  /// - Parameter port: the port that data is sent to.
  /// - Parameter listeningPort: the group's port that this end listens on.
  package init(interface name: String, group: UInt32, port: UInt16, listeningPort: UInt16)
    throws(SocketError)
  {
    interface = try NetworkInterface.named(name)
    own = try UDPSocket.sender(on: interface)
    member = try UDPSocket.groupMember(group: group, port: listeningPort, on: interface)
    self.group = IPv4Endpoint(address: group, port: port)
  }

  /// Reopens both sockets if the interface's address or index has changed; true if so. Datagrams in
  /// their buffers are lost, and requested again.
  package func followInterface() throws(SocketError) -> Bool {
    let present = try NetworkInterface.named(interface.name)
    guard present.address != interface.address || present.index != interface.index else {
      return false
    }
    let (own, member) = (
      try UDPSocket.sender(on: present),
      try UDPSocket.groupMember(
        group: member.localEndpoint.address, port: member.localEndpoint.port, on: present)
    )
    formerOverflows += self.own.kernelDrops + self.member.kernelDrops
    (self.own, self.member, interface, blocked) = (own, member, present, nil)
    return true
  }

  package var readable: [Int32] { [own.fileDescriptor, member.fileDescriptor] }
  package var writable: [Int32] { blocked == nil ? [] : [own.fileDescriptor] }
  package var isBlocked: Bool { blocked != nil }
  /// Sends a transmission, or keeps what does not fit for `resume()`. Do not call it while
  /// `isBlocked`.
  package func send(_ transmission: Transmission) throws(SocketError) {
    let target =
      switch transmission.destination {
      case .group: group
      case .peer(let endpoint): endpoint.ipv4
      }
    let outcome = hand(transmission.payload, to: target)
    counters.datagramsSent += outcome.accepted
    switch outcome {
    case .sent:
      blocked = nil
      counters.note(nil, at: target)
    case .wouldBlock(let accepted): blocked = transmission.without(first: accepted)
    case .failed(_, let error):
      blocked = nil
      counters.drop("not sent")
      counters.note(error, at: target)
      // One unreachable peer does not mean that the link is broken.
      if transmission.destination == .group { throw error }
    }
  }

  private func hand(_ payload: Transmission.Payload, to target: IPv4Endpoint) -> SendOutcome {
    switch payload {
    case .datagrams(let datagrams): own.send(datagrams, to: target)
    case .run(let run): run.withDatagrams { own.send($0, to: target) }
    }
  }

  package func resume() throws(SocketError) {
    if let blocked { try send(blocked) }
  }

  /// Reads waiting datagrams, a bounded number; true if there may be more. Packets are valid until
  /// the handler returns.
  package func receive(
    through seal: inout any DatagramSeal, at now: Duration,
    _ handler: (IncomingDatagram, Endpoint, inout any DatagramSeal) -> Void
  ) throws(SocketError) -> Bool {
    var mayHaveMore = false
    for socket in [own, member] {
      let outcome = try socket.receiveRuns { run, segmentSize, sender in
        let endpoint = Endpoint(sender)
        reader.read(run, segmentSize: segmentSize, through: &seal, from: endpoint, at: now) {
          result, seal in
          switch result {
          case .success(let incoming): handler(incoming, endpoint, &seal)
          case .failure(let drop):
            counters.drop(drop)
            guard drop.reason == Self.unknownKey else { return }
            // A heartbeat is alone in its run.
            counters.strangers.note(run, from: sender, at: now)
          }
        }
        counters.bytesReceived += run.count
      }
      counters.datagramsReceived += outcome.datagrams
      mayHaveMore = mayHaveMore || outcome.mayHaveMore
    }
    counters.strangers.forgetSilent(at: now)
    counters.socketOverflows = formerOverflows + own.kernelDrops + member.kernelDrops
    return mayHaveMore
  }

  /// The most packets that the app may send ahead, so that they fit the socket's buffer.
  package var streamWindow: Int {
    // A datagram of 1,472 octets takes 2,304 of the kernel's buffer, as measured.
    // `receiveBufferSize` is half of the kernel's size; the other half is for requested packets.
    own.receiveBufferSize / 2_304
  }

  /// The most packets to request at a time, so that the answers fit the socket's buffer.
  package var repairWindow: Int { min(1_024, streamWindow) }
}

extension NetworkInterface {
  /// The largest datagram that is not fragmented by IP here, within the protocol's limits.
  var datagramSize: Int {
    min(max(datagramSizeMax, Limits.datagramSizeMin), Limits.datagramSizeMax)
  }
}

extension PacketRun {
  fileprivate func withDatagrams<Result>(_ body: (DatagramRun) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      let own = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let heads else { return body(DatagramRun(own, segmentSize: segmentSize)) }
      return heads.bytes.withUnsafeBytes { octets in
        body(
          DatagramRun(
            own, segmentSize: segmentSize,
            heads: UnsafeRawBufferPointer(rebasing: octets[heads.start...]), headSize: heads.size))
      }
    }
  }
}

extension Transmission {
  /// The rest, after some datagrams were sent.
  fileprivate func without(first count: Int) -> Transmission {
    switch payload {
    case .datagrams(let datagrams):
      return Transmission(to: destination, Array(datagrams.dropFirst(count)))
    case .run(var run):
      run.dropFirst(count)
      return Transmission(to: destination, run)
    }
  }
}
