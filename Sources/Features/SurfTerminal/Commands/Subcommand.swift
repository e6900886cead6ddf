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
  /// Whether help and completions leave it out: the old word for what another one does.
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
    .settings, .completions, .manual,
  ]

  package static var listed: [Subcommand] { all.filter { !$0.isAlias } }

  /// What `statesurf help` shows.
  package static let daily: [Subcommand] = [
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
      : "A first word that names a live instance is the instance, as behind -i, unless it is a row,"
        + (takesQuery ? " or a relation follows it." : " or -i is given.")
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
    /// The words of an action, of which there may be any number.
    case action
    /// One of these.
    case choice([String])
    /// Anything else.
    case text
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

  /// As in a usage line: `[row]` if it is optional, otherwise between `open` and `close`.
  func usage(_ open: String = "", _ close: String = "") -> String {
    isNeeded ? open + name + close : "[\(name)]"
  }
}

/// What the completion scripts offer for a word of a command line.
package enum Candidates: Equatable, Sendable {
  case nothing
  case files
  /// The labels of live instances, with the host if it is another machine.
  case instances
  case interfaces
  case words([String])
}

extension OptionName {
  /// For the option's value.
  package var candidates: Candidates {
    switch self {
    case .instance, .with: .instances
    case .interface: .interfaces
    case .tokenFile, .relayToken: .files
    case .level: .words(LogLevel.allCases.map { "\($0)" })
    default: .nothing
    }
  }
}

extension Subcommand {
  /// For each positional word, in order.
  package var candidates: [Candidates] {
    positionals.map { positional in
      switch positional.kind {
      case .instance: .instances
      case .row: .words(["tip", "tip~1", "initial"])
      case .choice(let words): .words(words)
      case .file: .files
      case .count, .query, .path, .action, .text: .nothing
      }
    }
  }
}

/// A shell for which there is a completion script.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script, generated from the tables behind `--help`.
  package var completions: [String] {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }
}

/// A shell command that prints the labels of live instances, one per line, with the host if it is
/// another machine. Bash expands what it is offered, and anyone can name an app, so the command
/// prints only labels that are safe: letters, digits and `._-#`.
let instanceCommand =
  "statesurf list --wait 0.4 2>/dev/null | awk 'BEGIN { \"uname -n\" | getline own } "
  + "NR == 1 { place = index($0, \"HOST \") } $1 ~ /^[A-Za-z0-9._-]+#[0-9]+$/ { "
  + "split(substr($0, place), words); host = words[1]; print $1 "
  + "(host == own || host !~ /^[A-Za-z0-9._-]+$/ ? \"\" : \"@\" host) }'"
/// A shell command that prints the names of the network interfaces.
let interfaceCommand = "ls /sys/class/net 2>/dev/null | sed -n '/^[A-Za-z0-9._-]*$/p'"
