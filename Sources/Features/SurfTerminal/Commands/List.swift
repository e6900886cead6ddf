import SurfNetwork
import SurfObserver
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

extension Subcommand {
  static let list = Self(
    "list", in: .see, "List the live instances", options: [.instance, .json, .wait, .observe],
    examples: [
      ("list", "everything that is live on loopback"),
      ("list --interface eth0 --wait 3", "search the LAN, for longer"),
      ("list --realm '*' --json", "the apps of all realms, for a script"),
      ("list Todo", "those of this name"),
    ]
  ) { words throws(Failure) in
    ListOptions(json: words.has(.json), wait: try words.wait() ?? .seconds(1))
  }
}

package struct ListOptions: SessionCommand {
  let json: Bool
  let wait: Duration

  package init(json: Bool, wait: Duration) { (self.json, self.wait) = (json, wait) }

  package func session(on stage: Stage) -> any CommandSession {
    ListSession(json: json, wait: wait, stage.common)
  }
}

/// `statesurf list`: waits a little, then lists the live apps.
///
/// The rows of an app say which actions it leaves out, and which viewer drives it. The list loads
/// rows only if the heartbeat says that such actions exist, or that a viewer drives.
package struct ListSession: CommandSession {
  /// What each app was asked for.
  private var wishes: [SessionID: HistoryRequest] = [:]
  private let json: Bool
  private let wait: Duration
  private let common: Invocation.Common

  package init(json: Bool, wait: Duration, _ common: Invocation.Common) {
    self.json = json
    self.wait = wait
    self.common = common
  }

  package var deadline: Duration? { wait }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch event {
    case .change(.appeared(let session)), .change(.returned(let session)),
      .change(.heard(let session)):
      let control = catalog[session]?.heartbeat.control ?? []
      guard !control.isDisjoint(with: [.leavesOut, .driven]) else { return [] }
      return ask(session, for: .last(WireCount(TargetTask.window)))
    case .change(.caughtUp(let session)):
      // The row that says it is further back.
      guard let instance = catalog[session], instance.leftOut == nil else { return [] }
      return ask(session, for: .all)
    case .deadline(let counters) where now >= wait: return list(catalog, counters.network)
    default: return []
    }
  }

  private mutating func ask(_ session: SessionID, for wish: HistoryRequest) -> [CommandAction] {
    guard wishes[session] == nil || wish == .all, wishes[session] != wish else { return [] }
    wishes[session] = wish
    return [.follow(session, wish)]
  }

  private func list(_ catalog: Catalog, _ counters: NetworkCounters) -> [CommandAction] {
    let wanted = catalog.live.filter { common.instance.map($0.isNamed) ?? true }
    let live = wanted.inListOrder
    let hidden = Self.hidden(counters.otherRealmCount)
    let notes = (hidden.map { [$0] } ?? []) + counters.strangers.lines
    let note = notes.map(CommandAction.complain)
    if json { return live.map { .printBytes(EventJSON.line($0)) } + note + [.exit(ExitCode.done)] }
    // The runner prints the other notes.
    guard !live.isEmpty else { return [.fail(nobody(in: catalog))] }
    return Self.table(live).map(CommandAction.print) + note + [.exit(ExitCode.done)]
  }

  /// A note about hidden apps, if any.
  static func hidden(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    let apps = count == 1 ? "1 app of another realm is" : "\(count) apps of other realms are"
    return "\(apps) not shown; --realm '*' shows all"
  }

  private func nobody(in catalog: Catalog) -> Failure {
    var finder = Finder(common)
    if common.instance != nil, !catalog.live.isEmpty,
      case .failed(let failure) = finder.look(in: catalog, at: finder.patience)
    {
      return failure
    }
    return Failure(
      "no instance is live",
      meaning: "No matching app answered on interface \(common.interface).",
      advice: "start an instrumented app, look longer (--wait 5), or `statesurf doctor`")
  }

  /// Names a version of StateSurf that is not this command's: one of the two may lack what the
  /// other does.
  private static func libraryNote(_ version: String) -> String? {
    version.isEmpty || version == Introduction.libraryVersion
      ? nil : "StateSurf \(escaped(version))"
  }

  private static func word(_ text: String) -> String { text.isEmpty ? "–" : escaped(text) }

  private static func table(_ instances: [Instance]) -> [Line] {
    // A viewer of a single realm knows it.
    let hasRealms = Set(instances.map(\.realm)).count > 1
    let hasVersions = instances.contains { !$0.introduction.version.isEmpty }
    let head =
      ["INSTANCE"] + (hasVersions ? ["VERSION"] : []) + ["ID", "HOST"]
      + (hasRealms ? ["REALM"] : []) + ["ROWS", "AT"]
    let rows = instances.map { instance in
      var cells = [escaped(instance.label)]
      if hasVersions { cells.append(word(instance.introduction.version)) }
      cells += [String(instance.id.description.prefix(8)), escaped(instance.host)]
      if hasRealms { cells.append(word(instance.realm?.name ?? "")) }
      let place =
        [positionText(instance.timeline.position)] + instance.notes + instance.gaps
        + [libraryNote(instance.introduction.library)].compactMap(\.self)
      return cells + ["\(instance.timeline.newestNumber)", place.joined(separator: ", ")]
    }
    let widths = head.indices.map { column in
      ([head] + rows).map { columns($0[column]) }.max() ?? 0
    }
    func line(_ cells: [String], _ style: Style) -> Line {
      let texts = zip(cells, widths).map { padded($0, $1) }
      let text = texts.joined(separator: "  ")
      return Line(String(text.reversed().drop { $0 == " " }.reversed()), style)
    }
    return [line(head, .dim)] + rows.map { line($0, .plain) }
  }
}

extension SealedStrangers {
  /// Notes about apps whose key this user does not have.
  var lines: [String] {
    Dictionary(grouping: places, by: \.self)
      .sorted { ($0.key.address, $0.key.keyID) < ($1.key.address, $1.key.keyID) }
      .map { place, apps in
        "\(countText(apps.count, "app")) sealed under a key that you do not have"
          + " (id \(place.keyID), from \(place.address))"
      }
  }
}

extension Instance {
  /// The rows that are left out of the history; nil if they are not known.
  var leftOut: [UInt64]? {
    guard heartbeat.control.contains(.leavesOut) else { return [] }
    return timeline.rows.reversed().lazy.compactMap { StagedOrder($0.record) }.first?.leftOut
  }

  fileprivate var gaps: [String] {
    guard let leftOut else { return ["some rows left out"] }
    return leftOut.isEmpty ? [] : ["left out: \(StagedOrder.text(leftOut))"]
  }

  /// What the user should know before sending a request to the app.
  fileprivate var notes: [String] {
    [standing.note, driver.map { "\($0.title) drives" }].compactMap(\.self) + heartbeat.notes
  }
}

extension Heartbeat {
  fileprivate var notes: [String] {
    [
      acceptsResets ? nil : "takes no resets", control.contains(.locked) ? "locked" : nil,
      control.contains(.paused) ? "paused" : nil,
      givenUp.isNothing ? nil : "gave up \(givenUp.text)",
    ].compactMap(\.self)
  }
}

extension [Instance] {
  /// By name, and not in the order of the answers, which is chance.
  var inListOrder: [Instance] {
    sorted { ($0.label, $0.id.description) < ($1.label, $1.id.description) }
  }
}
