import SurfBasics

/// Which key of a ring sealed a datagram, in the clear; another key has the same one by a chance
/// of 1 in 255.
package struct KeyID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package let rawValue: UInt8

  /// Nil for 0, which says that a datagram is not sealed.
  package init?(rawValue: UInt8) {
    guard rawValue > 0 else { return nil }
    self.rawValue = rawValue
  }

  /// Of all 255 ids, each as likely as any other, nearly.
  init(derivedFrom octet: UInt8) { rawValue = octet % 255 + 1 }

  /// Two hexadecimal digits.
  package var description: String { rawValue.digits(2, radix: 16) }
}

/// What people compare to learn whether they have the same key; of a drive key and its watch key,
/// the same.
package struct KeyFingerprint: Hashable, Sendable, CustomStringConvertible {
  package let rawValue: UInt32

  /// Eight hexadecimal digits.
  package var description: String { rawValue.digits(8, radix: 16) }
}
