/// HKDF with SHA-256 (RFC 5869).
package enum HKDF {
  /// Octets that one key gives for one purpose: RFC 5869 §2.3 numbers blocks with one octet.
  package static let outputCountMax = 255 * Octets32.count

  /// An even key out of a secret that need not be one (RFC 5869 §2.2).
  package static func extract(salt: [UInt8], secret: [UInt8]) -> Octets32 {
    HMACSHA256(key: salt).tag(of: secret)
  }

  /// `count` octets out of a key, for one purpose (RFC 5869 §2.3).
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

  /// The first 32 octets of that.
  package static func expand(_ key: HMACSHA256, info: [UInt8]) -> Octets32 {
    key.tag(of: info + [1])
  }
}
