import Glibc
import SurfSockets
import SurfThreads
import TestSupport
import Testing

extension RealSockets {
  @Suite struct UDPSocketTests {
    @Test func twoMembersBothReceive() throws {
      let pair = try Pair()
      let second = try pair.anotherMember()
      let sent = datagrams(sizes: [5, 500, 1_472])
      #expect(pair.sender.send(sent, to: pair.destination) == .sent(3))
      #expect(try pair.member.receive(count: 3) == sent)
      #expect(try second.receive(count: 3) == sent)
    }

    @Test(arguments: SendMethod.allCases)
    func everyMethodKeepsOrderAndBytes(_ method: SendMethod) throws {
      // The size that a stock kernel gives an unprivileged process; 60 datagrams fit.
      let pair = try Pair(method: method, receiveBufferSize: 212_992)
      var generator = SeededGenerator(seed: 1)
      let mixed = (0..<300).map { _ in Int.random(in: 1...1_472, using: &generator) }
      let runs = [1, 1_472, 1_472, 1_472, 3] + Array(repeating: 1_344, count: 120) + [1_344, 0, 7]
      let sent = datagrams(sizes: mixed + runs)
      for start in stride(from: 0, to: sent.count, by: 60) {
        let part = sent[start..<min(start + 60, sent.count)]
        #expect(pair.sender.send(part, to: pair.destination) == .sent(part.count))
        #expect(try pair.member.receive(count: part.count) == Array(part))
      }
      #expect(pair.sender.sendMethod == method)
      #expect(pair.sender.counters.sent == sent.count)
    }

    @Test(arguments: SendMethod.allCases, [1, 2, 44])
    func datagramsAreGatheredWithTheirHeads(_ method: SendMethod, count: Int) throws {
      let pair = try Pair(method: method)
      for (headSize, lastSize) in [(52, 1_420), (52, 1), (1, 1_420), (0, 7)] {
        let heads = (0..<count * headSize).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let octets = (0..<(count - 1) * 1_420 + lastSize).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let outcome = octets.withUnsafeBytes { octets in
          heads.withUnsafeBytes { heads in
            pair.sender.send(
              DatagramRun(
                octets, segmentSize: headSize + 1_420, heads: heads, headSize: headSize),
              to: pair.destination)
          }
        }
        #expect(outcome == .sent(count))
        let wanted = (0..<count).map { index in
          Array(heads[index * headSize..<(index + 1) * headSize])
            + octets[index * 1_420..<min((index + 1) * 1_420, octets.count)]
        }
        #expect(try pair.member.receive(count: count) == wanted)
      }
      #expect(pair.sender.sendMethod == method)
    }

    @Test func coalescedBuffersAreSplit() throws {
      let pair = try Pair()
      try #require(pair.member.isCoalescing, "this kernel has no UDP_GRO")
      let sent = datagrams(sizes: Array(repeating: 1_000, count: 40) + [17])
      _ = pair.sender.send(sent, to: pair.destination)
      #expect(try pair.member.receive(count: sent.count) == sent)
      #expect(pair.member.counters.coalescedBuffers == 1)
      #expect(pair.member.counters.received == 41)
    }

    @Test func aCallTakesManyOfWhatIsShortAndFewOfWhatIsLong() throws {
      let pair = try Pair()
      try #require(pair.member.isCoalescing, "this kernel has no UDP_GRO")
      let second = try pair.anotherMember()
      func batches(_ sent: [[UInt8]], inRunsOf count: Int) throws -> [Int] {
        for start in stride(from: 0, to: sent.count, by: count) {
          let run = Array(sent[start..<(start + count)])
          #expect(pair.sender.send(run, to: pair.destination) == .sent(count))
        }
        // Then the first of them wait in the other socket, too.
        #expect(try second.receive(count: sent.count) == sent)
        return try pair.member.batches(of: sent.count)
      }
      let short = (0..<100).map { [UInt8($0)] }
      let long = datagrams(sizes: Array(repeating: 1_000, count: 20 * 41))
      #expect(try batches(short, inRunsOf: 1).prefix(5) == [4, 8, 16, 32, 32])
      #expect(try batches(long, inRunsOf: 41).prefix(2) == [4 * 41, 4 * 41])
      #expect(try batches(Array(short[..<10]), inRunsOf: 1).first == 4)
    }

