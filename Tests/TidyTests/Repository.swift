import Foundation
import Testing

/// The files of this repository, as the tests look at them.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  struct File: Sendable, CustomTestStringConvertible {
    /// Relative to the root.
    let path: String
    let lines: [String]

    var testDescription: String { path }
    /// `SurfWire` for `Sources/SurfWire/Record.swift`.
    var module: String { String(path.split(separator: "/")[1]) }

    var imports: [String] {
      lines.compactMap { line in
        let words = line.split(separator: " ").filter {
          !["public", "package", "internal", "private", "@preconcurrency"].contains($0)
        }
        return words.first == "import" && words.count == 2 ? String(words[1]) : nil
      }
    }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The Swift files below some folders.
  static func swiftFiles(in folders: String...) throws -> [File] {
    try folders.flatMap { folder -> [File] in
      let paths =
        FileManager.default.enumerator(atPath: root.appending(path: folder).path) ?? .init()
      return try paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
        .map { path in
          let whole = "\(folder)/\(path)"
          return File(path: whole, lines: try text(whole).components(separatedBy: "\n"))
        }
    }
  }
}
