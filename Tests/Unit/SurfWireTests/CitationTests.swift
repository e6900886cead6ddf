import Foundation
import TestSupport
import Testing

@Suite struct CitationTests {
  @Test func `every section that the code cites exists`() throws {
    let headings = ProtocolDocument.shared.headings
    #expect(headings.isSuperset(of: (1...22).map(String.init)))
    let sources = repositoryRoot.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var count = 0
    for case let path as String in files where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      for section in text.citations {
        count += 1
        #expect(headings.contains(section), "\(path) cites §\(section)")
      }
    }
    #expect(count > 30)
  }

  @Test func `every section that the document cites exists`() {
    let document = ProtocolDocument.shared
    for line in document.lines where line.contains("§") && !line.contains("RFC") {
      for match in line.matches(of: /§(\d+(?:\.\d+)?)/) {
        #expect(document.headings.contains(String(match.1)), "\(line)")
      }
    }
  }
}

extension String {
  /// The sections after each "Protocol.md", of which one sentence may name several.
  fileprivate var citations: [String] {
    matches(of: /Protocol\.md((?:,? (?:and )?§\d+(?:\.\d+)?)+)/).flatMap { citation in
      citation.1.matches(of: /§(\d+(?:\.\d+)?)/).map { String($0.1) }
    }
  }
}
