import JSONTools
import SurfControl
import SurfWire

/// Makes a command of the words and options of a command line.
struct InvocationBuilder {
  let subcommand: Subcommand
  let positionals: [String]
  let options: [OptionName: OptionValue]

  func command() throws(Failure) -> Command {
    try checkPositionals()
    switch subcommand {
    case .list: return .list(json: has(.json), wait: duration(.wait) ?? .seconds(1))
    case .surf: return .surf
    case .watch: return .watch(try watchOptions())
    case .logs: return .logs(try logOptions())
    case .values: return .values(valueOptions())
    case .show: return .show(try show())
    case .diff: return .diff(try diff())
    case .find: return .find(try findOptions())
    case .trace: return .trace(try traceOptions())
    case .wait: return .wait(try waitOptions())
    case .report: return .report(json: has(.json))
    case .back: return .back(try count(0))
    case .forward: return .forward(try count(0))
    case .jump: return .jump(try neededRow(0))
    case .reset: return .reset
    case .dispatch: return .dispatch(path(0))
    case .save: return try save()
    case .load: return .load(from: path(0))
    case .export: return .export(to: path(0))
    case .replace: return .replace(from: path(0))
    case .gateway: return .gateway(try gatewayOptions())
    case .doctor: return .doctor(json: has(.json))
    case .key: return .key(try keyTask(), json: has(.json))
    case .settings: return .settings(json: has(.json))
    case .completions: return .completions(try shell())
    case .manual: return .manual
    default: return .rewrite(try rewrite())
    }
  }

  /// The rows that were named make a command of it.
  private func rewrite() throws(Failure) -> HistoryCommand<RowReference> {
    guard let rewrites = subcommand.spec.rewrites else { throw misuse("it does nothing yet") }
    var rows: [RowReference] = []
    for index in positionals.indices { rows.append(try action(index)) }
    return rewrites(rows)
  }

  private func checkPositionals() throws(Failure) {
    let wanted = subcommand.spec.positionals
    let needed = wanted.filter { !$0.hasPrefix("[") }
    if positionals.count < needed.count {
      let missing = needed[positionals.count]
      throw misuse("'\(subcommand.rawValue)' needs a \(missing)")
    }
    if positionals.count > wanted.count, !subcommand.takesQuery {
      throw misuse("'\(subcommand.rawValue)' takes no '\(positionals[wanted.count])'")
    }
    if subcommand.namesInstance, positionals.count == wanted.count, options[.instance] != nil {
      throw misuse("the instance is given twice")
    }
  }

  private func watchOptions() throws(Failure) -> WatchOptions {
    var watch = WatchOptions()
    if has(.since), has(.last) { throw misuse("'--since' and '--last' exclude each other") }
    // Row 0 has no record: records begin with 1.
    if let row = number(.since) { watch.wish = .since(SequenceNumber(max(1, row))) }
    if let count = number(.last) { watch.wish = .last(WireCount(count)) }
    watch.json = has(.json)
    let contents: [(OptionName, RowContent)] = [(.states, .state), (.payloads, .payload)]
    for (option, content) in contents where has(option) {
      guard watch.json else { throw misuse("'--\(option.word)' needs '--json'") }
      watch.contents.insert(content)
    }
    watch.duration = duration(.duration)
    watch.recordCount = number(.untilRecords)
    if case .text(let text) = options[.filter] { watch.query = try QueryWords.query([text]) }
    return watch
  }

  private func logOptions() throws(Failure) -> LogOptions {
    var logs = LogOptions()
    if case .text(let name) = options[.level] { logs.filter.level = try level(name) }
    if case .text(let text) = options[.grep] { logs.filter.pattern = text }
    logs.json = has(.json)
    logs.follows = has(.follow)
    return logs
  }

  /// The first word is the instance, unless `-i` has named it.
  private func valueOptions() -> ValueOptions {
    var values = ValueOptions()
    values.path = positionals.dropFirst(has(.instance) ? 0 : 1).first.map(ValuePath.init)
    if let depth = number(.depth) { values.depth = Int(depth) }
    values.json = has(.json)
    values.follows = has(.follow)
    return values
  }

  private func keyTask() throws(Failure) -> KeyTask {
    let word = positionals.first ?? "list"
    let place = positionals.dropFirst().first
    if word == "new" {
      return .new(place.map { $0 == "-" ? .output : .file($0) } ?? .usualFile)
    }
    if let place { throw misuse("'key \(word)' takes no '\(place)'") }
    switch word {
    case "watch": return .watch
    case "list": return .list
    default:
      throw misuse("'key' cannot '\(word)'", meaning: "It can: new, watch, list.")
    }
  }

  private func shell() throws(Failure) -> Shell {
    if let shell = Shell(rawValue: positionals[0].lowercased()) { return shell }
    let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
    throw misuse("there is nothing for '\(positionals[0])'", meaning: "Shells are \(names).")
  }

  private func level(_ name: String) throws(Failure) -> LogLevel {
    let word = name.lowercased() == "warn" ? "warning" : name.lowercased()
    if let level = LogLevel.allCases.first(where: { "\($0)" == word }) { return level }
    throw misuse("there is no level '\(name)'", meaning: "Levels are \(OptionName.levelNames).")
  }

