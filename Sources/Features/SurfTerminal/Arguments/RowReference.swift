import SurfTimeline
import SurfWire

/// A row as a user names it on the command line.
package enum RowReference: Equatable, Sendable {
  /// 0 is the initial state.
  case number(SequenceNumber)
  /// The newest row with a state, or the one this many rows with a state before it.
  case tip(before: Int)
  /// The row whose state the app is in.
  case app

  /// Parses a number, `initial`, `app`, `newest`, `tip`, or `tip~3` for the third before the tip,
  /// as Git counts from `HEAD`: `tip~` is the first before it. Nil for anything else.
  ///
  /// `~3` alone means the same, but a shell may take it for a directory (bash and zsh do once they
  /// have a directory stack).
  package init?(_ text: String) {
    let text = text.lowercased()
    let steps = ["tip~", "newest~", "~"].first { text.hasPrefix($0) }
    switch (text, steps) {
    case ("initial", _): self = .number(0)
    case ("app", _): self = .app
    case ("tip", _), ("newest", _): self = .tip(before: 0)
    case (_, let prefix?):
      let digits = text.dropFirst(prefix.count)
      guard digits.allSatisfy(\.isWholeNumber), let count = digits.isEmpty ? 1 : Int(digits),
        count <= Self.stepCountMax
      else { return nil }
      self = .tip(before: count)
    default:
      guard text.allSatisfy(\.isWholeNumber), let number = UInt64(text), number < .max else {
        return nil
      }
      self = .number(SequenceNumber(number))
    }
  }

  /// The most rows that a timeline holds.
  static let stepCountMax = Timeline.Bounds().rowCountMax
}
