import SurfControl
import SurfWire

// Rewrites in words. The name of a rewrite's row is the command's title, and who sent it.
extension HistoryCommand<SequenceNumber> {
  /// The command that a revision's name reports, and the rest of the name; nil if it is not a skip,
  /// toggle or move.
  package static func told(by name: String) -> (command: Self, rest: Substring)? {
    let words = name.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    guard words.count > 2, words[1] == "row", let row = UInt64(words[2]).map({ SequenceNumber($0) })
    else { return nil }
    func rest(after count: Int) -> Substring { words.dropFirst(count).joined(separator: " ")[...] }
    switch words[0] {
    case "skip": return (.toggle(row, skipped: true), rest(after: 3))
    case "unskip": return (.toggle(row, skipped: false), rest(after: 3))
    case "toggle": return (.toggle(row, skipped: nil), rest(after: 3))
    case "move" where words.count > 3 && words[3] == "last":
      return (.move(row, before: nil), rest(after: 4))
    case "move" where words.count > 4 && words[3] == "before":
      guard let next = UInt64(words[4]).map({ SequenceNumber($0) }) else { return nil }
      return (.move(row, before: next), rest(after: 5))
    default: return nil
    }
  }

  /// The effect of a skip, toggle or move, with its actions; the title of any other command.
  ///
  /// - Parameter name: of a row's action; nil if the row is not here.
  package func deed(naming name: (SequenceNumber) -> String?) -> String {
    func title(_ row: SequenceNumber) -> String {
      "row \(row)\(name(row).map { " \($0)" } ?? "")"
    }
    switch self {
    case .toggle(let row, true?): return "skipped \(title(row))"
    case .toggle(let row, false?): return "unskipped \(title(row))"
    case .toggle(let row, nil): return "toggled \(title(row))"
    case .move(let row, let before?): return "moved \(title(row)) before \(title(before))"
    case .move(let row, nil): return "moved \(title(row)) to the end"
    default: return self.title
    }
  }
}

extension Record {
  /// The effect of a rewrite, as the debugger shows it instead of the name; nil for other records.
  /// Without the actions' names: who searches for an action does not look for what rewrote it.
  var deed: String? {
    guard kind == .revision, let (command, rest) = HistoryCommand.told(by: name) else { return nil }
    return "\(command.deed { _ in nil }) \(rest)"
  }
}
