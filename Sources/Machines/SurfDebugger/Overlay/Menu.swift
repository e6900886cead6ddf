import SurfTimeline
import SurfViewer
import SurfWire

/// A list that a person searches by typing: help, palette, and the choice of another app.
struct Menu: Sendable {
  enum Kind: Equatable, Sendable {
    /// All commands in sections, as in the table of keys.
    case help
    /// Whatever can be done, the likeliest first.
    case palette
    /// The apps to compare with.
    case comparison
  }

  enum Choice: Equatable, Sendable {
    case command(ViewerCommand)
    case app(SessionID, String, isGone: Bool)
    /// What only `statesurf` in a shell can do.
    case shell(ShellSubcommand)

    init(_ instance: Instance, seenFrom host: String?) {
      self = .app(
        instance.session, instance.label(seenFrom: host), isGone: instance.status != .live)
    }

    var title: String {
      switch self {
      case .command(let command): command.spec.title
      case .app(_, let label, let isGone): "app \(label)\(isGone ? " ○ gone" : "")"
      case .shell(let subcommand): "in a shell, statesurf \(subcommand.name): \(subcommand.summary)"
      }
    }

    func keyText(_ keys: KeyMap) -> String {
      switch self {
      case .command(let command): keys.keys(of: command).map(\.label).joined(separator: " ")
      case .app, .shell: ""
      }
    }

    /// Words that mean this choice.
    fileprivate func names(_ keys: KeyMap) -> [String] {
      switch self {
      case .command(let command):
        [command.rawValue.lowercased()] + command.spec.words
          + keys.keys(of: command).map { $0.label.lowercased() }
      case .app(_, let label, _): [label.lowercased()] + label.lowercased().words.map(String.init)
      case .shell(let subcommand): [subcommand.name]
      }
    }

    var isGone: Bool { if case .app(_, _, true) = self { true } else { false } }

    var command: ViewerCommand? { if case .command(let command) = self { command } else { nil } }
  }

  /// A line of the box.
  enum Line: Equatable, Sendable {
    case heading(CommandGroup)
    /// By its index in `choices`.
    case choice(Int)
  }

  let kind: Kind
  private(set) var field = TextField()
  private(set) var choices: [Choice]
  private(set) var index = 0
  /// The best first, except in the help.
  private let all: [Choice]
  let keys: KeyMap

  private init(_ kind: Kind, _ all: [Choice], keys: KeyMap) {
    self.kind = kind
    self.all = all
    self.keys = keys
    choices = Self.ordered(all)
  }

  /// Apps that are gone come last.
  private static func ordered(_ choices: [Choice]) -> [Choice] {
    choices.filter { !$0.isGone } + choices.filter(\.isGone)
  }

  static func help(_ keys: KeyMap) -> Menu {
    Menu(.help, CommandGroup.allCases.flatMap(\.commands).map(Choice.command), keys: keys)
  }

  static func comparison(_ apps: [Choice], keys: KeyMap) -> Menu {
    Menu(.comparison, apps, keys: keys)
  }

  /// - Parameters:
  ///   - recent: the commands that were chosen before, the latest first.
  ///   - canRun: whether a command can run now.
  static func palette(
    _ apps: [Choice], _ subcommands: [ShellSubcommand], recent: [ViewerCommand],
    keys: KeyMap, canRun: (ViewerCommand) -> Bool
  ) -> Menu {
    let others = groups.flatMap(\.commands).filter { !recent.contains($0) }
    let ready = others.filter(canRun)
    let names = Set(ViewerCommand.allCases.flatMap { [$0.rawValue] + $0.spec.words })
    let commands = ready + others.filter { !ready.contains($0) }
    return Menu(
      .palette,
      recent.map(Choice.command) + apps + commands.map(Choice.command)
        + subcommands.filter { !names.contains($0.name) }.map(Choice.shell),
      keys: keys)
  }

  /// A person who moves the cursor does so by its keys.
  private static let groups: [CommandGroup] = [
    .surf, .rewrite, .search, .look, .keep, .viewer, .move,
  ]

  var chosen: Choice? { choices.indices.contains(index) ? choices[index] : nil }

