internal import Foundation

/// The numbers that a Swift file declares with `static let`, and durations in milliseconds. Each
/// has the name that Protocol.md would give it, in small letters: `nakRepeatMin` is "nak repeat
/// min".
package func declaredNumbers(in path: String) -> [String: Int] {
  let text = try! String(contentsOf: repositoryRoot.appending(path: path), encoding: .utf8)
  var numbers: [Substring: Int] = [:]
  for match in text.matches(of: /static let (\w+) = (.+)/) {
    let sum = match.2.replacing("Duration.milliseconds(", with: "")
      .replacing("Duration.seconds(", with: "1_000 * ").replacing(")", with: "")
    numbers[match.1] = sum.split(separator: " + ").reduce(0) { sum, product in
      sum + product.split(separator: " * ").reduce(1) { $0 * (numbers[$1] ?? Int($1.plain)!) }
    }
  }
  return Dictionary(uniqueKeysWithValues: numbers.map { ($0.words, $1) })
}

extension ProtocolDocument {
  /// The numbers in the second column of a section's table, by the names in the first.
  package func numbers(section: String) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: rows(section: section).map { row in
        (row[0].lowercased().replacing("-", with: " "), Int(row[1].filter(\.isNumber))!)
      })
  }
}

extension Substring {
  fileprivate var plain: String { filter { $0 != "_" } }
  fileprivate var words: String {
    String(replacing(/[A-Z]/) { " " + $0.output.lowercased() })
  }
}
