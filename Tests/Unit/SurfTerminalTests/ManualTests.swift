import SurfDebugger
import SurfTerminal
import SurfTimeline
import SurfViewer
import TerminalScreen
import Testing

@Suite struct ManualTests {
  @Test func `the page has the keys, the queries and the files`() {
    let page = ManualPage.lines
    for command in ViewerCommand.allCases {
      #expect(page.contains("\(command.spec.title.replacing("-", with: "\\-"))."))
      #expect(page.contains { $0.hasSuffix("(\(command.rawValue))") })
    }
    #expect(page.contains("\\fBUp k\\fR (up)") && page.contains("(reset)"))
    for line in QueryHelp.lines {
      #expect(page.contains { $0.replacing("\\-", with: "-").replacing("\\e", with: "\\") == line })
    }
    for file in ["settings", "key"] {
      #expect(page.contains(".I ~/.config/statesurf/\(file)"))
    }
  }

  @Test(arguments: Subcommand.listed.map(\.name))
  func `the palette has a command, or the shell's, for the word of every subcommand`(name: String) {
    var setting = Debugger.Setting()
    setting.subcommands = Subcommand.all.map(ShellSubcommand.init)
    var debugger = Debugger(setting, size: ScreenSize(width: 100, height: 30))
    let catalog = Catalog()
    for key in [":"] + name.map({ CommandKey(String($0)) }) {
      _ = debugger.receive(.key(key), in: catalog, at: .zero)
    }
    let own = ViewerCommand.allCases.filter { $0.rawValue == name || $0.spec.words.contains(name) }
    let first = DebuggerPicture.screen(of: debugger, in: catalog).lines[2]
    let isOfShell = ["completions", "doctor", "gateway", "key", "manual", "report", "wait"]
      .contains(name)
    let titles = own.map(\.spec.title) + (isOfShell ? ["in a shell, statesurf \(name): "] : [])
    #expect(own.isEmpty == isOfShell && titles.contains { first.contains($0) }, "\(first)")
  }

  @Test func `what needs no network takes no options of one`() {
    #expect(Subcommand.named("manual")?.options == [.help])
    #expect(Subcommand.named("list")?.options.contains(.interface) == true)
  }
}
