import TerminalScreen
import Testing

@Suite struct ClipboardTests {
  @Test func `whatever is copied goes out as base64`() {
    let bytes = Clipboard.bytes(toHold: Array("\u{1B}]52;c;".utf8)) ?? []
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}]52;c;G101MjtjOw==\u{1B}\\")
  }

  @Test func `what a terminal would cut is not sent`() {
    let largest = Clipboard.bytes(toHold: Array(repeating: 0x61, count: Clipboard.sizeMax))
    #expect(largest.map { $0.count <= 100_000 } == true)
    #expect(Clipboard.bytes(toHold: Array(repeating: 0x61, count: Clipboard.sizeMax + 1)) == nil)
  }

  @Test func `the mouse is switched off alone, and stays off`() {
    var modes = TerminalModes()
    modes.takesMouse = false
    let on = String(decoding: modes.on, as: UTF8.self)
    #expect(!on.contains("1000h") && on.contains("2004h"))
    #expect(String(decoding: modes.mouseBytes, as: UTF8.self).contains("1000l"))
  }
}
