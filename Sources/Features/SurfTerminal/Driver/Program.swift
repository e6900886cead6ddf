import Foundation
import SurfNetwork
import SurfObserver
import SurfWire

/// The whole of `statesurf`.
package enum Program {
  /// Does what a command line, without its first word, asks for, and returns the exit code, unless
  /// a signal ends it.
  ///
  /// - Parameters:
  ///   - gatewayBounds: what a gateway keeps at most.
  ///   - startGateway: how to start what another feature provides.
  package static func run(
    _ arguments: [String], gatewayBounds: [MemoryCheck.Bound],
    startGateway: ServiceStarter<GatewayOptions>
  ) -> Int32 {
    let signals = Signals()
    StandardStreams.occupy()
    let output = Output(terminal: TerminalFacts.current())
    let code = output.finish(run(arguments, output, signals, gatewayBounds, startGateway))
    // A shell's loop ends by an interrupt only if its command did.
    if code > 128 { Signals.end(by: code - 128) }
    return code
  }

  private static func run(
    _ arguments: [String], _ output: Output, _ signals: Signals,
    _ gatewayBounds: [MemoryCheck.Bound], _ startGateway: ServiceStarter<GatewayOptions>
  ) -> Int32 {
    do throws(Failure) {
      let environment = ProcessInfo.processInfo.environment
      let settings = SettingsPlace(environment)?.read()
      for remark in settings?.remarks ?? [] { output.note(remark) }
      // Who says nothing on a terminal wants to look around.
      let words = arguments.isEmpty && output.terminal.hasKeys ? ["surf"] : arguments
      let invocation = try ArgumentParser.parse(
        words, environment: environment, settings: settings)
      if case .run(.settings(let json), _) = invocation {
        let view = SettingsView(
          environment: environment, settings: settings, viewerName: output.terminal.viewerName)
        show(view.actions(json: json), output)
        return ExitCode.done
      }
      if case .run(.key(let task, let json), _) = invocation {
        show(try KeyDesk(environment: environment).actions(task, json: json), output)
        return ExitCode.done
      }
      return try run(invocation, output, signals, gatewayBounds, startGateway)
    } catch {
      output.show(error)
      return error.exitCode
    }
  }

  private static func run(
    _ invocation: Invocation, _ output: Output, _ signals: Signals,
    _ gatewayBounds: [MemoryCheck.Bound], _ startGateway: ServiceStarter<GatewayOptions>
  ) throws(Failure) -> Int32 {
    switch invocation {
    case .queryHelp: for line in QueryHelp.lines { output.print(Line(line)) }
    case .version: output.print(Line(Help.version))
    case .help(let subcommand):
      for line in subcommand.map(Help.page) ?? Help.overview { output.print(Line(line)) }
    case .run(.completions(let shell), _): print(shell.completions, output)
    case .run(.manual, _): print(ManualPage.lines, output)
    case .run(.gateway(let options), let common):
      let network = try configuration(common, output.terminal)
      sayIfObserving(common, output)
      return try ServiceRunner(output, signals).run(options, network, startGateway)
    case .run(.surf, let common):
      return try DebuggerProgram.run(
        common, try configuration(common, output.terminal), output, signals)
    case .run(let command, let common):
      return try run(command, common, output, signals, gatewayBounds)
    }
    return ExitCode.done
  }

  private static func run(
    _ command: Command, _ common: Invocation.Common, _ output: Output, _ signals: Signals,
    _ gatewayBounds: [MemoryCheck.Bound]
  ) throws(Failure) -> Int32 {
    let common = withoutWords(common, command)
    // Before the queue is told of signals, so that they end a wait for standard input.
    let session = try session(command, common, output, gatewayBounds)
    let configuration = try configuration(
      common, output.terminal, toleratesFaults: session is DoctorSession)
    sayIfObserving(common, output)
    let queue = try EventQueue()
    signals.tell(queue)
    let hasKeys = session is WatchSession && output.terminal.isTerminal
    let runner = CommandRunner(
      session, queue: queue, output: output, keyboard: hasKeys ? signals.keyboard : nil,
      timeout: common.timeout)
    let code: Int32
    do throws(NetworkError) {
      code = try runner.run(configuration)
    } catch {
      var failure = Failure(error)
      // What a doctor found out alone is worth most when the network fails.
      if let doctor = session as? DoctorSession {
        for line in doctor.checkLines { output.print(line) }
        failure.advice = ""
      }
      throw failure
    }
    if let successor = runner.successor {
      throw signals.give(to: successor, with: successor.variables + common.variables)
    }
    return code
  }

  /// A doctor looks on though a key cannot be read, but must not speak in the clear meanwhile.
  private static func withoutWords(
    _ common: Invocation.Common, _ command: Command
  ) -> Invocation.Common {
    guard case .doctor = command, !ViewerKeys.areUsable(ProcessInfo.processInfo.environment) else {
      return common
    }
    var common = common
    (common.observes, common.browsesDNSSD) = (true, false)
    return common
  }

  private static func show(_ actions: [CommandAction], _ output: Output) {
    for action in actions {
      if case .print(let line) = action { output.print(line) }
      if case .printBytes(let bytes) = action { output.print(bytes: bytes) }
    }
  }

  /// For another program: as it is, without colours or escapes.
  private static func print(_ lines: [String], _ output: Output) {
    output.print(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private static func sayIfObserving(_ common: Invocation.Common, _ output: Output) {
    guard common.observes else { return }
    output.note("observing only: nothing is sent, and what is missed is lost")
  }

  private static func session(
    _ command: Command, _ common: Invocation.Common, _ output: Output,
    _ gatewayBounds: [MemoryCheck.Bound]
  ) throws(Failure) -> any CommandSession {
    switch command {
    case .list(let json, let wait):
      return ListSession(json: json, wait: wait, interface: common.interface)
    case .watch(let options):
      return WatchSession(
        name: common.instance, options: options, layout: layout(output.terminal),
        showsStatus: output.terminal.isTerminal)
    case .logs(let options):
      return LogsSession(
        name: common.instance, interface: common.interface, timeout: common.timeout,
        options: options, layout: layout(output.terminal))
    case .values(let options):
      return ValuesSession(
        name: common.instance, interface: common.interface, timeout: common.timeout,
        options: options, layout: layout(output.terminal))
    case .wait(let options):
      return WaitSession(
        options, layout: layout(output.terminal), instance: common.instance,
        host: HostFacts.own(on: common.interface), interface: common.interface,
        timeout: common.timeout, drives: common.drives)
    case .doctor(let json):
      return DoctorSession(
        common, json: json, environment: ProcessInfo.processInfo.environment,
        gatewayBounds: gatewayBounds)
    case .diff(let options) where options.other != nil:
      return PairSession(
        options, instance: common.instance, host: HostFacts.own(on: common.interface),
        interface: common.interface, timeout: common.timeout,
        observes: common.observes)
    default:
      let history = HistorySession(
        command, layout: layout(output.terminal), instance: common.instance,
        host: HostFacts.own(on: common.interface), interface: common.interface,
        timeout: common.timeout)
      if let history { return history }
      return try target(command, common, output)
    }
  }

  private static func layout(_ terminal: TerminalFacts) -> Layout {
    var layout = Layout()
    layout.columns = terminal.columns
    layout.secondsFromGMT = terminal.secondsFromGMT
    return layout
  }

  private static func target(
    _ command: Command, _ common: Invocation.Common, _ output: Output
  ) throws(Failure) -> TargetSession {
    let task: TargetTask =
      switch command {
      case .show(let options): .show(options)
      case .diff(let options): .diff(options)
      case .save(let row, let path): .save(row, to: path)
      case .back(let count): .back(count)
      case .forward(let count): .forward(count)
      case .jump(let row): .jump(row)
      case .load(let path):
        .load(try read(path, output), from: path.map { StateFile.name(of: $0) })
      case .dispatch(let text): .rewrite(.dispatch(try ActionText.action(text)))
      case .rewrite(let command): .rewrite(command)
      case .replace(let path): .rewrite(.replace(try LiftedStateFile.read(path)))
      case .export(let path): .export(to: path)
      case .reset, .list, .watch, .logs, .values, .surf, .doctor, .gateway, .find, .trace, .wait,
        .report, .key, .settings, .completions, .manual:
        .load(nil)
      }
    return TargetSession(
      task, instance: common.instance, host: HostFacts.own(on: common.interface),
      interface: common.interface, timeout: common.timeout,
      observes: common.observes, drives: common.drives)
  }

  private static func read(_ path: String?, _ output: Output) throws(Failure) -> Content? {
    let content = try StateFile.read(path)
    guard let message = HistorianMessage(content.bytes) else { return content }
    output.note("this is a message of Historian's; the state in it is loaded")
    return Content(state: message.state)
  }

  /// Octets of packets to hold for viewers that join late: as much as one app keeps by default.
  /// Short-lived commands hold little of it before they end.
  private static let heldSizeMax = 64 << 20

  /// - Parameter toleratesFaults: whether it does without a key that cannot be read.
  private static func configuration(
    _ common: Invocation.Common, _ terminal: TerminalFacts, toleratesFaults: Bool = false
  ) throws(Failure) -> Observer.Configuration {
    var configuration = Observer.Configuration()
    do throws(Failure) {
      configuration.sealing = try ViewerKeys.sealing(ProcessInfo.processInfo.environment)
    } catch {
      if !toleratesFaults { throw error }
    }
    configuration.interface = common.interface
    configuration.group = common.group
    configuration.port = common.port
    configuration.realms = common.realms
    configuration.viewerName = common.viewerName ?? terminal.viewerName
    configuration.browsesDNSSD = common.browsesDNSSD
    configuration.heldSizeMax = heldSizeMax
    configuration.isSilent = common.observes
    configuration.movesOpenApps = common.movesOpenApps
    return configuration
  }
}
