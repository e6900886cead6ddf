import SurfWire

/// Which lines of a log a person wants.
package struct LogFilter: Equatable, Sendable {
  /// The least.
  package var level = LogLevel.trace
  /// What the message or the attributes must have in them; in any case if it has no capital.
  package var pattern: String?

  package init() {}

  /// Whether a record is a line of a log, and wanted.
  func admits(_ record: Record) -> Bool {
    guard case .log(let level) = record.kind, level.rawValue >= self.level.rawValue else {
      return false
    }
    guard let pattern else { return true }
    return matches(record.name, pattern)
      || PayloadJSON(record.payload).map { matches($0.text, pattern) } ?? false
  }

  private func matches(_ text: String, _ pattern: String) -> Bool {
    let isAnyCase = !pattern.contains(where: \.isUppercase)
    return (isAnyCase ? text.lowercased() : text).contains(
      isAnyCase ? pattern.lowercased() : pattern)
  }
}
