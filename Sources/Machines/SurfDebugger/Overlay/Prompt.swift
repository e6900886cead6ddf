import SurfQuery
import SurfViewer
import SurfWire

/// A question to the person, answered in the line above the footer.
struct Prompt: Sendable {
  enum Question: Equatable, Sendable {
    case goTo, find, filter, load, dispatch
    /// The state of a row.
    case save(SequenceNumber)
    case exportHistory, importHistory
    /// The text of the values to show.
    case values
    /// By its name, and the list that it is in.
    case setting(String, SettingsPane)
    /// Of a mark at a row.
    case note(SequenceNumber)

    /// Whether it is answered by a query.
    var isSearch: Bool { self == .find || self == .filter }

    /// Whether it is answered by a path.
    var isFile: Bool {
      switch self {
      case .save, .load, .exportHistory, .importHistory: true
      case .goTo, .find, .filter, .dispatch, .values, .setting, .note: false
      }
    }

    /// What is asked of an app by the answer; nil for what only looks.
    var command: ViewerCommand? {
      switch self {
      case .load: .load
      case .dispatch: .dispatch
      case .exportHistory: .exportHistory
      case .importHistory: .importHistory
      case .goTo, .find, .filter, .save, .values, .setting, .note: nil
      }
    }

    /// The list to go back to.
    var pane: SettingsPane? { if case .setting(_, let pane) = self { pane } else { nil } }

    var label: String {
      switch self {
      case .goTo: "row"
      case .find: "find"
      case .filter: "filter"
      case .save: "save as"
      case .load: "load"
      case .dispatch: "dispatch"
      case .exportHistory: "export to"
      case .importHistory: "import"
      case .values: "values with"
      case .setting(let name, _): name
      case .note(let row): "note at row \(row)"
      }
    }
  }

  let question: Question
  var field = TextField()
  /// Why its text is not a query.
  var fault: QueryError?
  /// What its text may become, if a key asked for that.
  var candidates: [String] = []
  /// What a search changes while it is typed; Esc brings it back.
  var before: AppView
}

/// A line that a person types.
struct TextField: Equatable, Sendable {
  private(set) var text: String

  /// More than a query or a path needs; the rest of a paste is left out.
  static let countMax = 1_000

  init(_ text: String = "") { self.text = text }

  /// - Returns: whether the key was meant for the text.
  mutating func press(_ key: CommandKey) -> Bool {
    switch key {
    case "Backspace": _ = text.popLast()
    case "Ctrl-u": text = ""
    case "Ctrl-w": removeWord()
    default:
      guard let character = key.character else { return false }
      add(String(character))
    }
    return true
  }

  /// Only the first line.
  mutating func add(_ typed: String) {
    let line = typed.prefix { !$0.isNewline }
    text.unicodeScalars.append(
      contentsOf: line.unicodeScalars.prefix(max(0, Self.countMax - text.unicodeScalars.count)))
  }

  private mutating func removeWord() {
    while text.last == " " { text.removeLast() }
    while let last = text.last, last != " " { text.removeLast() }
  }
}

/// The list of settings over the panes, and its cursor.
struct SettingsPane: Equatable, Sendable {
  private(set) var index = 0

  mutating func move(by count: Int, of lineCount: Int) {
    index = max(0, min(lineCount - 1, index + count))
  }
}
