import SurfTimeline
import SurfWire
import TerminalScreen

/// Chooses the instance that the user means, once enough instances were heard to be sure.
///
/// That is 0.4 s after the probe, or sooner if no app that was not heard yet can make a difference:
/// the name is at least eight digits of an id, or every app of this machine has answered, and none
/// elsewhere can be meant. A name that an app of this machine has means that app, whatever runs on
/// other machines.
struct Finder {
  let name: String?
  private let host: String?
  private let census: Census
  private let otherwise: String?
  private let first: SessionID?
  let interface: String
  let patience: Duration
  private var lookedAt = Duration.zero
  private var isCounted = false
  /// Whether apps of other machines are as good.
  private let isForAll: Bool

  /// Every app answers a probe within a few tens of milliseconds. Before that, an instance may be
  /// the first one heard rather than the only one.
  static let settling = Duration.milliseconds(400)
  /// The number of id digits that `list` shows. No two instances are likely to share them.
  private static let certainDigitCount = 8

  enum Finding {
    case undecided
    case found(Instance)
    case failed(Failure)
  }

  /// - Parameter allowsOtherHosts: whether an app on another machine will do if the user names
  ///   none.
  init(_ common: Invocation.Common, allowsOtherHosts: Bool = false) {
    name = common.instance
    host = allowsOtherHosts ? nil : common.host
    (otherwise, first) = (common.otherwise, common.first)
    census = Census(common)
    isForAll = allowsOtherHosts
    interface = common.interface
    patience = max(common.timeout, Self.settling)
  }

  /// Whether every app had had time to answer at the last look.
  var isSettled: Bool { lookedAt >= Self.settling || isCounted }

  /// When to look again even if nothing was heard.
  var deadline: Duration { isSettled ? patience : Self.settling }

  mutating func look(in catalog: Catalog, at now: Duration) -> Finding {
    lookedAt = now
    let found = name == nil ? catalog.find(nil) : census.preferring(catalog.find(name))
    guard now >= Self.settling || isCertain(found, in: catalog) else { return .undecided }
    switch found {
    case .one(let instance) where instance.status == .live:
      return isForeign(instance) ? .failed(foreign(instance)) : .found(instance)
    case .one(let instance): return now < patience ? .undecided : .failed(gone(instance))
    case .ambiguous(let candidates): return .failed(ambiguous(candidates))
    case .none(let suggestions):
      return now < patience ? .undecided : .failed(none(catalog, suggestions))
    }
  }

  /// Whether no other app, heard or not, can be the one meant.
  private mutating func isCertain(_ found: Lookup, in catalog: Catalog) -> Bool {
    guard case .one(let instance) = found, instance.status == .live else { return false }
    if let name, name.utf8.count >= Self.certainDigitCount,
      instance.id.description.hasPrefix(name.lowercased())
    {
      return true
    }
    isCounted = census.decides(instance, named: name != nil && !isForAll, in: catalog)
    return isCounted
  }

  /// Whether this is an app on another machine that the user did not name.
  private func isForeign(_ instance: Instance) -> Bool {
    name == nil && instance.isAway(from: host)
  }

  private func foreign(_ instance: Instance) -> Failure {
    Failure(
      "the only live instance is on another machine, so nothing was sent",
      meaning: escaped(Self.description(of: instance)),
      advice: "\(option) \(shellWord("\(instance.name)@\(instance.host)"))")
  }

  private var option: String { first == nil ? "-i" : "--with" }

  private static func description(of instance: Instance) -> String {
    "\(instance.label) on \(instance.host), id \(instance.id.description.prefix(8))"
  }

  private func ambiguous(_ candidates: [Instance]) -> Failure {
    let what = name.map { "'\($0)' names" } ?? "there are"
    let candidates = candidates.inListOrder
    let list = candidates.map(Self.description)
    let meant = candidates.first { $0.session != first } ?? candidates[0]
    let isUnique = candidates.count { $0.label == meant.label } == 1
    let choice = isUnique ? meant.label : "\(meant.label)@\(meant.host)"
    return Failure(
      "\(what) \(candidates.count) instances, so nothing was sent",
      meaning: list.map(escaped).joined(separator: "\n  "),
      advice: "\(option) \(shellWord(choice)), or the first digits of its id")
  }

  private func none(_ catalog: Catalog, _ suggestions: [String]) -> Failure {
    let labels = catalog.live.inListOrder.map { escaped($0.label(seenFrom: host)) }
    let other = otherwise.map { " Without a name, \($0)." } ?? ""
    guard let name, !labels.isEmpty else {
      return Failure(
        name.map { "no instance is named '\($0)'" } ?? "no instance is live",
        meaning: "Nothing answered on interface \(interface).\(other)",
        advice: "start an instrumented app, or try another interface: --interface eth0; "
          + "`statesurf doctor` checks this machine")
    }
    let meant = suggestions.first.map { "Did you mean '\(escaped($0))'?" }
    return Failure(
      "no instance is named '\(name)'",
      meaning: (meant ?? "Live are: \(labels.joined(separator: ", ")).") + other,
      advice: "statesurf list")
  }

  private func gone(_ instance: Instance) -> Failure {
    Failure("\(escaped(instance.label)) is gone", advice: "statesurf list")
  }
}

/// The apps of this machine. The system knows how many there are.
struct Census {
  private let host: String?
  private let listenerCount: Int?

  init(_ common: Invocation.Common) { (host, listenerCount) = (common.host, common.listenerCount) }

  /// Whether every app of this machine was heard. That never is so if an app is of another realm,
  /// or is sealed under a key that you do not have.
  private func isComplete(in catalog: Catalog) -> Bool {
    guard let listenerCount, listenerCount > 0 else { return false }
    return catalog.live.count { !$0.isAway(from: host) } >= listenerCount
  }

  /// Whether no app that was not heard can be meant rather than this one. Without a name, an app of
  /// another machine can.
  func decides(_ instance: Instance, named: Bool, in catalog: Catalog) -> Bool {
    !instance.isAway(from: host) && (named || host == nil) && isComplete(in: catalog)
  }

  /// Of several apps, the one on this machine.
  func preferring(_ found: Lookup) -> Lookup {
    guard host != nil, case .ambiguous(let candidates) = found else { return found }
    let here = candidates.filter { !$0.isAway(from: host) }
    return here.count == 1 ? .one(here[0]) : found
  }
}
