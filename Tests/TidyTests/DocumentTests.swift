import Foundation
import Testing

/// The documents say what is.
@Suite struct DocumentTests {
  @Test func everyCitedSectionOfTheProtocolExists() throws {
    let headings = try Repository.text("Protocol.md").components(separatedBy: "\n")
      .compactMap { $0.firstMatch(of: #/^#+ (\d+(\.\d+)?)\.? /#).map { String($0.1) } }
    for file in try Repository.swiftFiles(in: "Sources", "Tests") {
      for line in file.lines where line.contains("Protocol.md §") {
        for match in line.matches(of: #/Protocol\.md §(\d+(\.\d+)?)/#) {
          #expect(headings.contains(String(match.1)), "\(file.path): §\(match.1)")
        }
      }
    }
  }

  @Test func everySwiftExampleInTheReadmeIsCompiled() throws {
    let compiled = try Repository.swiftFiles(in: "Demo", "Tests").map { file in
      file.lines.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    for block in try Self.blocks("swift") where !block.contains(where: { $0.contains(".package(") })
    {
      let isCompiled = compiled.contains { Self.contains($0, inOrder: block) }
      #expect(isCompiled, "no file has these lines in order: \(block.first ?? "")")
    }
  }

  @Test func theReadmeNamesOnlySubcommandsThatExist() throws {
    let text = try Repository.text("README.md")
    let source = try Repository.text("Sources/SurfTerminal/Arguments/Subcommand.swift")
    let used = Set(text.matches(of: #/statesurf ([a-z]+)( |`|$)/#).map { String($0.1) })
    #expect(used.count >= 11)
    for name in used { #expect(source.contains(name), "\(name)") }
  }

  /// The non-empty lines of each fenced block of a language.
  private static func blocks(_ language: String) throws -> [[String]] {
    let text = try Repository.text("README.md")
    return text.matches(of: try Regex("(?s)```\(language)\n(.*?)```")).map { match in
      (match.output[1].substring ?? "").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
  }

  private static func contains(_ lines: [String], inOrder wanted: [String]) -> Bool {
    var rest = wanted[...]
    for line in lines where line == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}
