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
    #expect(conflict?.binding == taken && conflict?.key == key && conflict?.rival.command == .save)
  }

  @Test func `two commands may change their keys for each other's`() {
    let map = KeyMap([.init(.surf, ["S"]), .init(.save, ["s"])])
    #expect(map.command(of: "S") == .surf && map.command(of: "s") == .save)
    #expect(map.conflicts.isEmpty)
  }

  @Test(arguments: [
    ("y", "'y' begins 'y>v', a key of 'copyValue'"), ("s", "'s' is the key of 'surf'"),
    ("s x", "'s>x' begins with 's', the key of 'surf'"),
    ("y v", "'y>v' is the key of 'copyValue'"),
  ])
  func `a first stroke is taken, and so is the beginning of two`(name: String, reason: String) {
    let map = KeyMap([.init(.copyPath, ["F6", CommandKey(name)])])
    let usual = ViewerCommand.copyPath.spec.keys
    #expect(map.keys(of: .copyPath) == usual)
    #expect(map.command(of: "F6") == nil && map.conflicts.map(\.reason) == [reason])
  }

  @Test func `a command's own keys may not hide one another`() {
    let reasons = KeyMap([.init(.mark, ["m", "m m"])]).conflicts.map(\.reason)
    #expect(reasons == ["'m>m' begins with 'm', the key of 'mark'"])
    #expect(KeyMap([.init(.mark, ["m m", "m x", "m m"])]).conflicts == [])
  }

  @Test func `a beginning is free once all of its commands have other keys`() {
    let copying: [ViewerCommand] = [
      .copyPath, .copyValue, .copyDiff, .copyRow, .copySource, .copyCommand,
    ]
    let freed = copying.map { KeyMap.Binding($0, []) }
    let map = KeyMap(freed + [.init(.surf, ["y"])])
    #expect(map.command(of: "y") == .surf && map.begun(by: "y").isEmpty && map.conflicts.isEmpty)
    let most = KeyMap(freed.dropLast() + [.init(.surf, ["y"])])
    #expect(most.conflicts.map(\.rival.command) == [.copyCommand])
  }

  @Test func `of two bindings of a command the last counts, or none`() {
    let map = KeyMap([.init(.surf, ["F5"]), .init(.surf, ["S"])])
    let usual: CommandKey = "s"
    #expect(map.keys(of: .surf) == [usual] && map.conflicts.count == 1)
  }

  @Test(arguments: 0..<200)
  func `no key has two meanings, whatever was chosen`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let keys: [CommandKey] = ["s", "S", "x", "F5", "F6", "Up", "y", "y p", "s x", "F5 s"]
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
        #expect(map.begun(by: key).isEmpty)
      }
    }
  }

  @Test func `keys are written as they are read`() {
    for key in ViewerCommand.allCases.flatMap(\.spec.keys) + [" ", "Ctrl-Space", "> >", "F5 y"] {
      #expect(CommandKey(written: key.written) == key)
    }
    let both: CommandKey = "y >"
    #expect(CommandKey(written: "y>>") == both && both.label == "y>>")
    let capital: CommandKey = "Ctrl-s"
    #expect(CommandKey(written: "Ctrl-S") == capital)
  }

  @Test(arguments: [
    "y>", ">p", "y>p>q", "y p", "yp", "Ctrl-i", "Ctrl-1", "Ctrl-Enter", "Shift-x", "Shift-Ctrl-Up",
    "\u{1}", "\u{A0}", "\u{301}", "👩‍👩‍👧", "Ctrl-é", "Insert", "up",
  ])
  func `what not every terminal has is no key`(word: String) {
    #expect(CommandKey(written: word) == nil)
  }

  @Test func `two keys may not begin with a fixed one, nor end with one that leaves`() {
    let fixed = ["1>y", "~>y", "Ctrl-c>y", "y>Esc", "y>Ctrl-c", "Ctrl-c", "7"]
    let free = ["y>1", "y>~", "F5>F5", "Space>Space", "Esc"]
    #expect(fixed.allSatisfy { CommandKey(written: $0)?.isFixed == true })
    #expect(free.allSatisfy { CommandKey(written: $0)?.isFixed == false })
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
