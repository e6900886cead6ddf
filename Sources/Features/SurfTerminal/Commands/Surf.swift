import DebuggerDriver
import SurfDebugger
import SurfObserver
import SurfSockets
import TerminalScreen

extension Subcommand {
  static let surf = Self(
    "surf", in: .see, "Browse an app's history, and put it into any state in it",
    positionals: [.instance],
    options: [.instance, .newestFirst, .ambiguousWide, .connectAtLaunch, .sources, .observe],
    moving: [.open],
    examples: [
      ("surf", "the first live instance; } shows the next"),
      ("surf PrimeTime", "that one, as soon as it is live"),
      ("surf --interface eth0", "apps on the LAN"),
    ],
    notes: [
      "Takes the whole terminal. Looking never moves an app; s does, and u undoes that. ? shows",
      "all keys, finds commands by words, and runs them; q quits. On a terminal, statesurf without",
      "a subcommand does the same.",
    ], makes: DebuggerOptions.init)
}

extension ShellSubcommand {
  package init(_ subcommand: Subcommand) {
    self.init(
      subcommand.name, subcommand.summary,
      takesInstance: subcommand.options.contains(.instance),
      takesReach: subcommand.options.contains(.interface))
  }
}

/// The options of `statesurf surf`, the debugger.
package struct DebuggerOptions: Command {
  package var isAmbiguousWide = false
  /// The app to show first, or `none` to wait for the user's choice.
  package var appAtLaunch: String?
  /// Folders with sources, separated by colons.
  package var sources: String?
  /// The options of the command line itself, which override the settings.
  package var given: Set<OptionName> = []
  /// The options that make another command find the same apps, as far as they are set here.
  package var reach: [String] = []

  package init() {}

  init(_ words: Words) {
    isAmbiguousWide = words.has(.ambiguousWide)
    appAtLaunch = words.text(.connectAtLaunch)
    sources = words.text(.sources)
    given = words.given
    reach = OptionName.reach.flatMap { words.options[$0]?.words(after: $0) ?? [] }
  }

  /// Runs the debugger on the process's terminal, and restores that before it returns or throws.
  package func run(on stage: Stage) throws(Failure) -> Int32 {
    let (common, configuration) = (stage.common, try stage.configuration())
    let (output, terminal, environment) = (stage.output, stage.output.terminal, stage.environment)
    let settings = SettingsStorage(
      environment: environment, options: self, viewerName: terminal.viewerName)
    let screen: Terminal
    do throws(TerminalError) {
      let kind = TerminalKind(environment: environment)
      screen = try Terminal.open(kind: kind)
    } catch {
      throw Failure("\(error)", advice: "statesurf watch")
    }
    defer { screen.close() }
    let queue = DebuggerQueue(waker: screen.waker)
    stage.signals.tell(queue)
    var setting = Debugger.Setting()
    setting.viewerName = configuration.viewerName
    setting.secondsFromGMT = terminal.secondsFromGMT
    setting.waits = common.instance == nil && appAtLaunch == "none"
    setting.wanted = common.instance ?? (setting.waits ? nil : appAtLaunch)
    setting.personal = settings.personal
    setting.interface = configuration.interface
    setting.reach = reach
    setting.observes = common.observes
    setting.subcommands = Subcommand.all.map(ShellSubcommand.init)
    setting.host = common.host
    setting.textWidth =
      isAmbiguousWide ? TextWidth(isAmbiguousWide: true) : screen.textWidth
    setting.isASCII = screen.kind.isASCII
    setting.isLight = screen.isLight
    let (runner, code, farewell) = try Self.run(
      screen, setting, configuration, queue, settings, common.timeout)
    screen.close()
    let faults = runner.waitForFiles {
      output.note("still writing a file; Ctrl-C leaves it unwritten")
    }
    for text in faults + farewell { output.note(text) }
    return code == ExitCode.done && !faults.isEmpty ? ExitCode.failed : code
  }

  private static func run(
    _ screen: Terminal, _ setting: Debugger.Setting, _ configuration: Observer.Configuration,
    _ queue: DebuggerQueue, _ settings: SettingsStorage, _ timeout: Duration
  ) throws(Failure) -> (DebuggerRunner, Int32, farewell: [String]) {
    let live: LiveCatalog
    do throws(SocketError) {
      live = try LiveCatalog(configuration: configuration) { queue.push(DebuggerEvent($0)) }
    } catch {
      throw Failure(error)
    }
    defer { live.observer.stop() }
    let source = ObserverSource(live: live, settings: settings, timeout: timeout)
    var setting = setting
    setting.viewer = live.observer.viewer
    let runner = DebuggerRunner(screen, setting, source, queue: queue)
    // Before the observer stops, which sends the farewells.
    defer { runner.waitForFarewells(.milliseconds(500)) }
    do throws(TerminalError) {
      switch try runner.run() {
      case .closed: return (runner, ExitCode.done, runner.farewell)
      case .signal(let number): return (runner, 128 + number, runner.farewell)
      }
    } catch .closed {
      // The terminal is gone, so nobody can read a message.
      return (runner, ExitCode.failed, [])
    } catch {
      throw Failure("\(error)")
    }
  }
}
