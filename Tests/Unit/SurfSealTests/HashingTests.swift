import SurfSeal
import TestSupport
import Testing

@Suite struct HashingTests {
  /// FIPS 180-4's own examples, and the empty message.
  static let hashes = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: hashes.indices)
  func `the examples of FIPS 180-4 come out`(index: Int) {
    let (text, hash) = Self.hashes[index]
    #expect(hexadecimal(Self.hash([Array(text.utf8)])) == hash)
  }

  @Test func `a message in pieces has the hash of the whole`() {
    var random = SeededGenerator(seed: 4)
    let message = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let whole = Self.hash([message])
    for _ in 0..<300 {
      let first = Int.random(in: 0...message.count, using: &random)
      let second = Int.random(in: first...message.count, using: &random)
      let pieces = [message[..<first], message[first..<second], message[second...]].map(Array.init)
      #expect(Self.hash(pieces) == whole, "\(first), \(second)")
    }
  }

  @Test func `the length counts at each side of a block's end`() {
    let zeros = (54...130).map { Self.hash([[UInt8](repeating: 0, count: $0)]) }
    #expect(Set(zeros.map(hexadecimal)).count == zeros.count)
    // Computed by sha256sum, of 55, 56, 63 and 64 zeros.
    let known = [
      55: "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7",
      56: "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb",
      63: "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971",
      64: "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b",
    ]
    for (count, hash) in known { #expect(hexadecimal(zeros[count - 54]) == hash, "\(count)") }
  }

  /// RFC 4231: key, message, tag.
  static let tags = [
    (
      [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      Array(1...25), [UInt8](repeating: 0xcd, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0x0c, count: 20), Array("Test With Truncation".utf8),
      "a3b6167473100ee06e0c796c2955552b"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131),
      Array(
        """
        This is a test using a larger than block-size key and a larger than block-size data. \
        The key needs to be hashed before being used by the HMAC algorithm.
        """.utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ]

  @Test(arguments: tags.indices)
  func `the examples of RFC 4231 come out`(index: Int) {
    let (key, message, tag) = Self.tags[index]
    let found = hexadecimal(HMACSHA256(key: key).tag(of: message).octets)
    // The fifth is cut to 128 bits.
    #expect(found.prefix(tag.count) == tag)
  }

  struct Derivation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let secret, salt, info: [UInt8]
    let root, output: String
  }

  static let derivations = [
    Derivation(
      testDescription: "A.1", secret: [UInt8](repeating: 0x0b, count: 22), salt: Array(0...0x0c),
      info: Array(0xf0...0xf9),
      root: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
      output: """
        3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
        """),
    Derivation(
      testDescription: "A.2", secret: Array(0...0x4f), salt: Array(0x60...0xaf),
      info: Array(0xb0...0xff),
      root: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
      output: """
        b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
        59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
        cc30c58179ec3e87c14c01d5c1f3434f1d87
        """),
    Derivation(
      testDescription: "A.3", secret: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [],
      root: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
      output: """
        8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
        """),
  ]

  @Test(arguments: derivations)
  func `the examples of RFC 5869 come out`(example: Derivation) {
    let root = HKDF.extract(salt: example.salt, secret: example.secret)
    #expect(hexadecimal(root.octets) == example.root)
    let output = HKDF.expand(
      HMACSHA256(key: root.octets), info: example.info, count: example.output.count / 2)
    #expect(hexadecimal(output) == example.output)
  }

  @Test func `the short form of a derivation is the front of the long one`() {
    let root = HMACSHA256(key: [1, 2, 3])
    for count in 0...40 {
      let info = [UInt8](repeating: 7, count: count)
      let long = HKDF.expand(root, info: info, count: 100)
      #expect(HKDF.expand(root, info: info).octets == Array(long.prefix(32)))
    }
  }

  private static func hash(_ pieces: [[UInt8]]) -> [UInt8] {
    var hash = SHA256()
    for piece in pieces { hash.update(piece) }
    return hash.finish().octets
  }
}
