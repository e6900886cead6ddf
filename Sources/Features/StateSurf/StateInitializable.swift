#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A state that a viewer can send back. It has an initial value, and can be read from bytes.
///
/// A `Codable` type with `init()` conforms by declaring so.
public protocol StateInitializable: Codable, Sendable {
  /// The state that the app starts in, unless its transceiver is given another one, such as one
  /// from a file. A reset without bytes returns to it.
  init()

  /// The state in `data`; `nil` refuses it, and the app's state does not change.
  ///
  /// Called on one of StateSurf's threads. The default decodes JSON as the configuration's `coding`
  /// encodes it.
  init?(from data: Data)
}

extension StateInitializable {
  /// Decodes JSON; `nil` if `data` is not JSON (RFC 8259), repeats a key in an object, or is not of
  /// this type.
  public init?(from data: Data) {
    do {
      self = try Recorder.decode(Self.self, from: data)
    } catch {
      return nil
    }
  }
}
