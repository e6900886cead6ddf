import Foundation
import SurfCipher
import SurfSeal
import TestSupport
import Testing

/// Ours and the library's are one cipher.
@Suite struct AgreementTests {
  private static let library = try? CryptoLibrary()
  private static let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"

  /// Unoptimized, ours takes a hundred times as long.
  private static var count: Int {
    isLong ? 1_000_000 : _isDebugAssertConfiguration() ? 300 : 10_000
  }

  @Test(.enabled(if: library != nil, "there is no libcrypto.so.3"))
  func `each opens what the other sealed, whatever its length`() throws {
    let library = try #require(Self.library)
    var random = SeededGenerator(seed: 8439)
    // Each length around the first blocks, and then any that a datagram may have.
    let lengths =
      (0...260) + (0..<Self.count).map { _ in Int.random(in: 0...1_500, using: &random) }
    for length in lengths {
      let key = SenderKey(try #require(Octets32(Self.octets(32, &random))))
      let nonce = try #require(SealNonce(octets: Self.octets(SealNonce.count, &random)))
      let header = Self.octets(Int.random(in: 0...40, using: &random), &random)
      let text = Self.octets(length, &random)
      let ours = ChaChaPoly(key)
      let theirs = try #require(CryptoLibraryCipher(key, library: library))
      let sealed = try #require(ours.sealed(text, header, nonce))
      try #require(theirs.sealed(text, header, nonce) == sealed, "\(length)")
      try #require(ours.opened(sealed, header, nonce) == text, "\(length)")
      try #require(theirs.opened(sealed, header, nonce) == text, "\(length)")
    }
  }

  @Test(.enabled(if: library != nil, "there is no libcrypto.so.3"))
  func `a context that failed to open still opens what is right`() throws {
    let library = try #require(Self.library)
    let key = SenderKey(try #require(Octets32(0..<32)))
    let cipher = try #require(CryptoLibraryCipher(key, library: library))
    for number in 1...20 as ClosedRange<UInt64> {
      let nonce = SealNonce(type: 1, number: .init(number))
      let sealed = try #require(cipher.sealed([1, 2, 3], [], nonce))
      #expect(cipher.opened(sealed.flipped(3), [], nonce) == nil)
      let text: [UInt8] = [1, 2, 3]
      #expect(cipher.opened(sealed, [], nonce) == text)
    }
  }

  @Test(.enabled(if: library != nil, "there is no libcrypto.so.3"))
  func `many threads may use one cipher`() throws {
    let library = try #require(Self.library)
    let key = SenderKey(try #require(Octets32(0..<32)))
    let cipher = try #require(CryptoLibraryCipher(key, library: library))
    let ours = ChaChaPoly(key)
    let wrong = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<200 {
        let text = [UInt8](repeating: UInt8(thread), count: number)
        let nonce = SealNonce(type: UInt8(thread), number: .init(UInt64(number)))
        let sealed = cipher.sealed(text, [], nonce)
        let isRight =
          sealed == ours.sealed(text, [], nonce)
          && sealed.map { cipher.opened($0, [], nonce) == text } == true
        if !isRight { wrong.add() }
      }
    }
    #expect(wrong.count == 0)
  }

  private static func octets(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(count + 8)
    while octets.count < count {
      let number = random.next()
      for shift in stride(from: 0, to: 64, by: 8) {
        octets.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    return Array(octets.prefix(count))
  }
}

/// Counted by several threads.
// Unchecked: the lock guards the count.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  var count: Int { lock.withLock { value } }
  func add() { lock.withLock { value += 1 } }
}
