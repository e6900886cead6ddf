import SurfQuery
import TerminalScreen

/// The possible words at the cursor of a command line that somebody types. The completion scripts
/// of all shells ask the command itself, so they contain no words of their own.
package struct ShellCompletion: Sendable {
  /// The beginning of the word at the cursor, which stays: `--interface=`.
  private(set) var lead = ""
  /// The rest of that word.
  private(set) var word: String
  private(set) var candidates: [Candidates] = []
  /// The instance that the line names.
  private(set) var instance: String?
  /// Whether `instance` may be a word of another meaning.
  private(set) var mayBeOther = false
  /// A command line that finds the same apps, without its subcommand.
  private(set) var reach: [String] = []

  private var subcommand: Subcommand?
  private var isHelp = false
  private var positionals: [String] = []
  /// The option that the last word left without its value.
  private var pending: OptionName?
  private var endsOptions = false

  /// - Parameter words: without the program's name; the last one is at the cursor.
  package init(_ words: [String]) {
    word = words.last ?? ""
    for word in words.dropLast() { take(word) }
    if let pending {
      candidates = [pending.candidates]
    } else if !endsOptions, word.hasPrefix("-"), word != "-" {
      completeOption()
    } else {
      completeWord()
    }
  }

  private mutating func take(_ word: String) {
    if let name = pending {
      pending = nil
      note(name, word)
    } else if !endsOptions, word == "--" {
      endsOptions = true
    } else if !endsOptions, word.hasPrefix("-"), word != "-" {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = ArgumentParser.option(parts[0], of: subcommand) else { return }
      if parts.count > 1 {
        note(name, String(parts[1]))
      } else if name.spec.value.isNeeded {
        pending = name
      } else if OptionName.reach.contains(name) {
        reach.append("--\(name.word)")
      }
    } else if subcommand == nil, !isHelp {
      isHelp = word == "help"
      subcommand = Subcommand.named(word)
    } else {
      positionals.append(word)
    }
  }

  private mutating func note(_ name: OptionName, _ value: String) {
    if name == .instance { instance = value }
    if OptionName.reach.contains(name) { reach += ["--\(name.word)", value] }
  }

  private mutating func completeOption() {
    guard let equals = word.firstIndex(of: "=") else {
      let listed = subcommand.map { $0.listedOptions + ($0.usesNetwork ? OptionName.reach : []) }
      let names = listed ?? [.instance, .help]
      candidates = [.choices(names.map { Choice("--\($0.word)", $0.spec.help) })]
      if subcommand == nil { candidates.append(.words(["--version"])) }
      return
    }
    guard let name = ArgumentParser.option(word[..<equals], of: subcommand) else { return }
    lead = String(word[...equals])
    word = String(word[word.index(after: equals)...])
    candidates = [name.candidates]
  }

  private mutating func completeWord() {
    let listed = Subcommand.listed.map { Choice($0.name, $0.summary) }
    guard !isHelp else {
      let topics = Help.Topic.allCases.map { Choice($0.rawValue, $0.summary) }
      candidates = positionals.isEmpty ? [.choices(listed + topics)] : []
      return
    }
    guard let subcommand else {
      candidates = [.choices(listed + [Choice("help", "Show help")])]
      return
    }
    let isNamed = instance != nil
    if subcommand.mayNameInstance, !isNamed, let first = positionals.first,
      Words.mayName(first)
    {
      instance = first
      // A word of a query or an action may be one of its own, and so may a path.
      let isPath =
        subcommand.positionals.count > 1 && subcommand.positionals.contains { $0.kind == .path }
      mayBeOther = subcommand.takesWords || isPath
      if !subcommand.takesWords { positionals.removeFirst() }
    } else if subcommand.mayNameInstance, !isNamed, positionals.isEmpty {
      candidates = [.instances]
    } else if subcommand.namesInstance, let first = positionals.first {
      instance = instance ?? first
    }
    var index = positionals.count
    if subcommand.takesWords { index = min(index, subcommand.positionals.count - 1) }
    for positional in subcommand.positionals.dropFirst(index) {
      let offered = positional.candidates
      if !candidates.contains(offered), offered != .nothing { candidates.append(offered) }
      if positional.isNeeded { break }
    }
    if subcommand.takesQuery, !positionals.isEmpty {
      candidates.append(.words(Query.words.sorted()))
    }
  }
}

/// A word that is offered, and what it means.
package struct Choice: Equatable, Sendable {
  package let word: String
  package let means: String

  package init(_ word: String, _ means: String = "") { (self.word, self.means) = (word, means) }
}

extension ShellCompletion {
  /// The command line to find the same apps with.
  var common: [String] { ["list"] + reach }

  /// Whether an app must be asked.
  var asksApps: Bool { candidates.contains { $0.asksApps } }

  /// The candidates that need no app.
  package var fixed: [Choice] { candidates.flatMap(\.fixed) }

  /// The lines for a shell: a word, a tab and its meaning. `:files` asks the shell for files;
  /// `:more` asks it not to end the word with a blank.
  package func lines(_ choices: [Choice], goesOn: Bool = false) -> [String] {
    var seen: Set<String> = []
    let fitting = choices.filter { $0.word.hasPrefix(word) && seen.insert($0.word).inserted }
    return fitting.map { choice in
      let means = fitted(escaped(choice.means), 60)
      return lead + choice.word + (means.isEmpty ? "" : "\t\(means)")
    } + (goesOn ? [":more"] : []) + (candidates.contains(.files) ? [":files"] : [])
  }

  func actions(_ choices: [Choice], goesOn: Bool = false) -> [CommandAction] {
    lines(choices, goesOn: goesOn).map { .printBytes(Array("\($0)\n".utf8)) }
  }
}
