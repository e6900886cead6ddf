/// The first octets of a scalar in UTF-8.
struct PartialScalar: Equatable, Sendable {
  enum Step: Equatable {
    case partial(PartialScalar)
    case whole(Unicode.Scalar)
    /// Complete, and no scalar: too long, or half of a pair.
    case nothing
    /// The octet does not belong to it.
    case broken
  }

  private var bits: UInt32
  private var left: Int
  /// The least that needs as many octets.
  private let least: UInt32

  /// `first` is from C2 to F4.
  init(first: UInt8) {
    switch first {
    case ..<0xE0: (bits, left, least) = (UInt32(first & 0x1F), 1, 0x80)
    case ..<0xF0: (bits, left, least) = (UInt32(first & 0x0F), 2, 0x800)
    default: (bits, left, least) = (UInt32(first & 0x07), 3, 0x10000)
    }
  }

  func adding(_ byte: UInt8) -> Step {
    guard 0x80...0xBF ~= byte else { return .broken }
    var next = self
    next.bits = bits << 6 | UInt32(byte & 0x3F)
    next.left -= 1
    if next.left > 0 { return .partial(next) }
    // C1 characters are no keys.
    guard next.bits >= max(least, 0xA0), let scalar = Unicode.Scalar(next.bits) else {
      return .nothing
    }
    return .whole(scalar)
  }
}
