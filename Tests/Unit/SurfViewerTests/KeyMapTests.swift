import SurfViewer
import TestSupport
import Testing

@Suite struct KeyMapTests {
  @Test func `without a choice keys are those of the table`() {
    let map = KeyMap()
    for command in ViewerCommand.allCases {
      #expect(map.keys(of: command) == command.spec.keys)
      for key in command.spec.keys { #expect(map.command(of: key) == command) }
    }
    #expect(map.conflicts.isEmpty)
  }

  @Test func `a choice takes the place of the command's keys`() {
    let map = KeyMap([.init(.surf, ["F5", "Ctrl-s"])])
    #expect(map.command(of: "F5") == .surf && map.command(of: "Ctrl-s") == .surf)
    #expect(map.command(of: "s") == nil && map.conflicts.isEmpty)
    let none = KeyMap([.init(.surf, [])])
    #expect(none.command(of: "s") == nil)
  }

  @Test func `a key that another command has is told, and the choice does not count`() {
    let taken = KeyMap.Binding(.surf, ["S"])
    let map = KeyMap([taken])
    #expect(map.command(of: "s") == .surf && map.command(of: "S") == .save)
    let conflict = map.conflicts.first
    let key: CommandKey = "S"
    #expect(conflict?.binding == taken && conflict?.key == key && conflict?.other == .save)
  }

  @Test func `two commands may change their keys for each other's`() {
    let map = KeyMap([.init(.surf, ["S"]), .init(.save, ["s"])])
    #expect(map.command(of: "S") == .surf && map.command(of: "s") == .save)
    #expect(map.conflicts.isEmpty)
  }

  @Test(arguments: 0..<200)
  func `no key has two meanings, whatever was chosen`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let keys: [CommandKey] = ["s", "S", "x", "F5", "F6", "Up"]
    let bindings = (0..<6).map { _ in
      KeyMap.Binding(
        [.surf, .save, .toggle, .undo].randomElement(using: &random) ?? .surf,
        (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
          keys.randomElement(using: &random)
        })
    }
    let map = KeyMap(bindings)
    var owners: [CommandKey: ViewerCommand] = [:]
    for command in ViewerCommand.allCases {
      for key in Set(map.keys(of: command)) {
        #expect(owners.updateValue(command, forKey: key) == nil)
        #expect(map.command(of: key) == command)
      }
    }
  }

  @Test func `keys are read as they are written`() {
    let named: CommandKey = "PageUp"
    #expect(CommandKey(written: "PageUp") == named)
    let space: CommandKey = " "
    #expect(CommandKey(written: "Space") == space)
    #expect(CommandKey(written: "Ctrl-x") != nil && CommandKey(written: "é") != nil)
    #expect(CommandKey(written: "xy") == nil && CommandKey(written: "") == nil)
    #expect(CommandKey(written: "Ctrl-") == nil && CommandKey(written: "F13") == nil)
    #expect(CommandKey(written: "7")?.isFixed == true && CommandKey(written: "s")?.isFixed == false)
  }
}