  /// The row whose number was typed into the palette: a number after a colon is a place, as in an
  /// editor.
  var row: RowAddress? {
    guard kind == .palette, field.text.allSatisfy(\.isNumber) else { return nil }
    return RowAddress(field.text)
  }

  /// The choices, under the headings of the help.
  var lines: [Line] {
    var lines: [Line] = []
    var group: CommandGroup?
    for (index, choice) in choices.enumerated() {
      if kind == .help, let found = choice.command?.spec.group, found != group {
        lines.append(.heading(found))
        group = found
      }
      lines.append(.choice(index))
    }
    return lines
  }

  mutating func move(by count: Int) {
    index = max(0, min(choices.count - 1, index + count))
  }

  /// Moves by a number of lines, to the nearest choice there.
  mutating func turn(by count: Int) {
    let lines = lines
    guard let start = lines.firstIndex(of: .choice(index)) else { return }
    let end = max(0, min(lines.count - 1, start + count))
    for line in lines[end...] {
      guard case .choice(let found) = line else { continue }
      index = found
      return
    }
  }

  mutating func press(_ key: CommandKey) {
    if field.press(key) { search() }
  }

  mutating func add(_ typed: String) {
    field.add(typed)
    search()
  }

  private mutating func search() {
    let wanted = MenuSearch(field.text)
    let fits = all.map { wanted.fit(of: $0.names(keys), title: $0.title) }
    // Only the whole number of a process means the process.
    if row != nil, !fits.contains(where: { $0 == .name || $0 == .word }) {
      (choices, index) = ([], 0)
      return
    }
    let found = zip(all, fits).filter { $0.1 != .none && $0.1 != .letters }
    let best = found.isEmpty ? zip(all, fits).filter { $0.1 == .letters } : found
    let ranked = MenuSearch.Fit.allCases.flatMap { fit in
      best.filter { $0.1 == fit }.map(\.0)
    }
    guard kind == .help else {
      (choices, index) = (Self.ordered(ranked), 0)
      return
    }
    choices = best.map(\.0)
    index = ranked.first.flatMap(choices.firstIndex) ?? 0
  }
}

/// The typed text that a search compares with choices.
private struct MenuSearch {
  /// How well a choice fits, the best first.
  enum Fit: CaseIterable {
    /// It, or a word of it, is what was typed.
    case name, word
    /// It, or a word of it, begins so.
    case nameBegins, wordBegins
    /// It has all words, in any order; or parts of them.
    case words, parts
    /// It has the letters in this order.
    case letters
    case none
  }

  private let typed: String
  private let words: [Substring]

  init(_ text: String) {
    words = text.lowercased().split(separator: " ")
    typed = words.joined(separator: " ")
  }

  func fit(of names: [String], title: String) -> Fit {
    let title = title.lowercased()
    let titleWords = title.words
    if typed.isEmpty || names.contains(typed) { return .name }
    if titleWords.contains(where: { $0 == typed }) || title.hasPrefix(typed) { return .word }
    if names.contains(where: { $0.hasPrefix(typed) }) { return .nameBegins }
    if titleWords.contains(where: { $0.hasPrefix(typed) }) { return .wordBegins }
    let all = names.map { $0[...] } + titleWords
    if words.allSatisfy({ word in all.contains { $0.hasPrefix(word) } }) { return .words }
    let text = (names + [title]).joined(separator: " ")
    if words.allSatisfy(text.contains) { return .parts }
    return (names.prefix(1) + [title]).contains(where: hasLetters) ? .letters : .none
  }

  private func hasLetters(_ text: String) -> Bool {
    var rest = typed.filter { $0 != " " }[...]
    for letter in text where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}

extension String {
  fileprivate var words: [Substring] { split { !$0.isLetter && !$0.isNumber } }
}

/// What covers the panes and gets the keys.
enum Overlay: Sendable {
  case prompt(Prompt)
  case menu(Menu)
  /// The first of two strokes was pressed.
  case prefix(CommandKey)
  /// Plain text on the terminal's own screen, until a key is pressed.
  case plain
  case consent(Consent)
  /// The list of settings, with the cursor on this line.
  case settings(line: Int)
  case apps(AppTable)
}
