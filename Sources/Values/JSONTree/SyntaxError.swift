/// Why a text has the wrong syntax, and where.
package struct SyntaxError<Reason: Hashable & Sendable & CustomStringConvertible>: Error, Hashable {
  /// What is wrong.
  package let reason: Reason
  /// Line, from 1; lines end with a line feed.
  package let line: Int
  /// Unicode scalar within the line, from 1.
  package let column: Int

  /// `reason` at a place counted from 1.
  package init(_ reason: Reason, line: Int, column: Int) {
    self.reason = reason
    self.line = line
    self.column = column
  }
}

extension SyntaxError: CustomStringConvertible {
  /// One line for people: `line 2, column 7: unexpected '}'`.
  package var description: String { "line \(line), column \(column): \(reason)" }
}
