import FoundationEssentials
import SurfNetwork

/// The command `statesurf`, without its `main`.
package enum Program {
  /// Runs a command line, given without the program's name, and returns the exit code. Does not
  /// return if a signal ends the command.
  package static func run(_ arguments: [String], gateway: GatewayProvider) -> Int32 {
    let signals = Signals()
    StandardStreams.occupy()
    let output = Output(terminal: TerminalFacts.current())
    let code = output.finish(run(arguments, output, signals, gateway))
    // A shell ends its loop on an interrupt only if the command died from it too.
    if code > 128 { Signals.end(by: code - 128) }
    return code
  }

  private static func run(
    _ arguments: [String], _ output: Output, _ signals: Signals, _ gateway: GatewayProvider
  ) -> Int32 {
    do throws(Failure) {
      let environment = ProcessInfo.processInfo.environment
      let settings = SettingsPlace(environment)?.read()
      for remark in settings?.remarks ?? [] { output.note(remark) }
      let invocation = try ArgumentParser.parse(
        arguments, environment: environment, settings: settings,
        bare: output.terminal.hasKeys ? .surf : nil)
      var common = invocation.common
      let host = HostFacts.current.name
      // On loopback, every app runs on this machine.
      if common.interface != "lo", !host.isEmpty { common.host = host }
      common.listenerCount = PortHolders.count(
        of: NetworkDefaults.probePort(common.port), group: common.group)
      let stage = Stage(
        common: common, output: output, signals: signals, environment: environment,
        settings: settings, gateway: gateway)
      return try invocation.run(on: stage)
    } catch {
      output.show(error)
      return error.exitCode
    }
  }
}
