import SurfBasics

/// Sets the clipboard of the person's machine through the terminal (OSC 52), even through tmux and
/// ssh. Terminals do not confirm it.
package enum Clipboard {
  /// Some terminals stop at 100,000 octets of base64.
  package static let sizeMax = 74_000

  /// Nil if the content is larger.
  package static func bytes(toHold content: [UInt8]) -> [UInt8]? {
    guard content.count <= sizeMax else { return nil }
    return Array("\u{1B}]52;c;\(Base64.text(content))\u{1B}\\".utf8)
  }
}
