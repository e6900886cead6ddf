import SurfDelta
import SurfWire

/// A state told as what it differs in from one that the app has sent (Protocol.md §11.8).
package struct ResetDifference: Equatable, Sendable {
  /// Why the state cannot be made.
  enum Failure: Error {
    /// The app does not hold the state that it differs from.
    case expired
    /// What comes out is not what the viewer meant.
    case mismatch
  }

  private let difference: Difference
  /// Of the state that is meant.
  private let digest: Digest

  package init(_ difference: Difference, to state: Content, key: DigestKey) {
    self.difference = difference
    digest = Digest(of: state, key: key)
  }

  init(decoding bytes: [UInt8]) throws(Failure) {
    do throws(WireError) {
      digest = try Digest(leading: bytes)
    } catch {
      throw .mismatch
    }
    do throws(DifferenceError) {
      difference = try Difference(
        decoding: Array(bytes.dropFirst(Digest.size)), sizeMax: Limits.contentSizeMax)
    } catch {
      throw .mismatch
    }
  }

  package var encoded: [UInt8] { digest.encoded + difference.encoded() }

  /// The state that is meant.
  ///
  /// - Parameter stateOf: what the app has sent with a record; nil if it holds that no more.
  func state(
    of type: String, key: DigestKey, from stateOf: (SequenceNumber) -> Content?
  ) throws(Failure) -> Content {
    guard var state = stateOf(SequenceNumber(difference.base)) else { throw .expired }
    do throws(DifferenceError) {
      try difference.apply(inPlace: &state.bytes)
    } catch {
      throw .mismatch
    }
    state.type = type
    guard Digest(of: state, key: key) == digest else { throw .mismatch }
    return state
  }
}
