import JSONTools
import JSONTree
import SurfBasics
import SurfObserver
import SurfTimeline
import SurfWire

extension Subcommand {
  static let values = Self(
    "values", in: .see, "Show the values that apps have besides their states",
    positionals: [.instance, .path.optional],
    options: [.instance, .depth, .follow, .duration, .json],
    examples: [
      ("values --follow", "all live values of all instances, and each that changes"),
      ("values Kitchen recipe.foods[0] --depth 3", "a part of one, opened further"),
      ("values Kitchen --json | jq .recipe", "one object, each value by its name"),
    ],
    notes: [
      "Exits with 0 if there was a value, and with 1 if there was none. A path begins with a",
      "value's name; the name of a scope shows all of its values.",
    ], makes: ValueOptions.init)
}

package struct ValueOptions: SessionCommand {
  package var path: ValuePath?
  /// How many levels to open.
  package var depth = 2
  package var json = false
  package var follows = false
  package var end: Duration?

  package init() {}

  init(_ words: Words) throws(Failure) {
    end = try words.end()
    // The first word is the instance, unless `-i` has named it.
    path = words.positionals.dropFirst(words.has(.instance) ? 0 : 1).first.map(ValuePath.init)
    if let depth = words.number(.depth) { self.depth = Int(depth) }
    json = words.has(.json)
    follows = words.has(.follow)
  }

  package func session(on stage: Stage) -> any CommandSession {
    ValuesSession(self, stage.common, stage.layout)
  }
}

