import JSONTools
import SurfControl
import SurfQuery
import SurfWire
import TerminalScreen

/// The words and options of a command line. A subcommand makes its command from them.
struct Words {
  let subcommand: Subcommand
  var positionals: [String]
  var options: [OptionName: OptionValue]
  /// The options of the command line itself, without defaults.
  let given: Set<OptionName>

  /// - Throws: if there are too few or too many positionals, or the subcommand rejects one.
  func command() throws(Failure) -> any Command {
    let wanted = subcommand.positionals
    let needed = wanted.filter(\.isNeeded)
    if positionals.count < needed.count {
      throw misuse("'\(subcommand.name)' needs \(needed[positionals.count].wanted)")
    }
    if positionals.count > wanted.count, !subcommand.takesWords {
      throw misuse("'\(subcommand.name)' takes no '\(positionals[wanted.count])'")
    }
    if subcommand.namesInstance, positionals.count == wanted.count, has(.instance) {
      throw misuse("the instance is given twice")
    }
    return try subcommand.makes(self)
  }

  func misuse(_ what: String, meaning: String = "") -> Failure {
    ArgumentParser.misuse(what, meaning: meaning, subcommand)
  }

  // MARK: Options

  func has(_ name: OptionName) -> Bool { options[name] != nil }

  func text(_ name: OptionName) -> String? {
    if case .text(let text) = options[name] { text } else { nil }
  }

  func texts(_ name: OptionName) -> [String] {
    if case .texts(let texts) = options[name] { texts } else { [] }
  }

  func number(_ name: OptionName) -> UInt64? {
    if case .number(let number) = options[name] { number } else { nil }
  }

  /// The number behind an option that may have none, and then means one.
  func count(_ name: OptionName) -> UInt64? { has(name) ? number(name) ?? 1 : nil }

  func duration(_ name: OptionName) -> Duration? {
    if case .duration(let duration) = options[name] { duration } else { nil }
  }

  /// How long to collect instances.
  ///
  /// - Throws: for 0, because no app answers immediately.
  func wait() throws(Failure) -> Duration? {
    guard let wait = duration(.wait), wait <= .zero else { return duration(.wait) }
    throw misuse("'--wait' must be more than 0", meaning: "Apps take some 10 ms to answer.")
  }

  /// When a command that may follow ends, on its session's clock; nil for never.
  ///
  /// - Throws: if the end is given, but the command does not follow.
  func end() throws(Failure) -> Duration? {
    if has(.duration), !has(.follow) { throw misuse("'--for' needs '--follow'") }
    return duration(.duration)
  }

  /// - Throws: if more than one of the options is there.
  func exclude(_ names: OptionName...) throws(Failure) {
    let present = names.filter(has)
    guard present.count > 1 else { return }
    throw misuse("'--\(present[0].word)' and '--\(present[1].word)' exclude each other")
  }

  // MARK: Positionals

  func row(_ index: Int) throws(Failure) -> RowReference {
    if let row = RowReference(positionals[index]) { return row }
    throw noRow(positionals[index])
  }

  private func noRow(_ word: String) -> Failure {
    misuse(
      "'\(word)' is not a row",
      meaning: """
        Rows are 1, 2, 3 …; app is where the app is, tip the newest, tip~1 the one before, 0 the \
        initial state.
        """)
  }

  /// All words as rows of actions, so not row 0.
  func actions() throws(Failure) -> [RowReference] {
    var rows: [RowReference] = []
    for index in positionals.indices {
      rows.append(try row(index))
      guard rows[index] != .number(0) else {
        throw misuse(
          "row 0 is the initial state, not an action", meaning: "Rows of actions are 1, 2, 3 …")
      }
    }
    return rows
  }

  /// The number of steps; one if the word is missing.
  func steps() throws(Failure) -> Int {
    guard let word = positionals.first else { return 1 }
    // The limit is that of rows counted from the tip.
    guard let count = Int(word), (1...RowReference.stepCountMax).contains(count) else {
      throw misuse(
        "'\(word)' is not a number of steps",
        meaning: "Steps are 1 to \(RowReference.stepCountMax). "
          + "`\(subcommand.name == "back" ? "forward" : "back")` goes the other way.")
    }
    return count
  }

  /// Nil for standard input or output.
  func file(_ index: Int) -> String? { positionals[index] == "-" ? nil : positionals[index] }

  /// A last word that is not a row is a path. A number never is: an array's element is `[3]`.
  func rowsAndPath() throws(Failure) -> ([RowReference], JSONPath?) {
    let rowCountMax = subcommand.positionals.count - 1
    var rows: [RowReference] = []
    for (index, word) in positionals.enumerated() {
      let isLast = index == positionals.count - 1
      if index < rowCountMax, let row = RowReference(word) {
        rows.append(row)
      } else if isLast, let path = path(from: word) {
        return (rows, path)
      } else {
        throw index < rowCountMax
          ? noRow(word)
          : misuse(
            "'\(word)' is not a path", meaning: "A path is as in `diff`: todos[3].title, [\"a b\"]."
          )
      }
    }
    return (rows, nil)
  }

  private func path(from word: String) -> JSONPath? {
    // A quoted key may contain anything.
    let beginning = word.prefix { $0 != "[" }
    let looksLikeRow =
      word.drop { $0 == "-" }.allSatisfy(\.isWholeNumber) || beginning.contains("~")
    return looksLikeRow ? nil : JSONPath(parsing: word)
  }
}

/// Parses queries and paths from the words of a command line.
enum QueryWords {
  static func query(_ words: [String]) throws(Failure) -> Query {
    do throws(QueryError) {
      return try Query(words: words)
    } catch {
      throw failure(error, Query.text(of: words))
    }
  }

  static func place(_ path: String) throws(Failure) -> QueryPlace {
    do throws(QueryError) {
      return try QueryPlace(path: path)
    } catch {
      throw failure(error, path)
    }
  }

  /// Shows the text with a mark under the error.
  private static func failure(_ error: QueryError, _ text: String) -> Failure {
    let before = String(text.unicodeScalars.prefix(error.column - 1))
    // Show a part that fits on a terminal.
    let start = max(0, columns(before) - 50)
    let shown = fitted(String(escaped(text).dropFirst(start)), 76)
    let mark = String(repeating: " ", count: max(0, columns(before) - start)) + "^"
    let parts = [shown, mark] + [error.fault.suggestion].compactMap(\.self)
    return Failure(
      "\(error)", meaning: parts.filter { !$0.isEmpty }.joined(separator: "\n  "),
      advice: "statesurf help query", exitCode: ExitCode.misuse)
  }
}
