internal import Foundation

/// Protocol.md, as far as tests hold the code against it.
package struct ProtocolDocument {
  package struct Vector: Sendable, CustomStringConvertible {
    package let name: String
    /// The row of §15 under which it is refused; empty if it is not.
    package let reason: String
    package let bytes: [UInt8]

    package var description: String { name }
    package var isRefused: Bool { name.hasPrefix("bad-") }
    package var isTolerated: Bool { name.hasPrefix("tolerated-") }
  }

  package static let shared = ProtocolDocument()

  let lines: [Substring]
  /// What anybody can read.
  package let vectors: [Vector]
  /// Those of §D.5: keys, and what is sealed under them.
  package let sealedVectors: [Vector]

  private init() {
    let url = repositoryRoot.appending(path: "Protocol.md")
    let text = try! String(contentsOf: url, encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex(of: "### D.5 Sealed vectors")!
    vectors = Self.vectors(in: lines[..<start])
    sealedVectors = Self.vectors(in: lines[start...])
  }

  /// The rows of the tables of a section, cell by cell, without heads and rules.
  package func rows(section: String) -> [[String]] {
    let start = lines.firstIndex { $0.hasPrefix("## \(section). ") }!
    let body = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    let table = body.drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("|") }
    return table.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}

// The notation of Protocol.md §1.
extension ProtocolDocument {
  private static func vectors(in lines: ArraySlice<Substring>) -> [Vector] {
    var vectors: [Vector] = []
    var open: (name: String, reason: String, text: String)?
    var isGroup = false
    func close() {
      guard let vector = open else { return }
      vectors.append(
        Vector(name: vector.name, reason: vector.reason, bytes: octets(vector.text[...])))
      open = nil
    }
    for line in lines {
      let code = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      if let match = line.firstMatch(of: /^```vector ([a-z0-9-]+) ?(.*)$/) {
        open = (String(match.1), String(match.2), "")
      } else if line == "```vectors" {
        isGroup = true
      } else if line == "```" {
        close()
        isGroup = false
      } else if isGroup, let match = code.firstMatch(of: /^([a-z0-9-]+): ?(.*)$/) {
        close()
        open = (String(match.1), String(match.2), "")
      } else if open != nil {
        open!.text += " " + code
      }
    }
    return vectors
  }

  private static func octets(_ text: Substring) -> [UInt8] {
    var rest = text.drop { $0 == " " }
    var bytes: [UInt8] = []
    while let first = rest.first {
      let item: [UInt8]
      if first == "{" {
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
