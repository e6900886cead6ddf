import SurfObserver
import SurfSeal
import SurfTimeline

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
