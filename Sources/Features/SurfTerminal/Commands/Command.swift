import SurfCipher
import SurfNetwork
import SurfObserver
import SurfSockets

/// A subcommand with its parsed options, which `Program` runs. Each subcommand has its own type, so
/// nothing else needs to know which subcommands there are.
package protocol Command: Equatable, Sendable {
  /// Runs on the caller's thread, and returns the exit code.
  func run(on stage: Stage) throws(Failure) -> Int32
}

/// A command that runs a `CommandSession` over the network.
package protocol SessionCommand: Command {
  func session(on stage: Stage) throws(Failure) -> any CommandSession
}

extension SessionCommand {
  package func run(on stage: Stage) throws(Failure) -> Int32 {
    try stage.run(try session(on: stage))
  }
}

/// Prints lines of text, such as a page of help.
package struct Page: Command {
  private let lines: [String]
  /// Whether the reader is a program, so that the lines are printed without escapes.
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

/// The process that a command runs in, and the options that most commands share.
package struct Stage {
  var common: Invocation.Common
  let output: Output
  let signals: Signals
  let environment: [String: String]
  let settings: SettingsFile?
  let gateway: GatewayProvider

  var layout: Layout {
    var layout = Layout()
    layout.columns = output.terminal.columns
    layout.secondsFromGMT = output.terminal.secondsFromGMT
    return layout
  }

  /// Prints the lines and bytes of a command without a network. Ignores other actions.
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

  /// Runs a session to its end. The session exists before the queue receives signals, so until then
  /// a signal ends the process immediately, even while it waits for standard input.
  ///
  /// - Parameters:
  ///   - endsByKey: whether `q` ends the command on a terminal.
  ///   - toleratesFaults: whether to go on without a key that cannot be read.
  ///   - onFault: called when the network fails, and may change the failure.
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
    do throws(SocketError) {
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

  /// Octets of packets to hold for viewers that join late: as many as an app keeps by default.
  /// Short-lived commands hold few before they end.
  private static let heldSizeMax = 64 << 20

  /// - Parameter toleratesFaults: whether to go on without a key that cannot be read.
  func configuration(toleratesFaults: Bool = false) throws(Failure) -> Observer.Configuration {
    var configuration = Observer.Configuration()
    do throws(Failure) {
      configuration.sealing = try sealing()
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

  /// The keys that open sealed apps; nil without a key file.
  func sealing() throws(Failure) -> Sealing? {
    do throws(KeyFileError) {
      let contents = try KeyFile(environment: environment)?.read()
      return contents.map { Sealing($0.ring, makeCipher: Ciphers.maker) }
    } catch {
      throw Failure("\(error)", meaning: "Nothing was sent.", advice: error.fix)
    }
  }
}
