import DebuggerDriver
import SurfViewer
import TerminalScreen
import Testing

@Suite struct DebuggerKeyTests {
  /// What a keyboard has.
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

  @Test func `a key held with Alt is none of ours`() {
    let key = CommandKey(KeyStroke(.character("q"), .alt))
    #expect(key == nil)
  }
}
