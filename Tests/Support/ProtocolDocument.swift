internal import Foundation

/// Protocol.md, as far as tests hold the code against it.
package struct ProtocolDocument {
  package static let shared = ProtocolDocument()

  let lines: [Substring]

  private init() {
    let url = repositoryRoot.appending(path: "Protocol.md")
    let text = try! String(contentsOf: url, encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
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

  /// Its blocks that are marked `vector`, in the notation of the files in Tests/Vectors.
  package var examples: [TestVector] {
    lines.indices.filter { lines[$0] == "```vector" }.flatMap { start in
      let block = lines[(start + 1)...].prefix { $0 != "```" }
      return TestVector.read(Array(block))
    }
  }
}
