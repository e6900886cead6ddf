import SurfWire

/// Something for the clipboard.
package struct CopyRequest: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case bytes([UInt8])
    /// All of a row, as `watch --json` prints it.
    case row(SessionID, SequenceNumber)
  }

  /// In a word or two, for the answer.
  package let title: String
  package let content: Content

  init(_ title: String, _ content: Content) {
    self.title = title
    self.content = content
  }

  init(_ title: String, text: String) { self.init(title, .bytes(Array(text.utf8))) }
}
