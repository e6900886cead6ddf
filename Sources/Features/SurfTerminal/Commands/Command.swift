import SurfNetwork
import SurfObserver

/// What a command line asks for, understood. Each subcommand makes one of its own, and it alone
/// says what is done: nothing else has to know which subcommands there are.
package protocol Command: Equatable, Sendable {
  /// Does it on the caller's thread, and returns the exit code.
  func run(on stage: Stage) throws(Failure) -> Int32
}

/// One that is a machine over the network.
package protocol SessionCommand: Command {
  func session(on stage: Stage) throws(Failure) -> any CommandSession
}

extension SessionCommand {
  package func run(on stage: Stage) throws(Failure) -> Int32 {
    try stage.run(try session(on: stage))
  }
}

/// Lines of our own, such as a page of help.
package struct Page: Command {
  private let lines: [String]
  /// Whether another program reads it: as it is, without colours or escapes.
  private let isForProgram: Bool

  package init(_ lines: [String], isForProgram: Bool = false) {
    (self.lines, self.isForProgram) = (lines, isForProgram)
  }

  package func run(on stage: Stage) -> Int32 {
    if isForProgram {
      stage.output.print(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    } else {
      for line in lines { stage.output.print(Line(line)) }
    }
    return ExitCode.done
  }
}

/// Where a command runs: the process, and what most options say.
package struct Stage {
  var common: Invocation.Common
  let output: Output
  let signals: Signals
  let environment: [String: String]
  let settings: SettingsFile?
  /// What another feature provides.
  let gateway: GatewayProvider

  var layout: Layout {
    var layout = Layout()
    layout.columns = output.terminal.columns
    layout.secondsFromGMT = output.terminal.secondsFromGMT
    return layout
  }

  /// Does what can be done without a network, and has no end to wait for.
  func show(_ actions: [CommandAction]) -> Int32 {
    for action in actions {
      if case .print(let line) = action { output.print(line) }
      if case .printBytes(let bytes) = action { output.print(bytes: bytes) }
    }
    return ExitCode.done
  }

  func sayIfObserving() {
    guard common.observes else { return }
    output.note("observing only: nothing is sent, and what is missed is lost")
  }

  /// Runs a session to its end. It was made before the queue is told of signals, so that they end a
  /// wait for standard input.
  ///
  /// - Parameters:
  ///   - endsByKey: whether `q` ends it on a terminal.
  ///   - toleratesFaults: whether it does without a key that cannot be read.
  ///   - onFault: what else to say when the network fails.
  func run(
    _ session: any CommandSession, endsByKey: Bool = false, toleratesFaults: Bool = false,
    onFault: (inout Failure) -> Void = { _ in }
  ) throws(Failure) -> Int32 {
    let configuration = try configuration(toleratesFaults: toleratesFaults)
    sayIfObserving()
    let queue = try EventQueue()
    signals.tell(queue)
    let hasKeys = endsByKey && output.terminal.isTerminal
    let runner = CommandRunner(
      session, queue: queue, output: output, keyboard: hasKeys ? signals.keyboard : nil,
      timeout: common.timeout)
    let code: Int32
    do throws(NetworkError) {
      code = try runner.run(configuration)
    } catch {
      var failure = Failure(error)
      onFault(&failure)
      throw failure
    }
    if let successor = runner.successor {
      throw signals.give(to: successor, with: successor.variables + common.variables)
    }
    return code
  }

  /// Octets of packets to hold for viewers that join late: as much as one app keeps by default.
  /// Short-lived commands hold little of it before they end.
  private static let heldSizeMax = 64 << 20

  /// - Parameter toleratesFaults: whether it does without a key that cannot be read.
  func configuration(toleratesFaults: Bool = false) throws(Failure) -> Observer.Configuration {
    var configuration = Observer.Configuration()
    do throws(Failure) {
      configuration.sealing = try ViewerKeys.sealing(environment)
    } catch {
      if !toleratesFaults { throw error }
    }
    configuration.interface = common.interface
    configuration.group = common.group
    configuration.port = common.port
    configuration.realms = common.realms
    configuration.viewerName = common.viewerName ?? output.terminal.viewerName
    configuration.browsesDNSSD = common.browsesDNSSD
    configuration.heldSizeMax = Self.heldSizeMax
    configuration.isSilent = common.observes
    configuration.movesOpenApps = common.movesOpenApps
    return configuration
  }
}
