internal import Foundation

/// Octets that both ends of a codec agree on, from a file of Tests/Vectors.
package struct TestVector: Sendable, CustomStringConvertible {
  /// The content of a vector, which is the name of its file.
  package enum Sort: String, CaseIterable, Sendable {
    case session, datagrams, frames, records, deltas, sealed
  }

  /// Nil for an example in a document.
  package let sort: Sort?
  package let name: String
  /// The row of Protocol.md §15 under which it is refused; empty if it is not.
  package let reason: String
  package fileprivate(set) var bytes: [UInt8] = []

  package var description: String { name }
  package var isRefused: Bool { name.hasPrefix("bad-") }
  package var isTolerated: Bool { name.hasPrefix("tolerated-") }

  /// All that are not sealed.
  package static let open = Sort.allCases.filter { $0 != .sealed }.flatMap(read)
  package static let sealed = read(.sealed)

  private static func read(_ sort: Sort) -> [TestVector] {
    let url = repositoryRoot.appending(path: "Tests/Vectors/\(sort.rawValue).txt")
    let text = try! String(contentsOf: url, encoding: .utf8)
    return read(text.split(separator: "\n"), of: sort)
  }
}

// The notation of Protocol.md §D.1.
extension TestVector {
  static func read(_ lines: [Substring], of sort: Sort? = nil) -> [TestVector] {
    var vectors: [TestVector] = []
    for line in lines {
      let code = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      if let head = code.firstMatch(of: /^([a-z0-9-]+): ?(.*)$/) {
        vectors.append(TestVector(sort: sort, name: String(head.1), reason: String(head.2)))
      } else if !code.isEmpty {
        vectors[vectors.endIndex - 1].bytes += octets(code[...])
      }
    }
    return vectors
  }

  private static func octets(_ text: Substring) -> [UInt8] {
    var rest = text
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      let item: [UInt8]
      if rest.first == "{" {
        let end = rest.firstIndex(of: "}")!
        item = octets(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      } else {
        item = [UInt8(rest.prefix(2), radix: 16)!]
        rest = rest.dropFirst(2)
      }
      var count = 1
      if rest.first == "*" {
        let digits = rest.dropFirst().prefix { $0.isNumber }
        count = Int(digits)!
        rest = rest.dropFirst(1 + digits.count)
      }
      for _ in 0..<count { bytes += item }
      rest = rest.drop { $0 == " " }
    }
    return bytes
  }
}
