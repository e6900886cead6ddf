import SurfDelta
import SurfWire

/// A state told by its difference from one that the app has sent (Protocol.md §11.8).
package struct ResetDelta: Equatable, Sendable {
  /// Why the state cannot be made.
  enum Failure: Error {
    /// The app does not hold the base.
    case unavailable
    /// The result is not what the viewer meant.
    case mismatch
  }

  private let delta: Delta
  /// Of the state that the viewer means.
  package let digest: Digest

  package init(_ delta: Delta, digest: Digest) {
    self.delta = delta
    self.digest = digest
  }

  init(decoding bytes: [UInt8]) throws(Failure) {
    do throws(WireError) {
      digest = try Digest(leading: bytes)
    } catch {
      throw .mismatch
    }
    do throws(DeltaError) {
      delta = try Delta(
        decoding: Array(bytes.dropFirst(Digest.size)), sizeMax: Limits.contentSizeMax)
    } catch {
      throw .mismatch
    }
  }

  package var encoded: [UInt8] { digest.encoded + delta.encoded() }

  /// The state that the viewer means.
  ///
  /// - Parameter stateOf: the state that the app has sent with a record; nil if no longer held.
  func state(
    of type: String, key: DigestKey, from stateOf: (SequenceNumber) -> Content?
  ) throws(Failure) -> Content {
    guard var state = stateOf(SequenceNumber(delta.base)) else { throw .unavailable }
    do throws(DeltaError) {
      try delta.apply(inPlace: &state.bytes)
    } catch {
      throw .mismatch
    }
    state.type = type
    guard Digest(of: state, key: key) == digest else { throw .mismatch }
    return state
  }
}
