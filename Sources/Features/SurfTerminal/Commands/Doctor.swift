import SurfObserver
import SurfSeal
import SurfTimeline

extension Subcommand {
  static let doctor = Self(
    "doctor", in: .mend, "Check this machine and the apps, and suggest fixes",
    options: [.json, .observe],
    examples: [
      ("doctor", "loopback"), ("doctor --interface eth0", "the LAN"),
      ("doctor --json", "with counts of what each app gave up"),
    ], notes: ViewerCount.notes
  ) { DoctorOptions(json: $0.has(.json)) }
}

package struct DoctorOptions: Command {
  private let json: Bool

  package init(json: Bool) { self.json = json }

  package func run(on stage: Stage) throws(Failure) -> Int32 {
    var stage = stage
    // It looks on though a key cannot be read, but must not speak in the clear meanwhile.
    if !ViewerKeys.areUsable(stage.environment) {
      (stage.common.observes, stage.common.browsesDNSSD) = (true, false)
    }
    let session = DoctorSession(
      stage.common, json: json, environment: stage.environment,
      gatewayBounds: stage.gateway.bounds)
    return try stage.run(session, toleratesFaults: true) { failure in
      // What it found out alone is worth most when the network fails.
      for line in session.checkLines { stage.output.print(line) }
      failure.advice = ""
    }
  }
}

/// `statesurf doctor`: adds what it hears in a little while to what it found out about the machine,
/// and exits 1 if anything needs mending.
package struct DoctorSession: CommandSession {
  private var pressure = PressureChecks()
  private let checks: [DoctorCheck]
  private let json: Bool
  private let network: NetworkChecks
  private let sealing: SealingCheck

  /// Each app's idle heartbeat comes once a second.
  static let listening = Duration.milliseconds(1_500)

  /// - Parameter keys: those that are here.
  package init(
    checks: [DoctorCheck], json: Bool, network: NetworkChecks = NetworkChecks(Invocation.Common()),
    keys: [KeyFingerprint] = []
  ) {
    self.checks = checks
    self.json = json
    self.network = network
    sealing = SealingCheck(keys)
  }

  package var deadline: Duration? { Self.listening }

  /// What was found out without listening.
  var checkLines: [Line] { checks.map(\.line) }

  package mutating func receive(
    _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    pressure.receive(change, in: catalog)
    // Only a listener sees whether a stream comes.
    guard case .appeared(let session) = change else { return [] }
    return [.follow(session, .newestState)]
  }

  package mutating func advance(
    to now: Duration, in catalog: Catalog, counters: ViewerCounters
  ) -> [CommandAction] {
    guard now >= Self.listening else { return [] }
    let all =
      checks + network.all(catalog.live, counters)
      + sealing.all(catalog.live, counters.network)
      + pressure.all(catalog.live, counters)
    let code = all.allSatisfy(\.isFine) ? ExitCode.done : ExitCode.failed
    return all.map { json ? .printBytes($0.json) : .print($0.line) } + [.exit(code)]
  }
}
