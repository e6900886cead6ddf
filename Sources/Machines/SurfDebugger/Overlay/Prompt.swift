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
    /// Change the setting of this name, then return to its line in the list.
    case setting(String, line: Int)
    /// Annotate the mark at this row.
    case note(SequenceNumber)

    /// Questions of one kind share their history.
    enum Kind: Hashable, Sendable {
      case row, query, text, action, file, values, note
      case setting(String)
    }

    var kind: Kind {
      switch self {
      case .goTo: .row
      case .find, .filter: .query
      case .findIn: .text
      case .dispatch: .action
      case .save, .load, .exportHistory, .importHistory: .file
      case .values: .values
      case .note: .note
      case .setting(let name, _): .setting(name)
      }
    }

    /// Whether the answer is a query.
    var isSearch: Bool { kind == .query }

    /// Whether the answer is a path.
    var isFile: Bool { kind == .file }

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

    /// The line of the settings list to return to.
    var settingsLine: Int? { if case .setting(_, let line) = self { line } else { nil } }

    var label: String {
      switch self {
      case .goTo: "row"
      case .find: "find"
      case .findIn(let tab): "find in \(tab.rawValue)"
      case .filter: "filter"
      case .save(let row): "save row \(row) as"
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
  var field: TextField
  /// The answer if the text is empty.
  let proposal: String
  /// Why the text is not a query.
  var fault: QueryError?
  /// Why the answer was not taken, or Tab did nothing.
  var remark: String?
  /// How the action that is being typed was spelled last.
  var example: String?
  /// The actions that the app had when the prompt opened: to find them takes longer than a key may.
  var shapes: [ActionShape]?
  /// Whether the choices are those that begin with the typed text. Tab then completes it first.
  private(set) var isNarrowed = false
  /// What Tab found, if that is more than one.
  private(set) var choices: [Completion.Choice] = []
  /// The one in the field, if a person has chosen.
  private(set) var chosen: Int?
  /// The view before the prompt. A search changes it while it is typed, and Esc restores it.
  var before: AppView
  private var recall: Recall

  init(
    _ question: Question, _ text: String, proposal: String, history: PromptHistory, before: AppView
  ) {
    self.question = question
    field = TextField(text)
    self.proposal = proposal
    self.before = before
    recall = Recall(history.texts(of: question.kind))
  }

  var answer: String { field.text.isEmpty ? proposal : field.text }

  /// Up and Down. Returns whether the text is another now.
  mutating func turn(back: Bool) -> Bool {
    guard let text = back ? recall.before(field.text) : recall.after() else { return false }
    field = TextField(text)
    return true
  }

  mutating func press(_ key: CommandKey) -> Bool {
    guard field.press(key) else { return false }
    recall.end()
    return true
  }

  mutating func add(_ typed: String) {
    field.add(typed)
    recall.end()
  }

  /// Puts the next choice into the field, or the one before. Returns whether there is one. Choices
  /// with one text count as one.
  mutating func choose(back: Bool) -> Bool {
    let count = choices.count
    guard count > 0 else { return false }
    let start = chosen ?? (back ? 0 : count - 1)
    let steps = (1...count).lazy.map { (start + (back ? count - $0 : $0)) % count }
    let next = steps.first { chosen == nil || choices[$0].text != choices[start].text } ?? start
    chosen = next
    field = TextField(choices[next].text)
    remark = nil
    recall.end()
    return true
  }

  /// Whether the choice in the field is a folder, which Tab looks into.
  var isFolderChosen: Bool {
    question.isFile && chosen.map { choices[$0].text.hasSuffix("/") } == true
  }

  /// Shows what there is to choose from.
  mutating func offer(_ choices: [Completion.Choice], narrowed: Bool = false) {
    (self.choices, chosen, isNarrowed) = (choices, nil, narrowed)
  }

  /// Whether Tab completes the text, and does not choose.
  var completes: Bool {
    choices.isEmpty || isFolderChosen || isNarrowed && chosen == nil && !field.text.isEmpty
  }

  mutating func take(_ completion: Completion) {
    if completion.text != field.text {
      field = TextField(completion.text)
      recall.end()
    }
    offer(completion.choices)
    if completion.isVain {
      remark = "nothing begins with '\(Excerpt.text(field.text, limit: 60))'"
    }
  }
}

/// A person's answers, for Up and Down in a prompt.
struct PromptHistory: Equatable, Sendable {
  private var texts: [Prompt.Question.Kind: [String]] = [:]

  /// More than a person goes back through.
  static let countMax = 100

  /// Oldest first, without duplicates.
  func texts(of kind: Prompt.Question.Kind) -> [String] { texts[kind] ?? [] }

  mutating func add(_ text: String, to kind: Prompt.Question.Kind) {
    guard !text.isEmpty else { return }
    let others = texts(of: kind).filter { $0 != text }
    texts[kind] = others.suffix(Self.countMax - 1) + [text]
  }
}

/// A walk through earlier answers.
private struct Recall: Equatable, Sendable {
  private let texts: [String]
  private var index: Int
  /// The text in the field when the walk began.
  private var typed = ""

  init(_ texts: [String]) {
    self.texts = texts
    index = texts.count
  }

  /// The answer before the one in the field; nil for none.
  mutating func before(_ text: String) -> String? {
    guard let found = texts[..<index].lastIndex(where: { $0 != text }) else { return nil }
    if index == texts.count { typed = text }
    index = found
    return texts[found]
  }

  /// The answer after it, or what was typed.
  mutating func after() -> String? {
    guard index < texts.count else { return nil }
    index += 1
    return index < texts.count ? texts[index] : typed
  }

  /// Typing ends the walk.
  mutating func end() { index = texts.count }
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