    @Test func anotherGroupOnTheSamePortStaysOut() throws {
      let pair = try Pair()
      let stranger = try UDPSocket.groupMember(
        group: otherGroup, port: pair.destination.port, on: pair.loopback)
      _ = pair.sender.send([[1]], to: stranger.localEndpoint)
      _ = pair.sender.send([[2]], to: pair.destination)
      #expect(try stranger.receive(count: 1) == [[1]])
      #expect(try pair.member.receive(count: 1) == [[2]])
      #expect(try pair.member.drain() == [])
    }

    @Test func repliesReachTheSender() throws {
      let pair = try Pair()
      let viewer = try UDPSocket.sender(on: pair.loopback)
      _ = viewer.send([[7, 7]], to: pair.sender.localEndpoint)
      let poller = try Poller()
      let deadline = monotonicNow() + patience
      _ = try poller.wait(reading: [pair.sender.fileDescriptor], until: deadline)
      var heard: [IPv4Endpoint] = []
      _ = try pair.sender.receive { _, from in heard.append(from) }
      #expect(heard == [viewer.localEndpoint])
    }

    @Test func aRefusalOfSegmentationFallsBackAndLosesNothing() throws {
      let pair = try Pair()
      // UDP without checksums cannot be segmented: the kernel answers as for a card that cannot.
      var on: Int32 = 1
      let result = setsockopt(
        pair.sender.fileDescriptor, SOL_SOCKET, SO_NO_CHECK, &on, socklen_t(4))
      try #require(result == 0)
      let sent = datagrams(sizes: Array(repeating: 900, count: 100))
      #expect(pair.sender.send(sent, to: pair.destination) == .sent(100))
      #expect(try pair.member.receive(count: 100) == sent)
      #expect(pair.sender.sendMethod == .batch)
    }

    @Test func aFullReceiveBufferIsCountedAsDrops() throws {
      let pair = try Pair(method: .plain, receiveBufferSize: 4_096)
      let sent = datagrams(sizes: Array(repeating: 1_000, count: 200))
      #expect(pair.sender.send(sent, to: pair.destination) == .sent(200))
      let kept = try pair.member.drain().count
      #expect(kept < 200)
      // The kernel tells with the next datagram that it keeps.
      _ = pair.sender.send([[1]], to: pair.destination)
      #expect(try pair.member.receive(count: 1) == [[1]])
      #expect(pair.member.kernelDrops == 200 - kept)
    }

    @Test func anOversizedDatagramStopsTheRunWithItsError() throws {
      let pair = try Pair()
      let sent = [[1], [UInt8](repeating: 0, count: 65_508), [2]]
      let expected = SocketError.system(.send(to: pair.destination), errno: EMSGSIZE)
      #expect(
        pair.sender.send(sent, to: pair.destination) == .failed(accepted: 1, expected))
      #expect(try pair.member.receive(count: 1) == [[1]])
    }

    @Test func aBadDestinationDoesNotCostSegmentation() throws {
      let pair = try Pair()
      let nowhere = IPv4Endpoint(address: testGroup, port: 0)
      let outcome = pair.sender.send(datagrams(sizes: [10, 10]), to: nowhere)
      #expect(
        outcome == .failed(accepted: 0, .system(.send(to: nowhere), errno: EINVAL)))
      #expect(pair.sender.sendMethod == .segmentation)
    }

    @Test func buffersAreGrantedAndReadBack() throws {
      let pair = try Pair(receiveBufferSize: 65_536)
      #expect(pair.member.receiveBufferSize == 65_536)
      #expect(pair.sender.receiveBufferSize > 0)
    }

    @Test func closesItsDescriptors() throws {
      let loopback = try NetworkInterface.named("lo")
      let before = try openDescriptorCount()
      for _ in 0..<200 {
        let pair = try Pair()
        _ = try Poller()
        #expect(pair.sender.send([[1]], to: pair.destination) == .sent(1))
        #expect(throws: SocketError.self, "no group: fails after it was bound") {
          try UDPSocket.groupMember(group: IPv4.loopback, port: 0, on: loopback)
        }
      }
      // Less than one for each round; other tests of the process open some meanwhile.
      #expect(try openDescriptorCount() < before + 100)
    }
  }
}

private func openDescriptorCount() throws -> Int {
  let directory = try #require(opendir("/proc/self/fd"))
  defer { closedir(directory) }
  var count = 0
  while readdir(directory) != nil { count += 1 }
  return count
}
