import SurfWire

/// The complete description of a subcommand, for the parser, the help, the manual page, the
/// completions and the tests. Each is declared beside its command, and listed in `all`.
package struct Subcommand: Sendable {
  package let name: String
  let group: Group
  let summary: String
  /// The words that are not options, in order.
  let positionals: [Positional]
  /// The options that few other subcommands have.
  let ownOptions: [OptionName]
  /// Options for moving an app; empty if it moves none.
  private let moving: [OptionName]
  package let examples: [(line: String, means: String)]
  /// Further lines of the help page.
  let notes: [String]
  /// Whether it uses no network.
  private let isLocal: Bool
  /// Whether help and completions leave it out: an old word for another subcommand.
  private let isAlias: Bool
  let makes: @Sendable (Words) throws(Failure) -> any Command

  enum Group: String {
    case see = "See"
    case ask = "Ask"
    case surf = "Surf"
    case rewrite = "Rewrite"
    case keep = "Keep"
    case share = "Share"
    case fix = "Fix"
    case learn = "Learn"
  }

  init(
    _ name: String, in group: Group, _ summary: String, positionals: [Positional] = [],
    options: [OptionName] = [.instance], moving: [OptionName] = [],
    examples: [(line: String, means: String)], notes: [String] = [], isLocal: Bool = false,
    isAlias: Bool = false,
    makes: @escaping @Sendable (Words) throws(Failure) -> any Command
  ) {
    self.name = name
    self.group = group
    self.summary = summary
    self.positionals = positionals
    ownOptions = options
    self.moving = moving
    self.examples = examples
    self.notes = notes
    self.isLocal = isLocal
    self.isAlias = isAlias
    self.makes = makes
  }

  /// In the order of the help.
  package static let all: [Subcommand] = [
    .list, .surf, .watch, .logs, .values, .show, .diff, .find, .trace, .wait, .report, .back,
    .forward, .jump, .reset, .dispatch, .toggle, .skip, .unskip, .move, .sweep, .commit, .rollback,
    .pause, .resume, .lock, .unlock, .save, .load, .export, .import, .gateway, .doctor, .key,
    .settings, .completions, .manual, .complete,
  ]

  package static var listed: [Subcommand] { all.filter { !$0.isAlias } }

  /// What `statesurf help` shows.
  static let daily: [Subcommand] = [
    .surf, .list, .watch, .logs, .show, .diff, .find, .trace, .back, .forward, .jump, .dispatch,
    .skip, .save, .load,
  ]

  package static func named(_ name: String) -> Subcommand? { all.first { $0.name == name } }

  package var options: [OptionName] {
    ownOptions + moving + (isLocal ? [.help] : OptionName.network)
  }

  /// Without those of the network, which have a page of their own.
  var listedOptions: [OptionName] { ownOptions + moving + [.help] }

  var usesNetwork: Bool { !isLocal }

  /// Whether the first word always names an instance, as `-i` does.
  var namesInstance: Bool { positionals.first?.kind == .instance }

  /// Whether the first word names an instance if it can be nothing else, or if one is live.
  var mayNameInstance: Bool { ownOptions.contains(.instance) && !namesInstance }

  /// The words of the usage line.
  var usage: [Positional] { (mayNameInstance ? [.instance] : []) + positionals }

  /// What the words mean.
  var rules: [String] {
    let takesRows = positionals.contains { $0.kind == .row }
    let rows = "A row is a number, initial (0), app, tip, or tip~1 for the row before the tip."
    let name =
      positionals.isEmpty || !mayNameInstance
      ? nil
      : "A first word that names a live instance is the instance, as after -i, unless it is a row,"
        + (takesQuery ? " a word of queries, or a relation follows it." : " or -i is given.")
    return (takesRows ? [rows] : []) + (name.map { [$0] } ?? [])
  }

  /// Whether the words are a query.
  var takesQuery: Bool { positionals.last?.kind == .query }

  /// Whether there may be any number of words.
  var takesWords: Bool { takesQuery || positionals.last?.kind == .action }
}

/// A word of a command line that is not an option.
struct Positional: Sendable {
  let name: String
  let kind: Kind
  var isNeeded = true

  enum Kind: Equatable {
    case instance, row, count, query, file, path
    /// The words of an action. There may be any number.
    case action
    /// One of these.
    case choice([String])
  }

  init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

  static let instance = Self("instance", .instance).optional
  static let row = Self("row", .row)
  static let count = Self("count", .count)
  static let query = Self("query", .query)
  static let path = Self("path", .path)
  static let file = Self("file|-", .file)

  var optional: Self {
    var copy = self
    copy.isNeeded = false
    return copy
  }

  /// As in an error: `a row`, `an action, or - to read it from standard input`.
  var wanted: String {
    let noun = name.hasSuffix("|-") ? String(name.dropLast(2)) : name
    let article = noun.first.map("aeiou".contains) == true ? "an" : "a"
    let stream =
      switch kind {
      case .file: ", or - for standard input or output"
      case .action: ", or - to read it from standard input"
      default: ""
      }
    return "\(article) \(noun)\(noun == name ? "" : stream)"
  }

  /// As in a usage line: `[row]` if it is optional, otherwise between `open` and `close`.
  func usage(_ open: String = "", _ close: String = "") -> String {
    isNeeded ? open + name + close : "[\(name)]"
  }
}

/// The candidates for a word of a command line.
package enum Candidates: Equatable, Sendable {
  case nothing
  case files
  /// The labels of live instances, with the host if it is another machine.
  case instances
  case interfaces
  /// Of the instance that the line names.
  case rows, paths, actions
  case words([String])
  case choices([Choice])

  var asksApps: Bool {
    switch self {
    case .instances, .rows, .paths, .actions: true
    case .nothing, .files, .interfaces, .words, .choices: false
    }
  }

  /// What can be offered without asking anything.
  var fixed: [Choice] {
    switch self {
    case .words(let words): words.map { Choice($0) }
    case .choices(let choices): choices
    case .rows:
      [
        Choice("tip", "the newest row"), Choice("tip~1", "the one before"),
        Choice("app", "where the app is"), Choice("initial", "the state at its start"),
      ]
    case .nothing, .files, .instances, .interfaces, .paths, .actions: []
    }
  }
}

extension OptionName {
  /// For the option's value.
  package var candidates: Candidates {
    switch self {
    case .instance, .with: .instances
    case .interface: .interfaces
    case .tokenFile, .relayToken: .files
    case .shown, .filter: .paths
    case .level: .words(LogLevel.allCases.map { "\($0)" })
    case .sequel: .words(["back", "pause", "lock", "--"])
    default: .nothing
    }
  }
}

extension Positional {
  var candidates: Candidates {
    switch kind {
    case .instance: .instances
    case .row: .rows
    case .path, .query: .paths
    case .action: .actions
    case .choice(let words): .words(words)
    case .file: .files
    case .count: .nothing
    }
  }
}

/// A shell that has a completion script.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  package var completions: [String] {
    let script =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    return script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
