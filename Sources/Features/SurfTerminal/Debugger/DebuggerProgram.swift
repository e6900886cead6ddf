import DebuggerDriver
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
    _ common: Invocation.Common, _ configuration: Observer.Configuration, _ output: Output,
    _ signals: Signals
  ) throws(Failure) -> Int32 {
    let terminal = output.terminal
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
    let queue = DebuggerQueue(waker: screen.waker)
    signals.tell(queue)
    var setting = Debugger.Setting()
    setting.viewerName = configuration.viewerName
    setting.secondsFromGMT = terminal.secondsFromGMT
    setting.waits = common.instance == nil && options.appAtLaunch == "none"
    setting.wanted = common.instance ?? (setting.waits ? nil : options.appAtLaunch)
    setting.personal = desk.personal
    setting.interface = configuration.interface
    setting.reach = options.reach
    setting.host = HostFacts.own(on: configuration.interface)
    setting.textWidth =
      options.isAmbiguousWide ? TextWidth(isAmbiguousWide: true) : screen.textWidth
    setting.isASCII = screen.kind.isASCII
    let runner: DebuggerRunner
    let code: Int32
    (runner, code) = try run(screen, setting, configuration, queue, desk, common.timeout)
    screen.close()
    let faults = runner.waitForFiles {
      output.note("still writing a file; Ctrl-C leaves it unwritten")
    }
    for fault in faults { output.note(fault) }
    return code == ExitCode.done && !faults.isEmpty ? ExitCode.failed : code
  }

  private static func run(
    _ screen: Terminal, _ setting: Debugger.Setting, _ configuration: Observer.Configuration,
    _ queue: DebuggerQueue, _ desk: SettingsDesk, _ timeout: Duration
  ) throws(Failure) -> (DebuggerRunner, Int32) {
    let live: LiveCatalog
    do throws(NetworkError) {
      live = try LiveCatalog(configuration: configuration) { queue.push(DebuggerEvent($0)) }
    } catch {
      throw Failure(error)
    }
    defer { live.observer.stop() }
    let source = ObserverSource(live: live, settings: desk, timeout: timeout)
    var setting = setting
    setting.viewer = live.observer.viewer
    let runner = DebuggerRunner(screen, setting, source, queue: queue)
    // Before the observer stops, by which they go.
    defer { runner.waitForFarewells(.milliseconds(500)) }
    do throws(TerminalError) {
      switch try runner.run() {
      case .closed: return (runner, ExitCode.done)
      case .signal(let number): return (runner, 128 + number)
      }
    } catch .closed {
      // Nobody is there to be told.
      return (runner, ExitCode.failed)
    } catch {
      throw Failure("\(error)")
    }
  }
}
