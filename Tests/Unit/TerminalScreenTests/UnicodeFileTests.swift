import Foundation
import TerminalScreen
import Testing

enum UnicodeFiles {
  static let folder = "/usr/share/unicode"
  static let areThere = FileManager.default.fileExists(atPath: "\(folder)/EastAsianWidth.txt")
}

/// Widths against Unicode's own files, where Debian's package unicode-data has installed them, as
/// Tests/run does.
@Suite(.enabled(if: UnicodeFiles.areThere, "install unicode-data"))
struct UnicodeFileTests {
  @Test func `each scalar is as wide as Unicode calls it`() throws {
    var count = 0
    for (range, width) in try Self.properties("EastAsianWidth.txt") {
      for value in range {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let cluster = Character(scalar)
        let narrow = TextWidth().columns(cluster)
        let wide = TextWidth(isAmbiguousWide: true).columns(cluster)
        // Alone, it is not seen; which these are, EscapingTests say.
        guard narrow > 0 else { continue }
        let expected =
          switch width {
          case "W", "F": (2, 2)
          case "A": (1, 2)
          default: (1, 1)
          }
        count += 1
        if (narrow, wide) != expected {
          Issue.record("U+\(String(value, radix: 16)) \(width): \(narrow), \(wide)")
        }
      }
    }
    #expect(count > 280_000)
  }

  @Test func `only what is invisible has no width`() throws {
    let marks = try Self.properties("extracted/DerivedGeneralCategory.txt")
    for (range, category) in marks
    where ["Lu", "Ll", "Nd", "Sm", "Sc", "Pd", "Po"].contains(category) {
      for value in range {
        guard let scalar = Unicode.Scalar(value) else { continue }
        #expect(TextWidth().columns(Character(scalar)) > 0, "U+\(String(value, radix: 16))")
      }
    }
    for (range, category) in marks where ["Mn", "Me", "Cc", "Zl", "Zp"].contains(category) {
      for value in range {
        guard let scalar = Unicode.Scalar(value) else { continue }
        #expect(TextWidth().columns(Character(scalar)) == 0, "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func `each emoji is one cluster of two columns, and passes the escaper`() throws {
    var count = 0
    for (line, status) in try Self.lines("emoji/emoji-test.txt") {
      guard status == "fully-qualified" else { continue }
      var text = ""
      for part in line.split(separator: " ") {
        let scalar = UInt32(part, radix: 16).flatMap(Unicode.Scalar.init)
        text.unicodeScalars.append(try #require(scalar))
      }
      count += 1
      #expect(text.count == 1 && TextWidth().columns(text) == 2, "\(text) \(line)")
      #expect(escaped(text) == text, "\(text) \(line)")
    }
    #expect(count > 3_000)
  }

  /// A newer Unicode, as the toolchain's is, no longer calls the scissors a picture.
  @Test func `text is cut where Unicode breaks it, and nowhere else`() throws {
    var count = 0
    var others: [String] = []
    for line in try Self.text("auxiliary/GraphemeBreakTest.txt").split(separator: "\n") {
      let clusters = try Self.clusters(line)
      guard !clusters.isEmpty else { continue }
      count += 1
      if clusters.joined().map(String.init) != clusters { others.append(String(line)) }
    }
    #expect(count > 600)
    let isKnown = others.allSatisfy { $0.hasPrefix("÷ 2701 × 200D × 2701 ÷") }
    #expect(isKnown, "\(others.joined(separator: "\n"))")
  }

  /// In each width of a screen, whole clusters stand, and a mark of the cut behind them.
  @Test func `no width cuts a cluster, and what is shown takes what was counted`() throws {
    for line in try Self.text("auxiliary/GraphemeBreakTest.txt").split(separator: "\n") {
      let text = escaped(try Self.clusters(line).joined())
      let clusters = text.map(String.init)
      let whole = TextWidth().columns(text)
      for width in 1...6 {
        var screen = Screen(ScreenSize(width: width, height: 1))
        let end = screen.put(text, at: 0, 0)
        let cells = (0..<width).compactMap { screen[row: 0, column: $0]?.cluster }
        let shown = cells.filter { !$0.isEmpty }
        if whole <= width {
          #expect(end == whole && shown.starts(with: clusters), "\(line)")
        } else {
          let uncut = shown.prefix { $0 != "…" }
          #expect(uncut.count < shown.count && clusters.starts(with: uncut), "\(line) in \(width)")
        }
      }
    }
  }

  /// `÷ 0020 × 0308 ÷`: a break before and behind each cluster, none in it.
  private static func clusters(_ line: Substring) throws -> [String] {
    let marks = line.prefix { $0 != "#" }.split(separator: "÷")
    return try marks.map { mark in
      var cluster = ""
      for word in mark.split(whereSeparator: { $0 == "×" || $0.isWhitespace }) {
        let scalar = UInt32(word, radix: 16).flatMap(Unicode.Scalar.init)
        cluster.unicodeScalars.append(try #require(scalar))
      }
      return cluster
    }.filter { !$0.isEmpty }
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(UnicodeFiles.folder)/\(name)", encoding: .utf8)
  }

  private static func properties(_ name: String) throws -> [(ClosedRange<UInt32>, String)] {
    try lines(name).map { codes, property in
      let ends = codes.components(separatedBy: "..").compactMap { UInt32($0, radix: 16) }
      let first = try #require(ends.first)
      return (first...(ends.last ?? first), property)
    }
  }

  /// Both fields of each line, without comments.
  private static func lines(_ name: String) throws -> [(String, String)] {
    try text(name).split(separator: "\n").compactMap { line in
      let fields = line.prefix { $0 != "#" }.split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      return fields.count == 2 ? (fields[0], fields[1]) : nil
    }
  }
}
