import SurfQuery
import SurfWire

extension Query {
  /// Lines of the log from a level on.
  package static func log(from level: LogLevel) -> Query {
    let choice = QueryChoice("\(level)..", in: .level)
    return .field(.level, [choice].compactMap(\.self))
  }
}

extension LogLevel {
  /// The next higher one; behind the highest, the lowest.
  package var next: LogLevel { Self.allCases.first { $0.rawValue > rawValue } ?? .trace }
}
