import SurfViewer
import Testing

@Suite struct ViewerCommandTests {
  @Test func `no key has two meanings`() {
    let keys = ViewerCommand.allCases.flatMap(\.spec.keys)
    #expect(Set(keys).count == keys.count)
    for command in ViewerCommand.allCases {
      for key in command.spec.keys { #expect(KeyMap().command(of: key) == command) }
    }
  }

  @Test func `no key of a command is the beginning of another's`() {
    for command in ViewerCommand.allCases {
      for key in command.spec.keys { #expect(KeyMap().begun(by: key).isEmpty) }
    }
    let copying = KeyMap().begun(by: "y").map(\.next.name)
    #expect(copying == ["p", "v", "d", "r", "s", "c"])
  }

  @Test func `every command has a title of its own, and a group that is shown`() {
    let titles = ViewerCommand.allCases.map(\.spec.title)
    #expect(Set(titles).count == titles.count && !titles.contains(""))
    #expect(Set(ViewerCommand.allCases.map(\.spec.group)) == Set(CommandGroup.allCases))
  }

  @Test func `a command that cannot run says why`() {
    let met = Set(CommandNeed.allCases)
    for command in ViewerCommand.allCases {
      #expect(command.unmet(met) == nil)
      for need in command.spec.needs {
        #expect(need.whyNot.count <= 48)
        #expect(command.unmet(met.subtracting([need]))?.whyNot == need.whyNot)
      }
    }
  }

  @Test func `every need is somebody's`() {
    let used = Set(ViewerCommand.allCases.flatMap(\.spec.needs))
    #expect(Set(CommandNeed.allCases).subtracting(used) == [])
  }

  @Test func `keys are named as people read them`() {
    let up: CommandKey = "Up"
    let label = "↑"
    #expect(up.label == label && up.character == nil)
    let letter: CommandKey = "x"
    let typed: Character = "x"
    #expect(letter.character == typed)
  }
}
