import Foundation
import TestSupport
import Testing

/// The page of capabilities, and what it names.
enum Capabilities {
  static let page = "Tests/Capabilities.md"

  /// The rows that the page must have.
  static let ids: [String] = [
    ("H", [1...18, 20...28, 40...61, 70...75]),
    ("R", [1...18, 20...27, 30...40, 50...63, 70...79, 90...97]),
    ("S", [1...30]), ("I", [1...23]), ("Y", [1...25]),
  ].flatMap { (letter: String, numbers: [ClosedRange<Int>]) in
    numbers.joined().map { "\(letter)\($0)" }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let cells: [String]

    var id: String { cells[0] }
    /// The texts in backticks in the last cell.
    var proofs: [String] { Capabilities.quotations(cells[cells.count - 1]) }
    var isIncomplete: Bool { cells.contains { $0.contains("not yet") } }
    var testDescription: String { id }
  }

  /// The rows of the tables whose first column has this title.
  static func rows(under title: String, of text: String) -> [Row] {
    var isInside = false
    var rows: [Row] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("| ") else {
        isInside = isInside && line.hasPrefix("|---")
        continue
      }
      let cells = line.dropFirst().dropLast().split(
        separator: "|", omittingEmptySubsequences: false
      )
      .map { $0.trimmingCharacters(in: .whitespaces) }
      if isInside { rows.append(Row(cells: cells)) }
      isInside = isInside || cells.first == title
    }
    return rows
  }

  /// A proof is a script, `Module/Suite`, or `Module/Suite.test`.
  static func isThere(_ proof: String) -> Bool {
    guard !proof.hasSuffix(".sh") else { return scripts.contains(proof) }
    let parts = proof.split(separator: ".", maxSplits: 1).map(String.init)
    guard let functions = parts.first.flatMap({ suites[$0] }) else { return false }
    return parts.count == 1 || functions.contains(parts[1])
  }

  static func quotations(_ text: String) -> [String] {
    text.matches(of: #/`([^`]+)`/#).map { String($0.1) }
  }

  private static let scripts = Set(
    (try? FileManager.default.contentsOfDirectory(
      atPath: repositoryRoot.appending(path: "Tests/Network").path)) ?? [])

  /// For each suite, as `Module/Suite`, the functions in its files.
  private static let suites: [String: Set<String>] = {
    var suites: [String: Set<String>] = [:]
    for file in (try? Repository.swiftFiles(in: "Tests/Unit")) ?? [] {
      let functions = file.lines.filter { $0.has("func ") }.compactMap { line in
        line.firstMatch(of: #/func (?:`([^`]+)`|(\w+))/#).flatMap { $0.1 ?? $0.2 }.map(String.init)
      }
      for line in file.lines where line.has("struct ") {
        guard let suite = line.firstMatch(of: #/^ *(?:@Suite.* )?struct (\w+)/#)?.1 else {
          continue
        }
        suites["\(file.module)/\(suite)", default: []].formUnion(functions)
      }
    }
    return suites
  }()
}
