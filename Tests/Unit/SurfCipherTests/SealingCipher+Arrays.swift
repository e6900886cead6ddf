import SurfSeal

extension SealingCipher {
  /// Nil if it could not.
  func sealed(_ text: [UInt8], _ header: [UInt8], _ nonce: SealNonce) -> [UInt8]? {
    var room = text + [UInt8](repeating: 0, count: Seal.tagSize)
    let isSealed = room.withUnsafeMutableBytes { room in
      header.withUnsafeBytes { seal(room, header: $0, nonce: nonce) }
    }
    return isSealed ? room : nil
  }

  /// Nil if it does not open; then it must have left nothing.
  func opened(_ sealed: [UInt8], _ header: [UInt8], _ nonce: SealNonce) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: max(0, sealed.count - Seal.tagSize))
    let isOpen = room.withUnsafeMutableBytes { room in
      sealed.withUnsafeBytes { sealed in
        header.withUnsafeBytes { open(sealed, into: room, header: $0, nonce: nonce) }
      }
    }
    precondition(isOpen || room.allSatisfy { $0 == 0 }, "octets of a forgery are in the room")
    return isOpen ? room : nil
  }
}

extension [UInt8] {
  func flipped(_ bit: Int) -> [UInt8] {
    var copy = self
    copy[bit / 8] ^= 1 << UInt8(bit % 8)
    return copy
  }
}
