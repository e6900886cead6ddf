/// The command in a line of input.
package enum Keys {
  /// One line's wishes, in order.
  package enum Wish: Equatable {
    case action(App.Action)
    case quit
    /// The debugger within the program.
    case debugger
    /// Something that no key means; said, and not done.
    case unknown(String)
  }

  /// What `--auto` types, over and over; each round raises the count by four.
  package static let script = [
    "+", "+", "p", "f", "+", "p", "f", "n", "+", "+", "p", "f", "-", "d 2",
  ]

  /// `+ - p f n v q`, in any number, or `d` and a number.
  package static func wishes(in line: String) -> [Wish] {
    let words = line.split(separator: " ")
    if words.first == "d" {
      guard words.count == 2, let number = Int(words[1]) else {
        return [.unknown("d needs the number to remove, as in: d 7")]
      }
      return [.action(.removeFavourite(number))]
    }
    return line.filter { !$0.isWhitespace }.map(wish)
  }

  private static func wish(for key: Character) -> Wish {
    switch key {
    case "+": .action(.increment)
    case "-": .action(.decrement)
    case "p": .action(.isPrime)
    case "f": .action(.saveFavourite)
    case "n": .action(.nthPrime)
    case "q": .quit
    case "v": .debugger
    default: .unknown("there is no key \(key); the keys are + - p f d n v q")
    }
  }
}
