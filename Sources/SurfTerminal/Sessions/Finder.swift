import SurfTimeline
import SurfWire

/// Chooses the instance that a person meant, once enough were heard of to be sure.
struct Finder {
  let name: String?
  let interface: String
  let patience: Duration

  /// Every app answers a probe within a few tens of milliseconds; only after that is "the only
  /// one" more than "the first one".
  static let settling = Duration.milliseconds(400)

  enum Finding {
    case undecided
    case found(Instance)
    case failed(Failure)
  }

  /// When to look again though nothing was heard.
  func deadline(after now: Duration) -> Duration {
    now < Self.settling ? Self.settling : patience
  }

  func look(in catalog: Catalog, at now: Duration) -> Finding {
    guard now >= Self.settling else { return .undecided }
    switch catalog.find(name) {
    case .one(let instance) where instance.status == .live: return .found(instance)
    case .one(let instance): return now < patience ? .undecided : .failed(gone(instance))
    case .ambiguous(let candidates): return .failed(ambiguous(candidates))
    case .none(let suggestions):
      return now < patience ? .undecided : .failed(none(catalog, suggestions))
    }
  }

  private func ambiguous(_ candidates: [Instance]) -> Failure {
    let what = name.map { "'\($0)' names" } ?? "there are"
    let list = candidates.map {
      "\($0.label) on \($0.host), id \($0.id.description.prefix(8))"
    }
    return Failure(
      "\(what) \(candidates.count) instances, so none was touched",
      meaning: list.map(escaped).joined(separator: "\n  "),
      advice: "-i \(candidates[0].label), or the first digits of its id")
  }

  private func none(_ catalog: Catalog, _ suggestions: [String]) -> Failure {
    let labels = catalog.live.map(\.label)
    guard let name, !labels.isEmpty else {
      return Failure(
        name.map { "no instance is named '\($0)'" } ?? "no instance is live",
        meaning: "Nothing answered on interface \(interface).",
        advice: "start an instrumented app, or look on another one: --interface eth0; "
          + "`statesurf doctor` checks this machine")
    }
    let meant = suggestions.first.map { "Did you mean '\($0)'?" }
    return Failure(
      "no instance is named '\(name)'",
      meaning: meant ?? "Live are: \(labels.joined(separator: ", ")).", advice: "statesurf list")
  }

  private func gone(_ instance: Instance) -> Failure {
    Failure("\(instance.label) is gone", advice: "statesurf list")
  }
}
