package import SurfSeal

extension GroupKey {
  /// A new drive key, which nobody else has.
  package static func random() throws(Randomness.Failure) -> GroupKey {
    guard let octets = Octets32(try Randomness.octets(Octets32.count)) else {
      preconditionFailure("as many as were asked for")
    }
    return .drive(DriveKey(octets))
  }
}
