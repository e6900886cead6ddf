import SurfSockets
import SurfThreads
import Testing

extension RealSockets {
  /// The parts that a driver's loop is made of, with sockets.
  @Suite struct LoopTests {
    @Test func tellsReadableFromWritable() throws {
      let pair = try Pair()
      let poller = try Poller()
      let member = pair.member.fileDescriptor
      let sender = pair.sender.fileDescriptor
      #expect(
        try poller.wait(reading: [member], writing: [sender], until: nil)
          == Wakeup(writable: [sender]))
      _ = pair.sender.send([[1]], to: pair.destination)
      #expect(
        try poller.wait(reading: [sender, member], until: nil) == Wakeup(readable: [member]))
    }

    @Test func aSocketMayMoveIntoItsThread() throws {
      let loopback = try NetworkInterface.named("lo")
      let socket = try UDPSocket.sender(on: loopback)
      let expected = socket.localEndpoint.port
      let port = Monitor<UInt16>(0)
      let thread = try Thread.start(name: "surf-owner") {
        port.withLock { $0 = socket.localEndpoint.port }
      }
      thread.join()
      thread.join()
      #expect(port.withLock { $0 } == expected)
    }
  }
}
