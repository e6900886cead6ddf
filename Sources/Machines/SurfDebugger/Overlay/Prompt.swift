import SurfQuery
import SurfViewer
import SurfWire

/// A question that the debugger asks in the line above the footer, and the text typed so far.
struct Prompt: Sendable {
  enum Question: Equatable, Sendable {
    case goTo, find, filter, load, dispatch
    /// Find a text in the detail pane.
    case findIn(DetailTab)
    /// Save the state of this row.
    case save(SequenceNumber)
    case exportHistory, importHistory
    /// Filter the live values.
    case values
    /// Change the setting of this name, then return to the list.
    case setting(String, SettingsPane)
    /// Annotate the mark at this row.
    case note(SequenceNumber)

    /// Whether the answer is a query.
    var isSearch: Bool { self == .find || self == .filter }

    /// Whether the answer is a path.
    var isFile: Bool {
      switch self {
      case .save, .load, .exportHistory, .importHistory: true
      case .goTo, .find, .findIn, .filter, .dispatch, .values, .setting, .note: false
      }
    }

    /// The command that the answer completes, whose needs are checked again; nil if it needs only a
    /// loaded app.
    var command: ViewerCommand? {
      switch self {
      case .load: .load
      case .dispatch: .dispatch
      case .exportHistory: .exportHistory
      case .importHistory: .importHistory
      case .goTo, .find, .findIn, .filter, .save, .values, .setting, .note: nil
      }
    }

    /// The settings list to return to.
    var pane: SettingsPane? { if case .setting(_, let pane) = self { pane } else { nil } }

    var label: String {
      switch self {
      case .goTo: "row"
      case .find: "find"
      case .findIn(let tab): "find in \(tab.rawValue)"
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
  /// Why the text is not a query.
  var fault: QueryError?
  /// Completions of the path, after Tab.
  var candidates: [String] = []
  /// The view before the prompt. A search changes it while it is typed, and Esc restores it.
  var before: AppView
}

struct TextField: Equatable, Sendable {
  private(set) var text: String

  /// More than a query or a path needs. Longer pastes are cut.
  static let countMax = 1_000

  init(_ text: String = "") { self.text = text }

  /// - Returns: whether the key edited the text.
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

  /// Adds the first line only.
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

/// The settings list's cursor.
struct SettingsPane: Equatable, Sendable {
  private(set) var index = 0

  mutating func move(by count: Int, of lineCount: Int) {
    index = max(0, min(lineCount - 1, index + count))
  }
}
