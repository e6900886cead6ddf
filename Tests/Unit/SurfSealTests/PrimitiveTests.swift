import SurfSeal
import TestSupport
import Testing

/// The parts of the cipher, each by the examples of RFC 8439.
@Suite struct PrimitiveTests {
  @Test(arguments: RFC8439.blocks)
  func `a block of key stream is the RFC's`(example: RFC8439.Block) throws {
    let stream = try Self.applied(
      to: [UInt8](repeating: 0, count: 64), example.key, example.nonce, from: example.counter)
    #expect(stream == octets(example.stream))
  }

  @Test(arguments: RFC8439.encryptions)
  func `a text is encrypted as the RFC's, and back`(example: RFC8439.Encryption) throws {
    let text = Array(example.text.utf8)
    let encrypted = try Self.applied(
      to: text, example.key, example.nonce, from: example.counter)
    #expect(encrypted == octets(example.encrypted))
    let back = try Self.applied(
      to: encrypted, example.key, example.nonce, from: example.counter)
    #expect(back == text)
  }

  @Test(arguments: RFC8439.authentications)
  func `a tag is the RFC's`(example: RFC8439.Authentication) throws {
    let key = try #require(Octets32(octets(example.key)))
    #expect(hexadecimal(Poly1305.tag(of: example.text, key: key)) == example.tag)
  }

  @Test(arguments: RFC8439.tagKeys)
  func `the key of a tag is the front of block 0`(example: RFC8439.TagKey) throws {
    let stream = try Self.applied(
      to: [UInt8](repeating: 0, count: 32), example.key, example.nonce, from: 0)
    #expect(stream == octets(example.tagKey))
  }

  @Test func `a stream is the same however far from its beginning it is taken up`() throws {
    let zeros = [UInt8](repeating: 0, count: 64 * 9)
    let key = hexadecimal(0..<32)
    let nonce = "000000000102030405060708"
    let whole = try Self.applied(to: zeros, key, nonce, from: 1)
    for block in 0..<9 {
      for count in 0...zeros.count - block * 64 {
        let part = try Self.applied(
          to: Array(zeros.prefix(count)), key, nonce, from: UInt32(1 + block))
        #expect(part[...] == whole[(block * 64)...].prefix(count))
      }
    }
  }

  @Test func `a nonce is the type, three zeros and the number`() throws {
    let nonce = SealNonce(type: 0x12, number: 0x0102_0304_0506_0708)
    let bytes = nonce.withUnsafeBytes { Array($0) }
    #expect(hexadecimal(bytes) == "120000000102030405060708")
    #expect(SealNonce(octets: bytes) == nonce)
    #expect(SealNonce(octets: bytes.dropLast()) == nil)
    #expect(SealNonce(octets: bytes + [0]) == nil)
  }

  private static func applied(
    to text: [UInt8], _ key: String, _ nonce: String, from counter: UInt32
  ) throws -> [UInt8] {
    let cipher = ChaCha20(try #require(Octets32(octets(key))))
    let nonce = try #require(SealNonce(octets: octets(nonce)))
    var output = [UInt8](repeating: 0xee, count: text.count)
    text.withUnsafeBytes { text in
      output.withUnsafeMutableBytes { output in
        cipher.apply(to: text, into: output, nonce: nonce, from: counter)
      }
    }
    return output
  }
}
