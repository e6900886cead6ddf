import DemoSupport
import Foundation
import StateSurf

/// The facts that never change: shown once, and known to every viewer that joins later.
struct Machine: Encodable {
  var system = ProcessInfo.processInfo.operatingSystemVersionString
  var cores = ProcessInfo.processInfo.processorCount
  /// Seconds between samples.
  var interval: Double
}

@main
enum Main {
  static let help = """
    SystemMonitor: the load of this machine, which a viewer can surf.

    Usage: SystemMonitor [--every SECONDS]

      --every SECONDS   take samples every SECONDS (1), until interrupted
      --help            this text
    """

  static func main() {
    let arguments: Arguments
    do {
      arguments = try Arguments(Array(CommandLine.arguments.dropFirst()), defaults: ["--every": 1])
    } catch {
      Terminal.misused("SystemMonitor", error.message)
    }
    if arguments.isHelpWanted { return Terminal.say(help) }
    run(every: arguments.seconds["--every"] ?? 1)
  }

  private static func run(every seconds: Double) -> Never {
    let history = HistoryTransceiver<App>(name: "SystemMonitor")
    history.resume()
    history.transceiver.inspect("machine", Machine(interval: seconds))
    let signals = Signals {
      history.suspend()
      if Terminal.canRedraw { Terminal.say("") }
    }
    let sampler = Sampler()
    while true {
      for action in sampler.actions() { history.store.dispatch(action) }
      show(history.store.state.line)
      withExtendedLifetime(signals) { Thread.sleep(forTimeInterval: seconds) }
    }
  }

  /// In place on a terminal: back to the first column, and clear to the right (ECMA-48 EL).
  private static func show(_ line: String) {
    if Terminal.canRedraw { Terminal.write("\r\(line)\u{1B}[K") } else { Terminal.say(line) }
  }
}
