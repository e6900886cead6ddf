import Foundation
import SurfDebugger
import SurfNetwork
import SurfObserver
import SurfTTY
import TerminalScreen

/// `statesurf surf`: the debugger on the process's terminal.
enum DebuggerProgram {
  /// Gives the terminal back before it returns or throws.
  static func run(
    _ common: Invocation.Common, _ configuration: Observer.Configuration,
    _ terminal: TerminalFacts, _ signals: Signals
  ) throws(Failure) -> Int32 {
    let environment = ProcessInfo.processInfo.environment
    let options = common.debugger
    let desk = SettingsDesk(
      environment: environment, options: options, viewerName: terminal.viewerName)
    let screen: Terminal
    do throws(TerminalError) {
      let kind = TerminalKind(environment: environment)
      screen = try Terminal.open(kind: kind)
    } catch {
      throw Failure("\(error)", advice: "statesurf watch")
    }
    defer { screen.close() }
    let queue = EventQueue(waker: screen.waker)
    signals.tell(queue)
    var setting = Debugger.Setting()
    setting.viewerName = configuration.viewerName
    setting.secondsFromGMT = terminal.secondsFromGMT
    setting.waits = common.instance == nil && options.appAtLaunch == "none"
    setting.wanted = common.instance ?? (setting.waits ? nil : options.appAtLaunch)
    setting.personal = desk.personal
    setting.interface = configuration.interface
    setting.textWidth = TextWidth(isAmbiguousWide: options.isAmbiguousWide)
    setting.isASCII = screen.kind.isASCII
    return try run(screen, setting, configuration, queue, desk, common.timeout)
  }

  private static func run(
    _ screen: Terminal, _ setting: Debugger.Setting, _ configuration: Observer.Configuration,
    _ queue: EventQueue, _ desk: SettingsDesk, _ timeout: Duration
  ) throws(Failure) -> Int32 {
    let runner: DebuggerRunner
    do throws(NetworkError) {
      runner = try DebuggerRunner(
        screen, setting, configuration, queue: queue, settings: desk, timeout: timeout)
    } catch {
      throw Program.failure(error)
    }
    do throws(TerminalError) {
      return try runner.run()
    } catch .closed {
      // Nobody is there to be told.
      return ExitCode.failed
    } catch {
      throw Failure("\(error)")
    }
  }
}
