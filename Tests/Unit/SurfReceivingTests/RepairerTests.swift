import SurfTransport
import SurfWire
import TestSupport
import Testing

@Suite struct RepairerTests {
  @Test func `what is served is what the app sent, but for flags and retained`() throws {
    let house = House(heldSizeMax: 1 << 20)
    house.send(1...60, size: 1_000)
    let offer = try #require(house.offer(for: 11...50))
    #expect(offer.held == 11...50)
    #expect(offer.viewer == ViewerID(rawValue: 4))
    let served = house.ask(11...50, offer.cookie, from: house.seeker)
    #expect(served.count == 40)
    for bytes in served {
      let datagram = try Datagram(decoding: bytes)
      guard case .data(let packet) = datagram.body else { continue }
      #expect(packet.flags == [.repair, .history])
      #expect(packet.oldestPacket == 1)
      var original = try #require(house.packets[packet.sequence])
      original.withUnsafeMutableBytes { DataPacket.mark($0, with: packet.flags) }
      let isSame = original == bytes
      #expect(isSame)
    }
    #expect(house.holder.counters.packetsToViewers == 40)
  }

  @Test func `the longest run without a gap is offered`() {
    let house = House(heldSizeMax: 1 << 20)
    house.send(1...60, size: 100, without: [10, 40, 41])
    #expect(house.offer(for: 1...60)?.held == 11...39)
    #expect(house.offer(for: 35...60)?.held == 42...60)
    #expect(house.offer(for: 40...41) == nil)
    #expect(house.offer(for: 61...70) == nil)
    #expect(house.offer(for: 59...70)?.held == 59...60)
  }

  @Test(arguments: [60_000, 300_000])
  func `the oldest go first, and no more is held than is allowed`(sizeMax: Int) throws {
    let house = House(heldSizeMax: sizeMax)
    house.send(1...400, size: 1_300)
    let offer = try #require(house.offer(for: 1...1_000))
    let held = offer.held
    #expect(held.upperBound == 400)
    #expect(held.count * 1_400 < sizeMax)
    #expect(held.count * 1_400 > sizeMax / 2)
    // Some more may come before the first of these is gone.
    house.send(401...403, size: 1_300)
    #expect(house.ask(held, offer.cookie, from: house.seeker).count == held.count)
  }

  @Test func `a lower bound holds at once, and with a higher one more is held again`() throws {
    let house = House(heldSizeMax: 300_000)
    house.send(1...400, size: 1_300)
    house.holder.limitHeld(to: 150_000)
    let few = try #require(house.offer(for: 1...1_000))
    #expect(few.held.upperBound == 400)
    #expect(few.held.count * 1_400 < 150_000)
    #expect(house.ask(few.held, few.cookie, from: house.seeker).count == few.held.count)
    house.holder.limitHeld(to: 300_000)
    house.send(401...800, size: 1_300)
    let more = try #require(house.offer(for: 1...1_000)?.held)
    #expect(more.upperBound == 800)
    #expect(more.count * 1_400 > 150_000)
  }

  @Test func `small packets are held for less than the bound`() throws {
    let house = House(heldSizeMax: 1 << 20)
    house.send(1...5_000, size: 10)
    let held = try #require(house.offer(for: 1...5_000)?.held)
    #expect(held.upperBound == 5_000)
    #expect(held.count == 2_048)
  }

  @Test func `who shows a wrong cookie, or another's, gets nothing and is counted`() throws {
    let house = House(heldSizeMax: 1 << 20)
    house.send(1...20, size: 100)
    let offer = try #require(house.offer(for: 1...20))
    #expect(house.ask(1...20, Cookie(rawValue: 1), from: house.seeker).isEmpty)
    #expect(house.ask(1...20, offer.cookie, from: Endpoint(rawValue: 8)).isEmpty)
    #expect(house.holder.counters.drops["unproven request"] == 2)
    #expect(house.ask(1...20, offer.cookie, from: house.seeker).count == 20)
  }

