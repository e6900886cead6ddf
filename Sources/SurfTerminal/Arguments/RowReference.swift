import SurfWire

/// A row as a person names it.
package enum RowReference: Equatable, Sendable {
  /// By its number; 0 is the initial state.
  case number(SequenceNumber)
  /// The newest row with a state, or so many rows with a state before it.
  case tip(before: Int)

  /// A number, `initial`, `newest`, `tip`, or `~3` for the third before the tip; nil for all else.
  package init?(_ text: String) {
    switch text.lowercased() {
    case "initial": self = .number(0)
    case "tip", "newest", "~": self = .tip(before: 0)
    case let text where text.hasPrefix("~"):
      guard let count = Int(text.dropFirst()), (0...Self.stepCountMax).contains(count) else {
        return nil
      }
      self = .tip(before: count)
    default:
      guard text.allSatisfy(\.isWholeNumber), let number = UInt64(text), number < .max else {
        return nil
      }
      self = .number(SequenceNumber(number))
    }
  }

  /// As many rows as a timeline holds.
  static let stepCountMax: Int = 100_000
}