  private func gatewayOptions() throws(Failure) -> GatewayOptions {
    var gateway = GatewayOptions()
    gateway.listen = texts(.listen)
    gateway.relays = texts(.connect)
    gateway.hosts = texts(.allowHost)
    gateway.origins = texts(.allowOrigin)
    if has(.noToken), has(.tokenFile) {
      throw misuse("'--no-token' and '--token-file' exclude each other")
    }
    if case .text(let path) = options[.tokenFile] { gateway.tokenFile = path }
    if case .text(let path) = options[.relayToken] { gateway.relayToken = path }
    gateway.needsNoToken = has(.noToken)
    gateway.isExposed = has(.expose)
    if let rows = number(.history) { gateway.rowCountMax = Int(rows) }
    gateway.dialsAll = has(.auto)
    if case .text(let name) = options[.browse] { gateway.relayName = name }
    if case .text(let type) = options[.serviceType] { gateway.serviceType = type }
    if has(.inspector) { gateway.inspector = "8080" }
    if case .text(let place) = options[.inspector] { gateway.inspector = place }
    gateway.json = has(.json)
    return gateway
  }

  /// Nil if it was left out.
  private func row(_ index: Int) throws(Failure) -> RowReference? {
    index < positionals.count ? try neededRow(index) : nil
  }

  private func neededRow(_ index: Int) throws(Failure) -> RowReference {
    if let row = RowReference(positionals[index]) { return row }
    throw noRow(positionals[index])
  }

  private func noRow(_ word: String) -> Failure {
    misuse(
      "'\(word)' is no row",
      meaning: """
        Rows are 1, 2, 3 …; app is where the app is, tip the newest, tip~1 the one before, 0 the \
        initial state.
        """)
  }

  /// A row that can be an action's.
  private func action(_ index: Int) throws(Failure) -> RowReference {
    let row = try neededRow(index)
    if row == .number(0) {
      throw misuse(
        "row 0 is the initial state, and no action", meaning: "Rows of actions are 1, 2, 3 …")
    }
    return row
  }

  /// Steps; one if it was left out.
  private func count(_ index: Int) throws(Failure) -> Int {
    guard index < positionals.count else { return 1 }
    // As many as a row can be counted from the tip.
    guard let count = Int(positionals[index]), (1...RowReference.stepCountMax).contains(count)
    else {
      throw misuse(
        "'\(positionals[index])' is no number of steps",
        meaning: "Steps are 1 to \(RowReference.stepCountMax); the other way is the other command.")
    }
    return count
  }

  private func show() throws(Failure) -> ShowOptions {
    var show = ShowOptions()
    let (rows, path) = try rowsAndPath()
    if let row = rows.first { show.row = row }
    if has(.payload) { show.part = .payload }
    if has(.raw), has(.json) { throw misuse("'--raw' and '--json' exclude each other") }
    if has(.raw), path != nil {
      throw misuse("'--raw' is of all the bytes", meaning: "With a path, '--json' fits a script.")
    }
    show.form = has(.raw) ? .raw : has(.json) ? .json : .laidOut
    show.path = path ?? JSONPath()
    return show
  }

  private func diff() throws(Failure) -> DiffOptions {
    var diff = DiffOptions()
    let (rows, path) = try rowsAndPath()
    if case .text(let name) = options[.with] { diff.other = name }
    if let row = rows.first { diff.old = row }
    if rows.count > 1 { diff.new = rows[1] }
    if has(.patch), has(.json) { throw misuse("'--patch' and '--json' exclude each other") }
    if has(.patch), path != nil { throw misuse("'--patch' is of whole states, and takes no path") }
    diff.form = has(.patch) ? .patch : has(.json) ? .json : .lines
    diff.path = path ?? JSONPath()
    return diff
  }

  /// What is no row and comes last is a path. A number is never one: an array's element is `[3]`.
  private func rowsAndPath() throws(Failure) -> ([RowReference], JSONPath?) {
    let rowCountMax = subcommand.spec.positionals.count - 1
    var rows: [RowReference] = []
    for (index, word) in positionals.enumerated() {
      let isLast = index == positionals.count - 1
      if index < rowCountMax, let row = RowReference(word) {
        rows.append(row)
      } else if isLast, let path = path(from: word) {
        return (rows, path)
      } else {
        throw index < rowCountMax
          ? noRow(word)
          : misuse(
            "'\(word)' is no path", meaning: "A path is as in `diff`: todos[3].title, [\"a b\"].")
      }
    }
    return (rows, nil)
  }

  private func path(from word: String) -> JSONPath? {
    // In a quoted key, anything may stand.
    let beginning = word.prefix { $0 != "[" }
    let looksLikeRow =
      word.drop { $0 == "-" }.allSatisfy(\.isWholeNumber) || beginning.contains("~")
    return looksLikeRow ? nil : JSONPath(parsing: word)
  }

  private func save() throws(Failure) -> Command {
    guard positionals.count == 1, !isBelowZero(positionals[0]) else {
      return .save(try neededRow(0), to: path(1))
    }
    if RowReference(positionals[0]) != nil {
      throw misuse(
        "'save' needs a file, and '\(positionals[0])' is a row (a file is ./\(positionals[0]))")
    }
    return .save(.app, to: path(0))
  }

  /// An impossible row rather than a file, which would be `./-1`.
  private func isBelowZero(_ text: String) -> Bool { (Int(text) ?? 0) < 0 }

  private func path(_ index: Int) -> String? {
    positionals[index] == "-" ? nil : positionals[index]
  }

  func has(_ name: OptionName) -> Bool { options[name] != nil }

  private func texts(_ name: OptionName) -> [String] {
    if case .texts(let texts) = options[name] { texts } else { [] }
  }

  private func number(_ name: OptionName) -> UInt64? {
    if case .number(let number) = options[name] { number } else { nil }
  }

  func duration(_ name: OptionName) -> Duration? {
    if case .duration(let duration) = options[name] { duration } else { nil }
  }

  func misuse(_ what: String, meaning: String = "") -> Failure {
    ArgumentParser.misuse(what, meaning: meaning, subcommand)
  }
}
