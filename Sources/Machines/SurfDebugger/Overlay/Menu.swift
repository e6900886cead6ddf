import SurfViewer
import SurfWire

/// A list that a person searches by typing, and that runs what is chosen: help and palette.
struct Menu: Sendable {
  enum Kind: Equatable, Sendable {
    case help, palette
    /// The app to compare with.
    case comparison

    fileprivate var hasCommands: Bool { self != .comparison }
    fileprivate var hasApps: Bool { self != .help }
  }

  enum Choice: Equatable, Sendable {
    case command(ViewerCommand)
    case app(SessionID, String)

    var title: String {
      switch self {
      case .command(let command): command.spec.title
      case .app(_, let label): "app \(label)"
      }
    }

    func keyText(_ keys: KeyMap) -> String {
      switch self {
      case .command(let command): keys.keys(of: command).map(\.label).joined(separator: " ")
      case .app: ""
      }
    }

    /// For the search.
    fileprivate func words(_ keys: KeyMap) -> String {
      switch self {
      case .command(let command): "\(command.id) \(title) \(keyText(keys))".lowercased()
      case .app: title.lowercased()
      }
    }

    /// What begins as it was typed comes first, then what has a word that does.
    fileprivate func rank(of typed: String) -> Int {
      let title = title.lowercased()
      if case .command(let command) = self, command.id.lowercased().hasPrefix(typed) { return 0 }
      if title.hasPrefix(typed) { return 0 }
      return title.split(separator: " ").contains { $0.hasPrefix(typed) } ? 1 : 2
    }
  }

  let kind: Kind
  private(set) var field = TextField()
  private(set) var choices: [Choice]
  private(set) var index = 0
  private let all: [Choice]
  let keys: KeyMap

  init(_ kind: Kind, apps: [(SessionID, String)], keys: KeyMap) {
    self.kind = kind
    self.keys = keys
    let commands = CommandGroup.allCases.flatMap { group in
      ViewerCommand.allCases.filter { $0.spec.group == group }.map(Choice.command)
    }
    all =
      (kind.hasApps ? apps.map { .app($0.0, $0.1) } : []) + (kind.hasCommands ? commands : [])
    choices = all
  }

  var chosen: Choice? { choices.indices.contains(index) ? choices[index] : nil }

  mutating func move(by count: Int) {
    index = max(0, min(choices.count - 1, index + count))
  }

  mutating func press(_ key: CommandKey) {
    if field.press(key) { search() }
  }

  mutating func add(_ typed: String) {
    field.add(typed)
    search()
  }

  /// All words must be there, in any order.
  private mutating func search() {
    let typed = field.text.lowercased()
    let wanted = typed.split(separator: " ")
    let found = all.filter { choice in
      let words = choice.words(keys)
      return wanted.allSatisfy { words.contains($0) }
    }
    choices = (0...2).flatMap { rank in found.filter { $0.rank(of: typed) == rank } }
    index = 0
  }
}

/// What lies over the panes and takes the keys.
enum Overlay: Sendable {
  case prompt(Prompt)
  case menu(Menu)
  /// The first of two keys was pressed.
  case prefix(CommandKey)
  /// Text outside of the screen, until a key is pressed.
  case plain
  case consent(Consent)
  case settings(SettingsPane)
}
