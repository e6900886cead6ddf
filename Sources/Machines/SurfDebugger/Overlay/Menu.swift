import SurfTimeline
import SurfViewer
import SurfWire

/// A list that a person searches by typing: help, palette, and the choice of another app.
struct Menu: Sendable {
  enum Kind: Equatable, Sendable {
    case help, palette
    /// The apps to compare with.
    case comparison

    fileprivate var hasCommands: Bool { self != .comparison }
    fileprivate var hasApps: Bool { self != .help }
  }

  enum Choice: Equatable, Sendable {
    case command(ViewerCommand)
    case app(SessionID, String)

    init(_ instance: Instance, seenFrom host: String?) {
      self = .app(instance.session, instance.label(seenFrom: host))
    }

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

    /// The text that a search looks in.
    fileprivate func words(_ keys: KeyMap) -> String {
      switch self {
      case .command(let command): "\(command.id) \(title) \(keyText(keys))".lowercased()
      case .app: title.lowercased()
      }
    }

    /// Sorts choices: those that start with the typed text, then those with a word that does, then
    /// the rest.
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
  /// Apps that are gone. They come last.
  private let gone: Set<SessionID>
  let keys: KeyMap

  init(_ kind: Kind, _ apps: [Instance], _ model: Debugger) {
    self.kind = kind
    keys = model.personal.keys
    gone = Set(apps.filter { $0.status != .live }.map(\.session))
    let commands = CommandGroup.allCases.flatMap { group in
      ViewerCommand.allCases.filter { $0.spec.group == group }.map(Choice.command)
    }
    let shown = kind.hasApps ? apps.map { Choice($0, seenFrom: model.setting.host) } : []
    all = shown + (kind.hasCommands ? commands : [])
    choices = all
    putGoneLast()
  }

  private mutating func putGoneLast() {
    choices = choices.filter { !isGone($0) } + choices.filter(isGone)
  }

  func isGone(_ choice: Choice) -> Bool {
    if case .app(let session, _) = choice { gone.contains(session) } else { false }
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

  /// A choice matches if it contains all typed words, in any order.
  private mutating func search() {
    let typed = field.text.lowercased()
    let wanted = typed.split(separator: " ")
    let found = all.filter { choice in
      let words = choice.words(keys)
      return wanted.allSatisfy { words.contains($0) }
    }
    choices = (0...2).flatMap { rank in found.filter { $0.rank(of: typed) == rank } }
    putGoneLast()
    index = 0
  }
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
  case settings(SettingsPane)
  case apps(AppTable)
}
