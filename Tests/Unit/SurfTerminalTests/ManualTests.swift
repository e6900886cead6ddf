import SurfTerminal
import Testing

@Suite struct ManualTests {
  @Test func `what needs no network takes no options of one`() {
    #expect(Subcommand.named("manual")?.options == [.help])
    #expect(Subcommand.named("list")?.options.contains(.interface) == true)
  }
}
