import SurfSockets
import SurfThreads
import Testing

let testGroup: UInt32 = 0xEFFF_5353  // 239.255.83.83

/// Suites that open sockets hang below this one, so that no two run at the same time.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: loopbackCarriesMulticast, "lo of this host does not carry multicast"))
enum RealSockets {}

private let loopbackCarriesMulticast: Bool = {
  guard let loopback = try? NetworkInterface.named("lo"),
    let member = try? UDPSocket.groupMember(group: testGroup, port: 0, on: loopback),
    let sender = try? UDPSocket.sender(on: loopback), let poller = try? Poller()
  else { return false }
  _ = sender.send([[1]], to: member.localEndpoint)
  let wakeup = try? poller.wait(
    reading: [member.fileDescriptor], until: monotonicNow() + .seconds(10))
  return wakeup?.readable.isEmpty == false
}()
