import SurfWeb
import Testing

@Suite("Digests and codings")
struct DigestTests {
  /// RFC 3174 §7.3, FIPS 180 examples, and the lengths around a block.
  @Test(arguments: [
    ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    ("a", 1000, "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
    (
      "0123456701234567012345670123456701234567012345670123456701234567", 10,
      "dea356a2cddd90c7a7ecedc5ebb563934f460452"
    ),
  ])
  func haveTheDigestOfTheRFC(text: String, count: Int, digest: String) {
    let message = Array(String(repeating: text, count: count).utf8)
    let hexadecimal = SHA1.digest(of: message).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    #expect(hexadecimal.joined() == digest)
  }

  @Test(arguments: [
    (55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
    (56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
    (63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"),
    (64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    (65, "11655326c708d70319be2610e8a57d9a5b959d3b"),
  ])
  func haveTheDigestAroundABlock(count: Int, digest: String) {
    haveTheDigestOfTheRFC(text: "a", count: count, digest: digest)
  }

  @Test func masksAsTheRFCSays() {
    let key: [UInt8] = [0xa1, 0xb2, 0xc3, 0xd4]
    for count in 0...40 {
      for cut in 0...count {
        let bytes = (0..<count).map { UInt8($0) }
        var mask = Mask(0xa1b2_c3d4)
        var masked: [UInt8] = Array(bytes[..<cut])
        mask.apply(to: &masked, from: 0)
        masked += bytes[cut...]
        mask.apply(to: &masked, from: cut)
        let expected = bytes.enumerated().map { $0.element ^ key[$0.offset % 4] }
        if masked != expected { Issue.record("\(count) bytes, cut at \(cut)") }
      }
    }
  }
}
