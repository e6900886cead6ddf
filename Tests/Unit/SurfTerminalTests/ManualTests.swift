import SurfTerminal
import Testing

@Suite struct ManualTests {
  @Test(arguments: Shell.allCases)
  func `every subcommand and every option is completed`(shell: Shell) {
    let script = shell.completions.joined(separator: "\n")
    for subcommand in Subcommand.listed {
      #expect(script.contains(subcommand.name))
      for option in subcommand.options { #expect(script.contains(option.word)) }
    }
  }

  @Test func `a word is offered what it may be`() {
    #expect(Subcommand.named("watch")?.candidates == [.instances])
    #expect(Subcommand.named("save")?.candidates.last == .files)
    #expect(Subcommand.named("move")?.candidates.map { $0 != .nothing } == [true, true])
    #expect(Subcommand.named("completions")?.candidates == [.words(["bash", "zsh", "fish"])])
    #expect(Subcommand.named("back")?.candidates == [.nothing])
    #expect(OptionName.with.candidates == .instances)
  }

  @Test func `what needs no network takes no options of one`() {
    #expect(Subcommand.named("manual")?.options == [.help])
    #expect(Subcommand.named("list")?.options.contains(.interface) == true)
  }
}