/// `statesurf values`: asks the apps for their live values and prints them. Then it ends, or
/// continues with each change.
package struct ValuesSession: CommandSession {
  private var finder: Finder
  private let options: ValueOptions
  private var layout: Layout
  /// Apps that have not sent all values yet.
  private var awaited: [SessionID: ArrivalClock] = [:]
  /// In order of appearance.
  private var followed: [SessionID] = []
  /// Apps whose values were printed.
  private var printed: Set<SessionID> = []
  /// An app that did not answer in time.
  private var silent: SessionID?
  private var hasPrinted = false
  private var hasEnded = false

  package init(_ options: ValueOptions, _ common: Invocation.Common, _ layout: Layout) {
    finder = Finder(common, allowsOtherHosts: true)
    self.options = options
    self.layout = layout
  }

  package mutating func resize(columns: Int) { layout.columns = columns }

  package var deadline: Duration? {
    if hasEnded { return nil }
    let isFinding = !finder.isSettled || (followed.isEmpty && !options.follows)
    let ends = awaited.values.map(\.due) + [options.end].compactMap(\.self)
    return ((isFinding ? [finder.deadline] : []) + ends).min()
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    guard !hasEnded else { return [] }
    var actions: [CommandAction] = []
    switch event {
    case .change(.appeared(let session)): actions = follow(session, in: catalog, at: now)
    case .change(.values(let session)), .change(.gone(let session, _)): awaited[session] = nil
    case .change(.rows(let session, let rows)): actions = changes(rows, of: session, in: catalog)
    case .deadline(let counters): actions = look(counters, at: now)
    default: break
    }
    actions += goOn(in: catalog, at: now)
    guard case .deadline = event, let end = options.end, now >= end, !hasEnded else {
      return actions
    }
    return actions + [self.end(in: catalog)]
  }

  private mutating func look(_ counters: ViewerCounters, at now: Duration) -> [CommandAction] {
    Array(awaited.keys).flatMap { session -> [CommandAction] in
      guard let progress = awaited[session]?.look(for: session, counters, at: now) else {
        (awaited[session], silent) = (nil, session)
        return []
      }
      return progress
    }
  }

  private mutating func follow(
    _ session: SessionID, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    guard let instance = catalog[session], finder.name.map(instance.isNamed) ?? true else {
      return []
    }
    if !followed.contains(session) { followed.append(session) }
    awaited[session] = ArrivalClock(finder.patience, from: now)
    return [.follow(session, .newestState), .values(session)]
  }

  /// Prints the values once every app has answered, and ends unless it follows.
  private mutating func goOn(in catalog: Catalog, at now: Duration) -> [CommandAction] {
    let finding = finder.look(in: catalog, at: now)
    guard finder.isSettled, awaited.isEmpty else { return [] }
    guard !followed.isEmpty else {
      guard !options.follows, case .failed(let failure) = finding else { return [] }
      hasEnded = true
      return [.fail(failure)]
    }
    let actions = options.follows ? printNew(in: catalog) : printAll(in: catalog)
    return options.follows ? actions : actions + nothing(in: catalog) + [end(in: catalog)]
  }

  /// If there was no value, says so and suggests a similar name.
  private func nothing(in catalog: Catalog) -> [CommandAction] {
    guard !hasPrinted, silent == nil else { return [] }
    let apps = followed.compactMap { catalog[$0] }
    guard let path = options.path?.text else {
      let labels = apps.map(\.label).joined(separator: ", ")
      return [.complain("\(labels) \(apps.count == 1 ? "has" : "have") no values")]
    }
    let names = apps.flatMap { $0.values.records.map(\.name) }
    let meant = nearest(to: path, in: names).first.map { " Did you mean '\($0)'?" }
    return [.complain("no value is named '\(path)'.\(meant ?? "")")]
  }

  private mutating func printAll(in catalog: Catalog) -> [CommandAction] {
    let views = followed.compactMap { catalog[$0] }.compactMap {
      ValueView(of: $0, at: options.path)
    }
    hasPrinted = !views.isEmpty
    guard hasPrinted else { return [] }
    guard options.json else {
      return views.flatMap { $0.lines(depth: options.depth) }.map { .print(layout.shown($0)) }
    }
    let json = finder.name != nil && views.count == 1 ? views[0].json : views.merged
    return [.printBytes(EventJSON.bytes(json, .compact))]
  }

  // MARK: Going on

  private mutating func printNew(in catalog: Catalog) -> [CommandAction] {
    followed.filter { printed.insert($0).inserted }.compactMap { catalog[$0] }.flatMap { instance in
      instance.values.records.flatMap { line(of: $0, in: instance) }
    }
  }

  private func changes(
    _ rows: ClosedRange<SequenceNumber>, of session: SessionID, in catalog: Catalog
  ) -> [CommandAction] {
    guard options.follows, printed.contains(session), let instance = catalog[session] else {
      return []
    }
    return rows.halfOpen.numbers.compactMap { instance.timeline.row($0)?.record }.flatMap {
      line(of: $0, in: instance)
    }
  }

  private func line(of record: Record, in instance: Instance) -> [CommandAction] {
    guard record.kind == .update || record.kind == .remove, options.path?.concerns(record) ?? true
    else { return [] }
    return options.json
      ? [.printBytes(EventJSON.line(value: record, of: instance))]
      : [.print(layout.shown(layout.line(value: record, of: instance)))]
  }

  private mutating func end(in catalog: Catalog) -> CommandAction {
    hasEnded = true
    guard let silent, let instance = catalog[silent] else {
      return .exit(hasPrinted ? ExitCode.done : ExitCode.failed)
    }
    return .fail(
      Failure(
        "\(instance.label) did not answer with its values",
        advice: "try again with --timeout 30; `statesurf doctor` checks this machine",
        exitCode: ExitCode.unanswered))
  }
}

/// Which values the user wants: those with a name and below it, or a place in one value.
package struct ValuePath: Equatable, Sendable {
  let text: String

  package init(text: String) { self.text = text }

  enum Found {
    case one(JSON)
    case several([(name: String, json: JSON)])
  }

  /// The values at or below the path, taken as a name. If no name matches, the rest of the path
  /// after the longest matching name leads into that value. Nil if that finds nothing.
  func find(in values: [(name: String, json: JSON)]) -> Found? {
    let name = ValueName(text)
    let below = values.filter { ValueName($0.name).isOrIsBelow(name) }
    if below.count > 1 || (below.count == 1 && below[0].name != text) { return .several(below) }
    let owner = values.filter { text.hasPrefix($0.name) }.max { $0.name.count < $1.name.count }
    guard let owner else { return nil }
    let rest = text.dropFirst(owner.name.count)
    guard rest.isEmpty || rest.first == "." || rest.first == "[",
      let path = JSONPath(parsing: rest.first == "." ? rest.dropFirst() : rest)
    else { return nil }
    return owner.json[path.pointer].map { .one($0) }
  }

  /// Whether a record of a value may change what is at the path.
  func concerns(_ record: Record) -> Bool {
    let name = ValueName(record.name)
    if name.isOrIsBelow(ValueName(text)) { return true }
    let rest = text.dropFirst(record.name.count)
    return text.hasPrefix(record.name) && [".", "[", "/"].contains(rest.first)
  }
}
