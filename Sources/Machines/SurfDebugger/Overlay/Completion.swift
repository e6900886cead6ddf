import JSONTools
import JSONTree
import SurfQuery

/// What Tab makes of a text that is being typed.
struct Completion: Equatable, Sendable {
  /// A text that may be meant, and how people see it.
  struct Choice: Equatable, Sendable {
    let text: String
    let label: String
  }

  /// The text, extended as far as all choices agree.
  let text: String
  /// What to choose from; empty if at most one choice is left.
  let choices: [Choice]
  /// Whether nothing completes the text.
  let isVain: Bool

  /// - Parameters:
  ///   - choices: whole texts that may complete the typed one, and how people see them.
  ///   - texts: what choosing each inserts, if that is more than its text.
  init(
    of typed: String, among choices: [(text: String, label: String)],
    inserting texts: [String]? = nil
  ) {
    let common = choices.dropFirst().reduce(choices.first?.text ?? typed) { common, choice in
      String(zip(common, choice.text).prefix { $0 == $1 }.map(\.0))
    }
    // What differs from the typed text in its beginning must be chosen by typing more.
    text = choices.count == 1 || common.hasPrefix(typed) ? common : typed
    let inserted = texts ?? choices.map(\.text)
    self.choices =
      choices.count > 1 ? zip(inserted, choices).map { Choice(text: $0, label: $1.label) } : []
    isVain = choices.isEmpty
  }

  init(of typed: String, among words: [String]) {
    self.init(of: typed, among: words.filter { $0.hasPrefix(typed) }.map { ($0, $0) })
  }

  /// - Parameter names: the names in `typed`'s folder, those of folders with a `/`.
  init(ofPath typed: String, among names: [String]) {
    let slash = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (folder, beginning) = (typed[..<slash], typed[slash...])
    // Hidden files are listed only after a typed dot.
    let found = names.filter { name in
      name.hasPrefix(beginning) && (!name.hasPrefix(".") || beginning.hasPrefix("."))
    }
    self.init(of: typed, among: found.sorted().map { ("\(folder)\($0)", $0) })
  }

  /// Completes the last word of a query: a path in the state, a field and its choices, or a word of
  /// the language.
  ///
  /// - Parameter names: the names of actions.
  init(ofQuery typed: String, state: JSON?, names: [String]) {
    let word = QueryWord(typed)
    let head = typed.dropLast(word.text.count)
    let choices = word.choices(in: state, names)
    self.init(of: typed, among: choices.map { ("\(head)\($0)", $0) })
  }
}

/// The word that is being typed at the end of a query.
private struct QueryWord {
  let text: String

  /// More than a person reads.
  private static let countMax = 1_000

  /// A word ends at a blank or a parenthesis outside of quotation marks.
  init(_ query: String) {
    var (start, isQuoted, isEscaped) = (query.startIndex, false, false)
    for index in query.indices {
      let letter = query[index]
      if letter == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = letter == "\\" && !isEscaped
      if !isQuoted, letter == " " || letter == "(" || letter == ")" {
        start = query.index(after: index)
      }
    }
    text = String(query[start...])
  }

  func choices(in state: JSON?, _ names: [String]) -> [String] {
    if let colon = text.firstIndex(of: ":"), let field = field(text[..<colon]) {
      return fieldChoices(field, names)
    }
    let fields = QueryField.allCases.map { "\($0.rawValue):" }
    let words = text.isEmpty ? [] : Query.words.sorted()
    let paths = state.map(paths) ?? []
    return paths + (fields + words).filter { $0.hasPrefix(text) && !paths.contains($0) }
  }

  /// A field may stand behind a `-`.
  private func field(_ name: Substring) -> QueryField? {
    QueryField(rawValue: String(name.hasPrefix("-") ? name.dropFirst() : name))
  }

  /// For the last of several choices.
  private func fieldChoices(_ field: QueryField, _ names: [String]) -> [String] {
    let start = text.lastIndex { $0 == ":" || $0 == "," } ?? text.startIndex
    let head = text[...start]
    let words =
      switch field.unit {
      case .kind: QueryVocabulary.kind.words
      case .level: QueryVocabulary.level.words
      default: field == .name ? names : []
      }
    return words.map { head + $0 }.filter { $0.hasPrefix(text) }
  }

  /// The paths that begin so and are one step longer than what is typed of them.
  private func paths(in state: JSON) -> [String] {
    let roots = ["state.", "before."]
    let root = roots.first { text.hasPrefix($0) } ?? ""
    let path = text.dropFirst(root.count)
    return Self.paths(beginning: path, in: state).map { root + $0 }
  }

  private static func paths(beginning text: Substring, in state: JSON) -> [String] {
    let ends = text.indices.filter { text[$0] == "." || text[$0] == "[" } + [text.startIndex]
    for end in ends.sorted(by: >) {
      let parent = text[..<end]
      guard let path = parent.isEmpty ? JSONPath() : JSONPath(parsing: parent),
        let value = state[path.pointer]
      else { continue }
      let found = steps(from: path, in: value).filter { $0.hasPrefix(text) }
      // Behind a whole path the next step is meant.
      guard found == [String(text)], let whole = JSONPath(parsing: text),
        let child = state[whole.pointer]
      else { return found }
      let next = steps(from: whole, in: child)
      return next.isEmpty ? found : Array(next)
    }
    return []
  }

  private static func steps(from path: JSONPath, in value: JSON) -> [String] {
    (0..<min(value.memberCount, countMax)).compactMap { value.member($0)?.0 }
      .map { "\(JSONPath(path.elements + [$0]))" }
  }
}
