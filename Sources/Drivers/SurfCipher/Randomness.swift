import Glibc
package import SurfSeal

/// Unpredictable octets from the kernel, for group keys and the gateway's access tokens.
package enum Randomness {
  /// The kernel returned none. `number` is its error number.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: CInt

    package var description: String {
      "the kernel returned no random octets: " + String(cString: strerror(number))
    }
  }

  /// Blocks early in the machine's boot, until the kernel has randomness.
  ///
  /// - Precondition: `count` is at most 256.
  package static func octets(_ count: Int) throws(Failure) -> [UInt8] {
    precondition(0...256 ~= count, "getentropy(3) gives no more in one call")
    var octets = [UInt8](repeating: 0, count: count)
    let number = octets.withUnsafeMutableBytes { bytes in
      guard let address = bytes.baseAddress else { return CInt(0) }
      // This calls getrandom(2), and never returns fewer octets.
      return getentropy(address, bytes.count) == 0 ? 0 : errno
    }
    guard number == 0 else { throw Failure(number: number) }
    return octets
  }
}

extension GroupKey {
  package static func random() throws(Randomness.Failure) -> GroupKey {
    guard let octets = Octets32(try Randomness.octets(Octets32.count)) else {
      preconditionFailure("as many as were asked for")
    }
    return GroupKey(.drive, octets)
  }
}
