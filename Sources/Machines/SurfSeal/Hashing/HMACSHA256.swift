/// HMAC with SHA-256 under one key (RFC 2104), for many messages: it computes only once what
/// depends on the key alone.
package struct HMACSHA256: Secret, Sendable {
  private let inner: SIMD8<UInt32>
  private let outer: SIMD8<UInt32>

  package init(key: [UInt8]) {
    var block = [UInt8](repeating: 0, count: SHA256.blockSize)
    let key = key.count > block.count ? Self.shortened(key) : key
    block.replaceSubrange(..<key.count, with: key)
    inner = Self.midstate(block.map { $0 ^ 0x36 })
    outer = Self.midstate(block.map { $0 ^ 0x5c })
  }

  package func tag(of message: [UInt8]) -> Octets32 {
    var hash = SHA256(resuming: inner, after: UInt64(SHA256.blockSize))
    hash.update(message)
    let middle = hash.finish()
    hash = SHA256(resuming: outer, after: UInt64(SHA256.blockSize))
    hash.update(middle.octets)
    return hash.finish()
  }

  private static func shortened(_ key: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(key)
    return hash.finish().octets
  }

  private static func midstate(_ block: [UInt8]) -> SIMD8<UInt32> {
    var hash = SHA256()
    hash.update(block)
    return hash.midstate
  }
}

/// HKDF with SHA-256 (RFC 5869), which derives all keys of Protocol.md §18.1.
package enum HKDF {
  /// The most octets from one key for one purpose: RFC 5869 §2.3 numbers blocks with one octet.
  package static let outputCountMax = 255 * Octets32.count

  /// A uniform key from a secret that need not be uniform (RFC 5869 §2.2).
  package static func extract(salt: [UInt8], secret: [UInt8]) -> Octets32 {
    HMACSHA256(key: salt).tag(of: secret)
  }

  /// `count` octets derived from a key for one purpose (RFC 5869 §2.3).
  ///
  /// - Precondition: `count` is at most `outputCountMax`.
  package static func expand(_ key: HMACSHA256, info: [UInt8], count: Int) -> [UInt8] {
    precondition(count <= outputCountMax, "no number is left for another block")
    var output: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 0
    while output.count < count {
      number &+= 1
      block = key.tag(of: block + info + [number]).octets
      output += block
    }
    return Array(output.prefix(count))
  }

  /// The first 32 octets of the same.
  package static func expand(_ key: HMACSHA256, info: [UInt8]) -> Octets32 {
    key.tag(of: info + [1])
  }
}
