/// Why a command was not carried out; nothing has changed.
package struct RefusedCommand: Error, Equatable, Sendable, CustomStringConvertible {
  /// For the person who asked.
  package let description: String

  /// A refusal for this reason.
  package init(_ reason: String) { description = reason }
}