  @Test func `its own seek, heard again, brings no offer`() {
    let house = House(heldSizeMax: 1 << 20)
    house.send(1...20, size: 100)
    #expect(house.offer(for: 1...20, from: 2) == nil)
  }

  @Test func `without the app, nothing is offered, and in the end all is forgotten`() {
    let house = House(heldSizeMax: 1 << 20)
    house.send(1...20, size: 100)
    house.pass(Timers.liveness)
    #expect(house.offer(for: 1...20) == nil)
    house.pass(Timers.expiry + .seconds(1))
    house.send(21...40, size: 100)
    #expect(house.offer(for: 1...40)?.held == 21...40)
  }

  @Test func `who holds nothing says nothing`() {
    let house = House(heldSizeMax: 0)
    house.send(1...20, size: 100)
    #expect(house.offer(for: 1...20) == nil)
  }
}

@Suite struct ProofTests {
  private let house = House(heldSizeMax: 0)
  private let viewer = ViewerID(rawValue: 4)

  @Test func `a proof has the digest of what the app has sent`() throws {
    house.send(1...30, size: 1_000)
    let proofs = try prove([(3, 20), (1, 1), (25, 7)])
    #expect(proofs.count == 1)
    #expect(proofs.first?.digests == [digest(3...22), digest(1...1), nil])
    #expect(house.sender.counters.proofsSent == 1)
  }

  @Test func `a check without a good cookie is not answered`() throws {
    house.send(1...30, size: 1_000)
    #expect(try prove([(1, 1)], cookie: Cookie(rawValue: 1)).isEmpty)
    #expect(house.sender.counters.unprovenRequests == 1)
  }

  @Test func `an asker has one question at a time, and reading has a pace`() throws {
    house.send(1...400, size: 1_300)
    let first = try prove([(1, 400)], key: 1)
    #expect(first.map(\.key) == [1])
    // 400 packets take two milliseconds.
    #expect(try prove([(1, 1)], key: 2).isEmpty)
    #expect(try prove([(2, 1)], key: 3).isEmpty)
    let now = house.now + .milliseconds(3)
    #expect(house.sender.deadline(at: house.now) < now)
    #expect(transmissions(at: now).map(\.key) == [3])
  }

  private func prove(
    _ ranges: [(UInt64, UInt32)], key: UInt64 = 77, cookie: Cookie? = nil
  ) throws -> [Proof] {
    let hello = Hello(viewer: viewer, viewerName: "v", since: .max)
    let now = house.now
    guard
      case .welcome(let welcome) = house.sender.welcome(hello, from: house.seeker, at: now).body
    else { return [] }
    let ranges = ranges.compactMap {
      PacketRange(first: SequenceNumber($0.0), count: WireCount($0.1))
    }
    let check = Check(
      viewer: viewer, cookie: cookie ?? welcome.cookie, key: DigestKey(first: key, second: 88),
      ranges: ranges)
    house.sender.receive(check, from: house.seeker, at: now)
    return transmissions(at: now)
  }

  private func transmissions(at now: Duration) -> [Proof] {
    var proofs: [Proof] = []
    while let transmission = house.sender.nextTransmission(at: now) {
      for bytes in transmission.datagrams {
        guard case .proof(let proof)? = try? Datagram(decoding: bytes).body else { continue }
        #expect(transmission.destination == .peer(house.seeker))
        proofs.append(proof)
      }
    }
    return proofs
  }

  private func digest(_ range: ClosedRange<SequenceNumber>) -> Digest {
    var builder = Digest.Builder(DigestKey(first: 77, second: 88))
    for sequence in range {
      Array(house.packets[sequence]?.dropFirst(DataPacket.overhead) ?? []).withUnsafeBytes {
        builder.add(sequence, $0)
      }
    }
    return builder.digest
  }
}
