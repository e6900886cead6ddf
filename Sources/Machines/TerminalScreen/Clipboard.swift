import SurfBasics

/// The clipboard of the machine at which the person sits: a terminal sets it (OSC 52), through tmux
/// and ssh, and answers nothing.
package enum Clipboard {
  /// More than terminals take: some end at 100,000 octets of base64.
  package static let sizeMax = 74_000

  /// Nil for what is larger.
  package static func bytes(toHold content: [UInt8]) -> [UInt8]? {
    guard content.count <= sizeMax else { return nil }
    return Array("\u{1B}]52;c;\(Base64.text(content))\u{1B}\\".utf8)
  }
}
