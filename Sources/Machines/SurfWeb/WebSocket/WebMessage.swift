/// A text or binary message, of a WebSocket or of a protocol above it.
package enum WebMessage: Equatable, Sendable {
  case text(String)
  case binary([UInt8])

  /// The size in bytes; of text, as UTF-8.
  package var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}
