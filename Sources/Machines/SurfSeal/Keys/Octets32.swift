/// 32 octets: what SHA-256 makes, and what a key is.
///
/// They lie in the value itself.
package struct Octets32: Secret, Sendable {
  /// In the order of the octets; each word is big-endian, as SHA-256 counts.
  let words: SIMD8<UInt32>

  init(words: SIMD8<UInt32>) { self.words = words }

  /// Nil if there are not exactly 32.
  package init?(_ octets: some Collection<UInt8>) {
    guard octets.count == Self.count else { return nil }
    var words = SIMD8<UInt32>.zero
    for (index, octet) in octets.enumerated() {
      words[index / 4] = words[index / 4] << 8 | UInt32(octet)
    }
    self.words = words
  }

  package static let count = 32

  /// A copy, for code that encodes it or hands it to a library.
  package var octets: [UInt8] {
    (0..<Self.count).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> UInt32(24 - $0 % 4 * 8)) }
  }
}

extension Octets32: Equatable {
  /// Takes the same time wherever they differ.
  package static func == (left: Octets32, right: Octets32) -> Bool {
    let difference = left.words ^ right.words
    return (0..<8).reduce(UInt32(0)) { $0 | difference[$1] } == 0
  }
}
