import Foundation
import SurfNetwork

/// The whole of `statesurf`.
package enum Program {
  /// Does what a command line, without its first word, asks for, and returns the exit code, unless
  /// a signal ends it.
  package static func run(_ arguments: [String], gateway: GatewayProvider) -> Int32 {
    let signals = Signals()
    StandardStreams.occupy()
    let output = Output(terminal: TerminalFacts.current())
    let code = output.finish(run(arguments, output, signals, gateway))
    // A shell's loop ends by an interrupt only if its command did.
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
      // Who says nothing on a terminal wants to look around.
      let words = arguments.isEmpty && output.terminal.hasKeys ? ["surf"] : arguments
      let invocation = try ArgumentParser.parse(
        words, environment: environment, settings: settings)
      var common = invocation.common
      let host = HostFacts.current.name
      // On loopback, every app is on this machine.
      if common.interface != "lo", !host.isEmpty { common.host = host }
      let stage = Stage(
        common: common, output: output, signals: signals, environment: environment,
        settings: settings, gateway: gateway)
      return try invocation.command.run(on: stage)
    } catch {
      output.show(error)
      return error.exitCode
    }
  }
}
