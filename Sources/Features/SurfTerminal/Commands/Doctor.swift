import JSONTree
import SurfObserver
import SurfSeal
import SurfTimeline

extension Subcommand {
  static let doctor = Self(
    "doctor", in: .fix, "Check this machine and the apps, and suggest fixes",
    options: [.json, .wait, .observe],
    examples: [
      ("doctor", "loopback"), ("doctor --interface eth0", "the LAN"),
      ("doctor --json", "with counts of what each app gave up"),
    ], notes: ViewerCount.notes
  ) { words throws(Failure) in
    DoctorOptions(json: words.has(.json), wait: try words.wait() ?? DoctorSession.listening)
  }
}

package struct DoctorOptions: Command {
  private let json: Bool
  private let wait: Duration

  package init(json: Bool, wait: Duration = DoctorSession.listening) {
    (self.json, self.wait) = (json, wait)
  }

  package func run(on stage: Stage) throws(Failure) -> Int32 {
    var stage = stage
    do throws(Failure) { _ = try stage.sealing() } catch {
      // Without a key that it can read, it still listens, but must not send anything unsealed.
      (stage.common.observes, stage.common.browsesDNSSD) = (true, false)
    }
    var session = DoctorSession(
      stage.common, json: json, environment: stage.environment,
      gatewayBounds: stage.gateway.bounds)
    session.wait = wait
    let checkLines = session.checkLines
    return try stage.run(session, toleratesFaults: true) { failure in
      // The checks of the machine matter most when the network fails.
      for line in checkLines { stage.output.print(line) }
      failure.advice = ""
    }
  }
}

/// `statesurf doctor`: listens for a while, prints the checks of the machine and of what it heard,
/// and exits with 1 if anything needs fixing.
package struct DoctorSession: CommandSession {
  private var pressure = PressureChecks()
  private let checks: [DoctorCheck]
  private let json: Bool
  private let network: NetworkChecks
  private let sealing: SealingCheck

  /// An idle app sends a heartbeat once a second.
  package static let listening = Duration.milliseconds(1_500)
  var wait = Self.listening

  /// - Parameter keys: the keys of this machine.
  package init(
    checks: [DoctorCheck], json: Bool, network: NetworkChecks = NetworkChecks(Invocation.Common()),
    keys: [KeyFingerprint] = []
  ) {
    self.checks = checks
    self.json = json
    self.network = network
    sealing = SealingCheck(keys)
  }

  package var deadline: Duration? { wait }

  /// The checks of the machine.
  var checkLines: [Line] { checks.map(\.line) }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch event {
    case .change(let change):
      pressure.receive(change, in: catalog)
      // Only a viewer that follows an app sees whether its stream arrives.
      guard case .appeared(let session) = change else { return [] }
      return [.follow(session, .newestState)]
    case .deadline(let counters) where now >= wait:
      let live = catalog.live.inListOrder
      let all =
        checks + network.all(live, counters) + sealing.all(live, counters.network)
        + pressure.all(live, counters)
      let code = all.allSatisfy(\.isFine) ? ExitCode.done : ExitCode.failed
      return all.map { json ? .printBytes($0.json) : .print($0.line) } + [.exit(code)]
    default: return []
    }
  }
}

/// The result of one check of `statesurf doctor`: a line of output.
package struct DoctorCheck: Equatable, Sendable {
  package let name: String
  package let isFine: Bool
  package let finding: String
  /// How to fix it; empty if nothing needs fixing.
  package let fix: String
  /// The numbers in `finding`, for the JSON output.
  private let figures: JSONObject

  package init(
    _ name: String, isFine: Bool, _ finding: String, fix: String = "", figures: JSONObject = [:]
  ) {
    (self.name, self.isFine, self.finding) = (name, isFine, finding)
    (self.fix, self.figures) = (fix, figures)
  }

  package var line: Line {
    let mark = isFine ? Span("ok", .good) : Span("!!", .bad)
    let advice = fix.isEmpty ? [] : [Span("  Try: \(fix)", .caution)]
    return Line([mark, Span("  " + padded(name, 18) + finding)] + advice)
  }

  /// `check`, `ok`, `finding`, `fix` if not empty, and the figures.
  var json: [UInt8] {
    var members: JSONObject = [
      "check": .string(name), "ok": .bool(isFine), "finding": .string(finding),
    ]
    if !fix.isEmpty { members["fix"] = .string(fix) }
    return EventJSON.object(members.adding(figures))
  }
}
