import Foundation

/// The command in a line of input.
package enum Command: Equatable {
  case action(App.Action)
  case list
  case help
  case quit
  /// A line with nothing on it.
  case nothing

  /// Why a line is not a command, in words for the user.
  package struct Misuse: Error, Equatable {
    package let message: String
  }

  /// Reads a line such as `edit 2 Buy oat milk`.
  package init(_ line: String) throws(Misuse) {
    let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    let rest = words.count > 1 ? words[1].trimmed : ""
    switch words.first {
    case nil: self = .nothing
    case "list": self = .list
    case "help": self = .help
    case "quit": self = .quit
    case "clear": self = .action(.clear)
    case "add": self = .action(.add(try Self.title(rest)))
    case "done": self = .action(.done(try Self.number(rest)))
    case "undone": self = .action(.undone(try Self.number(rest)))
    case "remove": self = .action(.remove(try Self.number(rest)))
    case "edit": self = try Self.edit(rest)
    case "filter": self = .action(.filter(try Self.filter(rest)))
    case let word?: throw Misuse(message: "there is no \"\(word)\"; try help")
    }
  }

  private static func edit(_ text: String) throws(Misuse) -> Command {
    let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    let id = try number(words.first ?? "")
    return .action(.edit(id, try title(words.count > 1 ? words[1].trimmed : "")))
  }

  private static func title(_ text: String) throws(Misuse) -> String {
    guard !text.isEmpty else { throw Misuse(message: "add needs a text, as in: add Buy milk") }
    return text
  }

  private static func number(_ text: String) throws(Misuse) -> Int {
    guard let number = Int(text) else {
      throw Misuse(message: "\"\(text)\" is not a number in the list, as in: done 2")
    }
    return number
  }

  private static func filter(_ text: String) throws(Misuse) -> App.Filter {
    guard let filter = App.Filter(rawValue: text) else {
      throw Misuse(message: "filter takes open, done or all")
    }
    return filter
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
