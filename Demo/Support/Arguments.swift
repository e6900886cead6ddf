/// The options of a demo: `--name`, `--name SECONDS`, `--name NUMBER` or `--name TEXT`.
package struct Arguments {
  /// Why a command line cannot be followed, in words for the user.
  package struct Misuse: Error, Equatable {
    package let message: String

    package init(message: String) { self.message = message }
  }

  /// Seconds after an option, or its default; absent if the option is.
  package private(set) var seconds: [String: Double] = [:]
  /// The whole number after an option; absent if the option is.
  package private(set) var numbers: [String: Int] = [:]
  /// The text after an option; absent if the option is.
  package private(set) var texts: [String: String] = [:]
  package private(set) var isHelpWanted = false

  /// - Parameters:
  ///   - defaults: Each option that takes seconds, and what it means without them.
  ///   - numbers: Each option that takes a whole number, and the numbers it takes.
  ///   - texts: Each option that takes a text.
  package init(
    _ arguments: [String], defaults: [String: Double] = [:],
    numbers: [String: ClosedRange<Int>] = [:], texts: Set<String> = []
  ) throws(Misuse) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        isHelpWanted = true
      } else if let standard = defaults[option] {
        seconds[option] = try Self.seconds(for: option, in: &rest) ?? standard
      } else if let range = numbers[option] {
        self.numbers[option] = try Self.number(for: option, range, in: &rest)
      } else if texts.contains(option) {
        guard let text = rest.popFirst(), !text.isEmpty else {
          throw Misuse(message: "\(option) takes a text")
        }
        self.texts[option] = text
      } else {
        throw Misuse(message: "there is no \"\(option)\"")
      }
    }
  }

  private static func number(
    for option: String, _ range: ClosedRange<Int>, in rest: inout ArraySlice<String>
  ) throws(Misuse) -> Int {
    let word = rest.popFirst() ?? ""
    guard let number = Int(word), range ~= number else {
      let bounds = "from \(range.lowerBound) to \(range.upperBound)"
      throw Misuse(message: "\(option) takes a number \(bounds), not \"\(word)\"")
    }
    return number
  }

  /// A day at most: longer is a slip of the pen, and would overflow a timer somewhere.
  private static func seconds(
    for option: String, in rest: inout ArraySlice<String>
  ) throws(Misuse) -> Double? {
    guard let word = rest.first, !word.hasPrefix("--") else { return nil }
    rest.removeFirst()
    guard let seconds = Double(word), seconds >= 0.01, seconds <= 86_400 else {
      throw Misuse(message: "\(option) takes seconds, from 0.01 to 86400, not \"\(word)\"")
    }
    return seconds
  }
}
