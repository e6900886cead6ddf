/// The options of a demo: all of the form `--name` or `--name SECONDS`.
package struct Arguments {
  /// Why a command line cannot be followed, in words for the user.
  package struct Misuse: Error, Equatable {
    package let message: String
  }

  /// Seconds after an option, or its default; absent if the option is.
  package private(set) var seconds: [String: Double] = [:]
  package private(set) var isHelpWanted = false

  /// - Parameter defaults: Each option that takes seconds, and what it means without them.
  package init(_ arguments: [String], defaults: [String: Double] = [:]) throws(Misuse) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        isHelpWanted = true
      } else if let standard = defaults[option] {
        seconds[option] = try Self.seconds(for: option, in: &rest) ?? standard
      } else {
        throw Misuse(message: "there is no \"\(option)\"")
      }
    }
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
