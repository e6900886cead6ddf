import SurfSockets
import SurfThreads
import TestSupport
import Testing

let testGroup: UInt32 = 0xEFFF_5353  // 239.255.83.83
let otherGroup: UInt32 = 0xEFFF_5354

/// Every suite that opens sockets hangs below this one, so that no two run at the same time.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: loopbackCarriesMulticast, "lo of this host does not carry multicast"))
enum RealSockets {}

let loopbackCarriesMulticast: Bool = {
  guard let pair = try? Pair() else { return false }
  _ = pair.sender.send([[1]], to: pair.destination)
  return (try? pair.member.receive(count: 1).count) == 1
}()

/// A sender and a member of one group, on loopback and on a port that was free.
struct Pair {
  let loopback: NetworkInterface
  let sender: UDPSocket
  let member: UDPSocket
  let destination: IPv4Endpoint

  init(method: SendMethod = .segmentation, receiveBufferSize: Int = 4 << 20) throws {
    loopback = try NetworkInterface.named("lo")
    sender = try .sender(on: loopback, method: method)
    member = try .groupMember(
      group: testGroup, port: 0, on: loopback, receiveBufferSize: receiveBufferSize)
    destination = member.localEndpoint
  }

  func anotherMember() throws -> UDPSocket {
    try .groupMember(group: testGroup, port: destination.port, on: loopback)
  }
}

extension UDPSocket {
  /// What arrives until `count` datagrams have, or nothing came for long.
  func receive(count: Int) throws -> [[UInt8]] {
    let poller = try Poller()
    var datagrams: [[UInt8]] = []
    while datagrams.count < count {
      let deadline = monotonicNow() + patience
      let wakeup = try poller.wait(reading: [fileDescriptor], until: deadline)
      guard !wakeup.readable.isEmpty else { break }
      _ = try receive { datagram, _ in datagrams.append(Array(datagram)) }
    }
    return datagrams
  }

  /// How many datagrams each call brings, until `count` have come, or nothing came for long.
  func batches(of count: Int) throws -> [Int] {
    let poller = try Poller()
    var batches: [Int] = []
    while batches.reduce(0, +) < count {
      let deadline = monotonicNow() + patience
      let wakeup = try poller.wait(reading: [fileDescriptor], until: deadline)
      guard !wakeup.readable.isEmpty else { break }
      batches.append(try receive { _, _ in }.datagrams)
    }
    return batches
  }

  /// What waits in the socket now.
  func drain() throws -> [[UInt8]] {
    var datagrams: [[UInt8]] = []
    while try receive({ datagram, _ in datagrams.append(Array(datagram)) }).mayHaveMore {}
    return datagrams
  }
}

/// Datagrams that differ from each other in every byte that counts.
func datagrams(sizes: some Sequence<Int>) -> [[UInt8]] {
  var generator = SeededGenerator(seed: 83)
  return sizes.map { size in
    (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
