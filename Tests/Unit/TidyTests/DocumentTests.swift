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

  /// A rule that is longer than this says two things, and one of them is overlooked.
  @Test func noParagraphOfTheProtocolIsLongerThanSixtyWords() throws {
    var isFenced = false
    var section = ""
    for line in try Repository.text("Protocol.md").components(separatedBy: "\n") {
      if line.hasPrefix("```") { isFenced.toggle() }
      if line.hasPrefix("## ") { section = line }
      // Foreign protocols have their own documents.
      guard !isFenced, !line.hasPrefix("|"), !section.hasPrefix("## 18.") else { continue }
      let wordCount = line.split(separator: " ").count
      #expect(wordCount <= 60, "\(wordCount) words in \(section): \(line.prefix(60))")
    }
  }

  /// What the other end can notice stands in the table of Protocol.md §14, which a test compares
  /// with this file.
  @Test func theTransportTakesEveryTimeFromOneTable() throws {
    let files = try Repository.swiftFiles(in: "Sources").filter {
      ["SurfTransport", "SurfReceiving"].contains($0.module) && !$0.path.hasSuffix("/Timers.swift")
    }
    #expect(files.count > 30)
    for file in files {
      for line in file.lines where line.contains(#/\.(milli|micro)?seconds\(\d/#) {
        let isFar = line.contains(".seconds(1 << ")
        #expect(isFar, "\(file.path): \(line)")
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

  @Test(arguments: ["Clicker", "Thermostat"])
  func aProgramOfTheReadmeIsOneThatIsRun(name: String) throws {
    let program = try Repository.text("Tests/Probes/\(name)/main.swift")
    #expect(try Repository.text("README.md").contains("```swift\n\(program)```"))
  }

  @Test func theReadmeNamesOnlySubcommandsThatExist() throws {
    let text = try Repository.text("README.md")
    let source = try Repository.text("Sources/Features/SurfTerminal/Arguments/Subcommand.swift")
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
