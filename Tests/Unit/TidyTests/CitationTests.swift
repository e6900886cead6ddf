import Foundation
import TestSupport
import Testing

/// Every citation leads to this repository, or to a standard.
@Suite struct CitationTests {
  /// Those of Protocol.md, by their numbers: "7", "7.1" …
  static let sections = Set(
    (try? Repository.text("Protocol.md"))?.components(separatedBy: "\n")
      .compactMap { $0.firstMatch(of: #/^#+ ([A-Z]|\d+(\.\d+)?|[A-Z]\.\d+)\.? /#) }
      .map { String($0.1) } ?? [])

  @Test func theProtocolHasSections() {
    #expect(Self.sections.isSuperset(of: ["1", "7.1", "10"]))
  }

  /// A section without a document is one of Protocol.md. The standards are not ours to check.
  @Test func everySectionThatIsCitedExists() throws {
    let pattern =
      #/(?:(RFC \d+|ECMA-\d+|[\w.\/-]+\.md),? \(?)?(§[\dA-Z.]+(?:(?:,| and| to| or)+ §[\dA-Z.]+)*)/#
    let citations = try Self.matches(of: pattern, with: "§")
    #expect(citations.count > 500)
    for (path, citation) in citations {
      let document = citation.1 ?? "Protocol.md"
      guard !document.hasPrefix("RFC"), !document.hasPrefix("ECMA") else { continue }
      #expect(document.hasSuffix("Protocol.md"), "\(path): \(citation.0)")
      for section in citation.2.matches(of: #/§([A-Z](?:\.\d+)?|\d+(?:\.\d+)?)/#) {
        #expect(Self.sections.contains(String(section.1)), "\(path): \(citation.0)")
      }
    }
  }

  /// A section of the page on foreign protocols is cited by its heading.
  @Test func everyHeadingThatIsCitedExists() throws {
    let page = "Relay.md"
    let headings = try Repository.text("Sources/\(page)").components(separatedBy: "\n")
      .filter { $0.hasPrefix("#") }.map { $0.drop { "# ".contains($0) } }
    let citations = try Repository.texts(with: page).flatMap { file in
      Self.unwrapped(file.lines).components(separatedBy: "\(page), ").dropFirst()
        .filter { $0.first?.isUppercase == true }.map { (file.path, $0) }
    }
    #expect(citations.count > 20)
    for (path, text) in citations {
      let isThere = headings.contains { text.hasPrefix($0) }
      #expect(isThere, "\(path): \(page), \(text.prefix(40))")
    }
  }

  @Test func everyDocumentThatIsNamedExists() throws {
    let documents = try Repository.documents().map(\.path)
    for (path, match) in try Self.matches(of: #/(?:\.\.\/)*([\w.\/-]*\w\.md)\b/#, with: ".md") {
      let name = match.1.split(separator: "../").last ?? match.1
      let isThere = documents.contains { $0 == name || $0.hasSuffix("/\(name)") }
      #expect(isThere, "\(path): \(match.1)")
    }
  }

  /// `Sources/…` may be a file of the reader's own.
  @Test(arguments: ["Tests/", "Demo/"])
  func everyFileThatIsNamedExists(folder: String) throws {
    for (path, match) in try Self.matches(
      of: #/[ (`]((?:Tests|Demo)\/[\w.+\/-]*\w)/#, with: folder)
    {
      #expect(Self.url(match.1, from: nil) != nil, "\(path): \(match.1)")
    }
  }

  /// Rows of the page of capabilities, such as R and a number.
  @Test func everyCapabilityThatIsCitedHasARow() throws {
    for digit in 0...9 {
      for (path, match) in try Self.matches(of: #/\bR\d{1,3}\b/#, with: "R\(digit)") {
        #expect(Capabilities.ids.contains(String(match)), "\(path): \(match)")
      }
    }
    #expect(try Repository.texts(with: "seed " + "document").map(\.path) == [])
  }

  @Test(arguments: try Repository.documents())
  func everyLinkLeadsSomewhere(file: Repository.File) throws {
    let links = file.lines.flatMap { $0.matches(of: #/\]\(([^)#\s]*)(?:#([^)\s]+))?\)/#) }
    for link in links where !link.1.contains("://") {
      let target = link.1.isEmpty ? String(file.path.split(separator: "/").last!) : String(link.1)
      let url = Self.url(target, from: file)
      #expect(url != nil, "\(file.path): \(link.0)")
      if let anchor = link.2, let url {
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(Self.anchors(text).contains(String(anchor)), "\(file.path): \(link.0)")
      }
    }
  }

  @Test func aCitationIsFoundAcrossLines() {
    #expect(Self.unwrapped(["  /// (Protocol.md", "  /// §1)."]) == "(Protocol.md §1).")
  }

  /// The matches in all texts, each with its file. A comment may wrap in the middle.
  private static func matches<Output>(
    of pattern: Regex<Output>, with word: String
  ) throws -> [(path: String, match: Output)] {
    try Repository.texts(with: word).flatMap { file in
      file.lines.indices.flatMap { index -> [(String, Output)] in
        let line = file.lines[index]
        guard line.contains(word) else { return [] }
        let before = index == 0 ? "" : unwrapped(["", file.lines[index - 1]])
        let text = unwrapped([before, line])
        // What ends in the line before was found there.
        return text.matches(of: pattern).filter { match in
          text.distance(from: text.startIndex, to: match.range.upperBound) > before.count
        }.map { (file.path, $0.output) }
      }
    }
  }

  /// Lines without the marks of comments, as one.
  private static func unwrapped(_ lines: [String]) -> String {
    lines.map { String($0.drop { " /#".contains($0) }) }.joined(separator: " ")
  }

  private static func url(
    _ path: some StringProtocol, from file: Repository.File?
  ) -> URL? {
    let folder = file.map { repositoryRoot.appending(path: $0.path).deletingLastPathComponent() }
    let url = (folder ?? repositoryRoot).appending(path: path).standardized
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// How the headings of a document are linked to: "On the LAN" by `#on-the-lan`.
  private static func anchors(_ text: String) -> [String] {
    text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map { line in
      line.drop { "# ".contains($0) }.lowercased()
        .filter { $0.isLetter || $0.isNumber || "- _".contains($0) }
        .replacingOccurrences(of: " ", with: "-")
    }
  }
}
