import DebuggerDriver
import SurfViewer
import TerminalScreen
import Testing

@Suite struct DebuggerKeyTests {
  /// The keys of a keyboard.
  private var strokes: [KeyStroke] {
    let characters = (0x20...0x7E).map { Character(Unicode.Scalar(UInt8($0))) }
    let named: [KeyStroke.Key] = [
      .enter, .tab, .backspace, .escape, .up, .down, .left, .right, .home, .end, .pageUp,
      .pageDown, .delete, .function(1), .function(2),
    ]
    return characters.map { KeyStroke(.character($0)) } + named.map { KeyStroke($0) }
      + characters.map { KeyStroke(.character($0), .control) } + [KeyStroke(.tab, .shift)]
  }

  @Test func `every key of the command table can be pressed`() {
    let keys = Set(strokes.compactMap { CommandKey($0) })
    let missing = ViewerCommand.allCases.flatMap(\.spec.keys).flatMap(\.strokes)
      .filter { !keys.contains($0) }
    #expect(missing == [])
    let typed: Set<CommandKey> = ["Backspace", "Ctrl-u", "Ctrl-w", " "]
    #expect(typed.subtracting(keys) == [])
  }

  /// The octets that a terminal without its own protocol sends.
  private var octets: [[UInt8]] {
    let held = ["", "2", "5", "6"]
    let arrows = held.flatMap { held in
      "ABCDFHPQRS".map { "\u{1B}[\(held.isEmpty ? "" : "1;\(held)")\($0)" }
    }
    let keypad = held.flatMap { held in
      [3, 5, 6, 15, 17, 18, 19, 20, 21, 23, 24].map {
        "\u{1B}[\($0)\(held.isEmpty ? "" : ";\(held)")~"
      }
    }
    return (0..<0x7F).map { [$0] } + (arrows + keypad + ["\u{1B}[Z", "é"]).map { Array($0.utf8) }
  }

  @Test func `a key that may be chosen comes from every terminal, and may be written`() {
    var typed: Set<CommandKey> = []
    for octets in octets {
      var parser = InputParser(escapeDelay: .milliseconds(25))
      let events = parser.receive(octets, at: .zero) + parser.advance(to: .seconds(1))
      for case .key(let stroke) in events {
        guard let key = CommandKey(stroke) else { continue }
        #expect(CommandKey(written: key.written) == key, "\(key)")
        typed.insert(key)
      }
    }
    let characters = (0x20...0x7F).map { String(Unicode.Scalar(UInt8($0))) }
    let named =
      (0...13).map { "F\($0)" } + [
        "Enter", "Tab", "Backspace", "Esc", "Up", "Down", "Left", "Right", "Home", "End", "PageUp",
        "PageDown", "Delete", "Insert", "Space", "é", "e\u{301}", "\u{1}", "",
      ]
    for held in ["", "Ctrl-", "Shift-", "Ctrl-Shift-", "Shift-Ctrl-", "Ctrl-Ctrl-"] {
      for base in characters + named {
        guard let key = CommandKey(written: held + base) else { continue }
        #expect(typed.contains(key), "\(held)\(base)")
      }
    }
  }

  @Test func `a key held with Alt is none of ours`() {
    let key = CommandKey(KeyStroke(.character("q"), .alt))
    #expect(key == nil)
  }
}
