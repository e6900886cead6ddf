import SurfTerminal
import Testing

@Suite struct ManualTests {
  @Test(arguments: Shell.allCases)
  func `every subcommand and every option is completed`(shell: Shell) {
    let script = shell.completions.joined(separator: "\n")
    for subcommand in Subcommand.allCases {
      #expect(script.contains(subcommand.rawValue))
      for option in subcommand.options { #expect(script.contains(option.word)) }
    }
  }

  @Test func `a word is offered what it may be`() {
    #expect(Subcommand.watch.candidates == [.instances])
    #expect(Subcommand.save.candidates.last == .files)
    #expect(Subcommand.completions.candidates == [.words(["bash", "zsh", "fish"])])
    #expect(Subcommand.back.candidates == [.nothing])
    #expect(OptionName.with.candidates == .instances)
  }

  @Test func `what needs no network takes no options of one`() {
    #expect(Subcommand.manual.options == [.help])
    #expect(Subcommand.list.options.contains(.interface))
  }
}
