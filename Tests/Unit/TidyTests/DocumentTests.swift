import Foundation
import Testing

/// The documents match the code.
@Suite struct DocumentTests {
  static let wordCountMax = 60

  /// A newcomer reads it whole; the rest is on other pages.
  @Test func theReadmeIsShort() throws {
    #expect(try Repository.text("README.md").filter { $0 == "\n" }.count <= 240)
  }

  /// A longer rule says two things, and readers overlook one.
  @Test(arguments: try Repository.documents())
  func paragraphsAreShort(file: Repository.File) {
    var isFenced = false
    // The words of a licence are not ours.
    for line in file.lines.prefix(while: { $0 != "## Licence" }) {
      if line.hasPrefix("```") { isFenced.toggle() }
      guard !isFenced, !line.hasPrefix("|") else { continue }
      let wordCount = line.split(separator: " ").count
      #expect(
        wordCount <= Self.wordCountMax, "\(wordCount) words: \(line.prefix(60))")
    }
  }

  /// Times that the other end can notice are in the table of Protocol.md §14, which a test compares
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

  /// The modules that have the shape of a library, and the library.
  private static let shapes = [
    "ReSwiftShape": "ReSwift", "ComposableShape": "ComposableArchitecture",
    "RexShape": "SwiftRex", "RoutedShape": "Hummingbird",
  ]

  @Test func everySwiftExampleIsCompiled() throws {
    let imports = Dictionary(
      uniqueKeysWithValues: Self.shapes.map { ("import \($0.key)", "import \($0.value)") })
    let compiled = try Repository.swiftFiles(in: "Demo", "Tests").map { file in
      file.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        .map { imports[$0] ?? $0 }
    }
    let blocks = try Repository.documents().flatMap { try Self.blocks("swift", of: $0) }
    #expect(blocks.count > 5)
    for block in blocks where !block.contains(where: { $0.contains(".package(") }) {
      let isCompiled = compiled.contains { Self.contains($0, block) }
      #expect(isCompiled, "no file has these lines one after another: \(block.first ?? "")")
    }
  }

  @Test(arguments: [
    ("Clicker", "README.md"), ("Thermostat", "Sources/Instrumenting.md"),
    ("Kinds/Actor", "Sources/Instrumenting.md"), ("Kinds/Observable", "Sources/Instrumenting.md"),
    ("Kinds/Loop", "Sources/Instrumenting.md"), ("Kinds/Parts", "Sources/Instrumenting.md"),
    ("Kinds/Routed", "Sources/Instrumenting.md"),
    ("Kinds/Store", "Sources/Stores.md"),
    ("Kinds/Composable", "Sources/Libraries.md"), ("Kinds/ReSwift", "Sources/Libraries.md"),
    ("Kinds/SwiftRex", "Sources/Libraries.md"),
  ])
  func aProgramThatIsShownIsOneThatIsRun(name: String, page: String) throws {
    var program = try Repository.text("Tests/Probes/\(name)/main.swift")
    for (shape, library) in Self.shapes {
      program = program.replacingOccurrences(of: "import \(shape)\n", with: "import \(library)\n")
    }
    #expect(try Repository.text(page).contains("```swift\n\(program)```"))
  }

  /// Swift takes less at the top level of a file than in a type or a function.
  @Test func theLinesForAPropertyCompileInAProgram() throws {
    let pages = try Repository.documents()
    let page = try #require(pages.first { $0.path == "Sources/Instrumenting.md" })
    let blocks = try Self.blocks("swift", of: page)
    let block = try #require(blocks.first { $0.contains { $0.hasPrefix("@Inspected") } })
    let program = try Repository.text("Tests/Probes/Value/main.swift").split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(Self.contains(program, block))
    #expect(program.contains { $0.hasPrefix("var shop") })
  }

  @Test func theNewestChangeIsOfThisVersion() throws {
    let source = try Repository.text("Sources/Values/SurfWire/Messages.swift")
    let version = try #require(source.firstMatch(of: #/libraryVersion = "([^"]+)"/#)).1
    let changes = try Repository.text(".github/CHANGELOG.md")
    #expect(changes.firstMatch(of: #/\n## (.+)\n/#)?.1 == version)
  }

  @Test func onlySubcommandsThatExistAreNamed() throws {
    let text = try Repository.documents().flatMap(\.lines).joined(separator: "\n")
    let source = try Repository.text("Sources/Features/SurfTerminal/Commands/Subcommand.swift")
    let used = Set(text.matches(of: #/[^"]statesurf ([a-z]+)( |`|$)/#).map { String($0.1) })
    #expect(used.count >= 11)
    let list = try #require(
      source.firstMatch(of: #/static let all: \[Subcommand\] = \[([^\]]*)\]/#)
    ).1
    let names = list.matches(of: #/\w+/#).map { String($0.0) } + ["help"]
    #expect(names.count >= 37 && used.isSubset(of: names), "\(used.subtracting(names))")
  }

  /// The non-empty lines of each fenced block of a language.
  private static func blocks(
    _ language: String, of file: Repository.File
  ) throws -> [[String]] {
    let text = file.lines.joined(separator: "\n")
    return text.matches(of: try Regex("(?s)```\(language)\n(.*?)```")).map { match in
      (match.output[1].substring ?? "").split(separator: "\n")
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
  }

  /// Whether the wanted lines are there, one after another.
  private static func contains(_ lines: [String], _ wanted: [String]) -> Bool {
    lines.indices.contains { lines[$0...].starts(with: wanted) }
  }
}
