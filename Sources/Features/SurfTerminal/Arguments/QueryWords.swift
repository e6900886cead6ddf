import SurfQuery
import TerminalScreen

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
