import Foundation
import Testing

/// The rules that a reader may rely on in every file.
@Suite struct StyleTests {
  static let lineCountMax = 500
  static let columnCountMax = 100
  static let functionLineCountMax = 70

  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Demo", "Tests"))
  func filesAreShort(file: Repository.File) {
    #expect(file.lines.count <= Self.lineCountMax)
  }

  // Not in tests: there, a screen may be as wide as a screen.
  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Demo"))
  func linesAreShort(file: Repository.File) {
    #expect(
      file.lines.filter { $0.utf8.count > Self.columnCountMax && $0.count > Self.columnCountMax }
        == [])
  }

  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Demo"))
  func functionsAreShort(file: Repository.File) {
    for (index, line) in file.lines.enumerated()
    where Self.isFunction(line) && !line.hasSuffix("}") {
      let indent = line.prefix { $0 == " " }
      let end = file.lines[index...].firstIndex { $0 == "\(indent)}" } ?? index
      #expect(end - index <= Self.functionLineCountMax, "\(file.path):\(index + 1)")
    }
  }

  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func nothingIsForcedOrSwallowed(file: Repository.File) {
    let forbidden = file.lines.filter { line in
      line.has("try", "as!") && !Self.isComment(line)
        && line.contains(#/\b(try[!?]|as!)/#)
    }
    #expect(forbidden == [])
  }

  /// Files that compute with what a value is made of. Numbers from the wire are computed with by
  /// their types alone: these say what happens at the ends.
  private static let computing = [
    "SurfWire/SequenceNumber.swift", "SurfWire/WireCount.swift", "SurfWire/Digest.swift",
    "SurfNetwork/Endpoint+IPv4.swift", "WebSocket/CloseFrame.swift",
  ]

  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func nobodyComputesWithWhatANumberIsMadeOf(file: Repository.File) {
    guard !Self.computing.contains(where: { file.path.hasSuffix($0) }) else { return }
    let sums = file.lines.filter { line in
      line.has("rawValue") && !Self.isComment(line)
        && line.contains(#/rawValue (&?[-+*]|[\/%]|<<|>>)|(&?[-+*]|[\/%]) [\w.]+\.rawValue/#)
    }
    #expect(sums == [])
  }

  /// Fields of messages that are plain numbers: names, keys, times and facts about a process, which
  /// are shown or compared. Counts and measures are a `WireCount` or a `SequenceNumber`.
  private static let plainFields = [
    "high", "low", "processID", "datagramSize", "uptime", "wallTime", "request", "key", "first",
    "second", "rawValue", "code", "keyID", "sender",
  ]

  @Test(arguments: try Repository.swiftFiles(in: "Sources/Values/SurfWire"))
  func whatIsCountedOnTheWireHasNoOperators(file: Repository.File) {
    let fields = file.lines.compactMap { line in
      line.firstMatch(of: #/package (?:var|let) (\w+): U?Int(?:8|16|32|64)\b(?!.*\{)/#)?.1
    }
    #expect(fields.filter { !Self.plainFields.contains(String($0)) } == [])
    let cases = file.lines.filter { line in
      !Self.isComment(line) && line.contains(#/^ *case \w+\(.*: U?Int(?:16|32|64)\b/#)
    }
    #expect(cases == [])
  }

  /// Division is safe; all else has an end that a stranger may choose.
  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func nobodyComputesWithAPlainFieldOfAMessage(file: Repository.File) {
    let sums = file.lines.filter { line in
      line.has("uptime", "wallTime", "processID", "datagramSize") && !Self.isComment(line)
        && line.contains(
          #/\.(uptime|wallTime|processID|datagramSize) ([-+*]|<<)|[^&][-+*] \w+\.(uptime|wallTime|processID|datagramSize)\b/#
        )
    }
    #expect(sums == [])
  }

  // Swift wraps it once more at every look: memory, time and stack grow until the program ends.
  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Demo"))
  func noClosureIsGuardedBare(file: Repository.File) {
    guard file.lines.contains(where: { $0.has("Mutex<", "Monitor<") }) else { return }
    let text = file.lines.joined(separator: "\n")
    let closures = text.matches(of: #/typealias (\w+) =[^{}]*?->/#).map { String($0.1) }
    let guarded = file.lines.filter { line in
      guard line.has("Mutex<", "Monitor<"),
        let type = line.firstMatch(of: #/\b(Mutex|Monitor)<(.*)>/#)?.2
      else { return false }
      return type.contains("->") || closures.contains { type.hasPrefix($0) }
    }
    #expect(guarded == [])
  }

  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Demo", "Tests"))
  func nothingIsLeftForLater(file: Repository.File) {
    // In two pieces, or this line would find itself.
    let marks = ["TO" + "DO", "FIX" + "ME", "placeh" + "older"]
    #expect(
      file.lines.filter { line in marks.contains { line.has($0) } && Self.isComment(line) }
        == [])
  }

  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Demo", "Tests"))
  func whatTheCompilerCannotCheckIsExplained(file: Repository.File) {
    for (index, line) in file.lines.enumerated()
    where line.has("@unchecked Sendable", "nonisolated(unsafe)")
      && !Self.isComment(line) && !line.has("\"")
    {
      #expect(index > 0 && Self.isComment(file.lines[index - 1]), "\(file.path):\(index + 1)")
    }
  }

  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func whatIsPublicIsDocumented(file: Repository.File) {
    for (index, line) in file.lines.enumerated() where Self.isPublicDeclaration(line) {
      // Attributes and conditions may stand between.
      let above = file.lines[..<index].last {
        let text = $0.trimmingCharacters(in: .whitespaces)
        return !text.hasPrefix("@") && !text.hasPrefix("#")
      }
      #expect(above.map(Self.isDocumentation) == true, "\(file.path):\(index + 1)")
    }
  }

  // An app is built with the trait `Live` and without it from the same sources.
  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func `no public declaration depends on a trait`(file: Repository.File) {
    var isConditional = false
    for (index, line) in file.lines.enumerated() {
      let text = line.unindented
      if text.hasPrefix("#if"), text.contains("Live") { isConditional = true }
      if text.hasPrefix("#endif") { isConditional = false }
      #expect(!isConditional || !Self.isPublicDeclaration(line), "\(file.path):\(index + 1)")
    }
  }

  @Test(arguments: try Repository.swiftFiles(in: "Sources"))
  func librariesDoNotPrint(file: Repository.File) {
    // JSONTree prints JSON into strings, and calls it that.
    guard file.module != "JSONTree" else { return }
    let prints = file.lines.filter {
      $0.has("print(") && $0.contains(#/(^|[^.\w])print\(/#) && !Self.isComment($0)
    }
    #expect(prints.isEmpty || file.module == "SurfTerminal" || file.module == "SurfCommand")
  }

  /// Swift 6.3 would not release what such an assignment replaces, if the value is noncopyable.
  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Tests"))
  func nothingNoncopyableAssignsBehindAQuestionMark(file: Repository.File) {
    guard file.lines.contains(where: { $0.has("~Copyable") }) else { return }
    let assignments = file.lines.filter {
      $0.has("?.", "!.") && $0.contains(#/\w[?!](\.\w+)+ [-+]?= /#) && !Self.isComment($0)
    }
    #expect(assignments == [])
  }

  @Test(.enabled(if: Repository.isClone, "only a clone knows what belongs to it"))
  func theTopLevelHoldsWhatItMay() throws {
    let allowed: Set = ["Package.swift", "Sources", "Tests", "Demo", "Protocol.md", "README.md"]
    let names = try Repository.topLevel().filter { !$0.hasPrefix(".") }
    #expect(names.subtracting(allowed) == [])
    #expect(names.isSuperset(of: ["Package.swift", "Sources"]), "or the list is not one")
  }

  @Test(arguments: try Repository.swiftFiles(in: "Sources", "Demo", "Tests"))
  func noFileIsEmpty(file: Repository.File) {
    #expect(
      file.lines.contains { line in
        !line.isEmpty && !Self.isComment(line) && !line.has("import ")
      })
  }

  private static func isComment(_ line: String) -> Bool {
    line.unindented.hasPrefix("//")
  }

  private static func isDocumentation(_ line: String) -> Bool {
    line.unindented.hasPrefix("///")
  }

  private static func isFunction(_ line: String) -> Bool {
    // The words first: they cost less than the pattern.
    line.has("func ", "init")
      && line.contains(#/^\s*[\w ()@]*\b(func |init[?]?[(<])/#)
  }

  private static func isPublicDeclaration(_ line: String) -> Bool {
    guard line.has("public ") else { return false }
    let words = line.split { " (<:".contains($0) }
    guard words.first == "public" else { return false }
    let kinds: Set<Substring> = [
      "func", "var", "let", "struct", "enum", "class", "actor", "protocol", "typealias", "init",
      "init?", "subscript",
    ]
    return words.contains(where: kinds.contains)
  }
}
