import Glibc
package import SurfSeal

/// Octets that nobody can foresee, from the kernel: what keys and numbers of senders are made of.
package enum Randomness {
  /// The kernel has none to give: `number` is its error's.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let number: CInt

    package var description: String {
      "the kernel gives no random octets: " + String(cString: strerror(number))
    }
  }

  /// Waits while the machine starts and has none yet.
  ///
  /// - Precondition: `count` is at most 256.
  package static func octets(_ count: Int) throws(Failure) -> [UInt8] {
    precondition(0...256 ~= count, "getentropy(3) gives no more in one call")
    var octets = [UInt8](repeating: 0, count: count)
    let number = octets.withUnsafeMutableBytes { bytes in
      guard let address = bytes.baseAddress else { return CInt(0) }
      // It is getrandom(2), and never comes back with less.
      return getentropy(address, bytes.count) == 0 ? 0 : errno
    }
    guard number == 0 else { throw Failure(number: number) }
    return octets
  }

  package static func number() throws(Failure) -> UInt64 {
    try octets(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension GroupKey {
  /// A new drive key, which nobody else has.
  package static func random() throws(Randomness.Failure) -> GroupKey {
    guard let octets = Octets32(try Randomness.octets(Octets32.count)) else {
      preconditionFailure("as many as were asked for")
    }
    return .drive(DriveKey(octets))
  }
}
