import SurfCipher
import SurfSeal
import TestSupport
import Testing

/// What each of the two implementations promises.
@Suite struct CipherTests {
  @Test(arguments: SealExample.all, Implementation.present)
  func `the RFC's examples seal and open`(example: SealExample, implementation: Implementation)
    throws
  {
    let cipher = try implementation.cipher(example.key)
    let nonce = try #require(SealNonce(octets: example.nonce))
    #expect(cipher.sealed(example.text, example.header, nonce) == example.sealed)
    #expect(cipher.opened(example.sealed, example.header, nonce) == example.text)
  }

  @Test(arguments: Implementation.present)
  func `no bit can be changed, and then nothing comes out`(implementation: Implementation) throws {
    let cipher = try implementation.cipher(Array(0..<32))
    let nonce = SealNonce(type: 1, number: 7)
    let header = [UInt8](repeating: 3, count: 24)
    let text = (0..<150).map { UInt8($0) }
    let sealed = try #require(cipher.sealed(text, header, nonce))
    for bit in 0..<sealed.count * 8 {
      #expect(cipher.opened(sealed.flipped(bit), header, nonce) == nil, "bit \(bit)")
    }
    for bit in 0..<header.count * 8 {
      #expect(cipher.opened(sealed, header.flipped(bit), nonce) == nil, "bit \(bit)")
    }
    for bit in 0..<SealNonce.count * 8 {
      let other = try #require(
        SealNonce(octets: nonce.withUnsafeBytes { Array($0) }.flipped(bit)))
      #expect(cipher.opened(sealed, header, other) == nil, "bit \(bit)")
    }
    for bit in 0..<256 {
      let other = try implementation.cipher(Array(0..<32).flipped(bit))
      #expect(other.opened(sealed, header, nonce) == nil, "bit \(bit)")
    }
    #expect(cipher.opened(sealed, header, nonce) == text, "or the loop proves nothing")
  }

  @Test(arguments: Implementation.present)
  func `what is cut off or longer does not open`(implementation: Implementation) throws {
    let cipher = try implementation.cipher(Array(0..<32))
    let nonce = SealNonce(type: 2, number: 1)
    let sealed = try #require(cipher.sealed([1, 2, 3, 4, 5], [9, 9], nonce))
    for count in 0..<sealed.count {
      #expect(cipher.opened(Array(sealed.prefix(count)), [9, 9], nonce) == nil)
    }
    #expect(cipher.opened(sealed + [0], [9, 9], nonce) == nil)
    #expect(cipher.opened(sealed, [9], nonce) == nil)
    // An octet that goes from the header to the text.
    #expect(cipher.opened([9] + sealed, [9], nonce) == nil)
    let noRoom = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    let isOpen = sealed.withUnsafeBytes { sealed in
      [UInt8]([9, 9]).withUnsafeBytes {
        cipher.open(sealed, into: noRoom, header: $0, nonce: nonce)
      }
    }
    #expect(!isOpen)
    let isSealed = cipher.seal(
      noRoom, header: UnsafeRawBufferPointer(start: nil, count: 0), nonce: nonce)
    #expect(!isSealed)
  }

  @Test(arguments: Implementation.present)
  func `nothing is something that can be sealed`(implementation: Implementation) throws {
    let cipher = try implementation.cipher(Array(0..<32))
    let nonce = SealNonce(type: 2, number: 1)
    let sealed = try #require(cipher.sealed([], [], nonce))
    #expect(sealed.count == Seal.tagSize)
    let nothing: [UInt8] = []
    #expect(cipher.opened(sealed, [], nonce) == nothing)
    #expect(cipher.opened(sealed, [0], nonce) == nil)
  }

  @Test(arguments: Implementation.present)
  func `octets may lie at any address, and none beside them is touched`(
    implementation: Implementation
  ) throws {
    let cipher = try implementation.cipher(Array(0..<32))
    let nonce = SealNonce(type: 1, number: 3)
    let text = (0..<333).map { UInt8(truncatingIfNeeded: $0) }
    let expected = try #require(cipher.sealed(text, [1], nonce))
    for offset in 0..<17 {
      let border = [UInt8](repeating: 0xbb, count: offset)
      var room = border + text + [UInt8](repeating: 0, count: Seal.tagSize) + border
      let isSealed = room.withUnsafeMutableBytes { room in
        [UInt8(1)].withUnsafeBytes { header in
          cipher.seal(
            UnsafeMutableRawBufferPointer(
              rebasing: room[offset..<(room.count - offset)]), header: header, nonce: nonce)
        }
      }
      #expect(isSealed && room == border + expected + border)
    }
  }
}
