import SurfWire
import TestSupport
import Testing

/// The definition of Protocol.md §A.1, word by word, in arithmetic that cannot overflow.
private func plainDigest(_ packets: [(UInt64, [UInt8])], _ key: DigestKey) -> UInt64 {
  let modulus: UInt128 = (1 << 61) - 1
  let a = UInt128(key.first) & modulus
  let b = UInt128(key.second) & modulus
  var digest: UInt128 = 0
  for (sequence, body) in packets {
    var words = [UInt128(sequence >> 32), UInt128(sequence & 0xFFFF_FFFF), UInt128(body.count)]
    for start in stride(from: 0, to: body.count, by: 7) {
      let octets = body[start..<min(start + 7, body.count)]
      words.append(octets.reversed().reduce(0) { $0 << 8 | UInt128($1) })
    }
    let hash = words.reduce(1) { ($0 + $1) * a % modulus }
    digest = (digest + hash) * b % modulus
  }
  return UInt64(digest)
}

private func digest(_ packets: [(UInt64, [UInt8])], _ key: DigestKey) -> UInt64 {
  var builder = Digest.Builder(key)
  for (sequence, body) in packets {
    body.withUnsafeBytes { builder.add(SequenceNumber(sequence), $0) }
  }
  return builder.digest.rawValue
}

@Suite struct DigestTests {
  private let key = DigestKey(first: 0xFEDC_BA98_7654_3210, second: 0x0123_4567_89AB_CDEF)

  @Test func `the worked example of the document comes out`() {
    #expect(digest([(7, [1, 2])], DigestKey(first: 3, second: 5)) == 9_135)
    let content = Content(type: "x", bytes: [1, 2])
    #expect(Digest(of: content, key: DigestKey(first: 3, second: 5)).rawValue == 20_385)
  }

  @Test(arguments: 0...90)
  func `bodies of every length have the digest that the definition gives`(size: Int) {
    var bodies: [[UInt8]] = []
    for number in 0..<5 {
      bodies.append((0..<size).map { UInt8(truncatingIfNeeded: $0 * 37 + number * 91) })
    }
    bodies.append([UInt8](repeating: 255, count: size))
    let start: UInt64 = 1 << 40
    let packets = bodies.enumerated().map { (start + UInt64($0.offset), $0.element) }
    let farthest = DigestKey(first: 1 << 61 - 2, second: .max - 1)
    for key in [key, farthest, DigestKey(first: 1, second: 2)] {
      #expect(digest(packets, key) == plainDigest(packets, key))
    }
  }

  @Test func `whatever is changed changes the digest`() {
    let packets: [(UInt64, [UInt8])] = [(1, [1, 2, 3]), (2, Array(0..<200)), (3, [0, 0])]
    var others = [packets]
    for octet in 0..<200 {
      var other = packets
      other[1].1[octet] ^= 1 << UInt8(octet & 7)
      others.append(other)
    }
    others.append([(1, packets[1].1), (2, packets[0].1), (3, [0, 0])])
    others.append([(1, [1, 2, 3]), (2, Array(0..<200)), (3, [0])])
    others.append([(1, [1, 2, 3]), (2, Array(0..<200)), (3, [0, 0, 0])])
    others.append([(1, [1, 2, 3]), (2, Array(0..<200)), (3, [0, 0, 0, 0, 0, 0, 0, 0, 0])])
    others.append([(1, [1, 2, 3]), (2, Array(0..<200))])
    others.append([(1, [1, 2, 3]), (2, Array(0..<200)), (4, [0, 0])])
    others.append([(1, [1, 2, 3]), (2, Array(0..<200)), (UInt64(1) << 32 | 3, [0, 0])])
    #expect(Set(others.map { digest($0, key) }).count == others.count)
  }

  @Test func `another key is another digest`() {
    let packets: [(UInt64, [UInt8])] = [(1, [1, 2, 3]), (2, [4])]
    let keys = (0..<100 as Range<UInt64>).flatMap {
      [DigestKey(first: $0 + 2, second: 7), DigestKey(first: 7, second: $0 + 200)]
    }
    #expect(Set(keys.map { digest(packets, $0) }).count == keys.count)
  }
}
