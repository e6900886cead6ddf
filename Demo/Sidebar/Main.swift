import DemoSupport
import StateSurf
import StateSurfDebugger
import SurfStore

@main
enum Main {
  static let help = """
    Sidebar: a counter, and at its side a debugger of it, in one terminal.

    Usage: Sidebar [--help]

    + and - count, q leaves, Ctrl-T gives the keys to the debugger and back.
    """

  static func main() {
    let arguments: Arguments
    do {
      arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Terminal.misused("Sidebar", error.message)
    }
    if arguments.isHelpWanted { return Terminal.say(help) }
    let history = HistoryTransceiver<Tally>(name: "Sidebar")
    history.resume()
    do {
      try run(history)
    } catch {
      Terminal.say("Sidebar: \(error)")
    }
    history.suspend()
  }

  private static func run(_ history: HistoryTransceiver<Tally>) throws(AppDebuggerError) {
    guard let console = Console() else { throw .noTerminal }
    let signals = Signals {
      console.giveBack()
      history.suspend()
    }
    defer {
      console.giveBack()
      withExtendedLifetime(signals) {}
    }
    var size = console.size
    let pane = try DebuggerPane(
      history.transceiver, columns: paneWidth(size.columns), rows: size.rows)
    var hasDebuggerKeys = false
    var shown: Picture?
    while let bytes = console.read() {
      for (index, keys) in bytes.split(separator: controlT, omittingEmptySubsequences: false)
        .enumerated()
      {
        if index > 0 { hasDebuggerKeys.toggle() }
        if hasDebuggerKeys {
          pane.receive(Array(keys))
        } else if !obey(keys, history.store) {
          return
        }
      }
      if pane.isClosed { return }
      if console.size != size {
        size = console.size
        pane.resize(columns: paneWidth(size.columns), rows: size.rows)
        shown = nil
      }
      pane.refresh()
      let picture = Picture(
        rows: size.rows, state: history.store.state, hasDebuggerKeys: hasDebuggerKeys,
        pane: pane.lines)
      if picture != shown { console.write(picture.text) }
      shown = picture
    }
  }

  private static let controlT: UInt8 = 0x14

  private static func paneWidth(_ columns: Int) -> Int { columns - Picture.panelWidth - 1 }

  /// False if it is time to leave.
  private static func obey(
    _ bytes: ArraySlice<UInt8>, _ store: Store<Tally.Action, Tally.State>
  ) -> Bool {
    for character in String(decoding: bytes, as: UTF8.self) {
      switch character {
      case "+": store.dispatch(.up)
      case "-": store.dispatch(.down)
      case "q", "\u{3}": return false
      default: break
      }
    }
    return true
  }
}
