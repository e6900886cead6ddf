import Foundation
import Glibc
import TestSupport
import Testing

/// The files of this repository, as the tests look at them.
enum Repository {
  struct File: Sendable, CustomTestStringConvertible {
    /// Relative to the repositoryRoot.
    let path: String
    let lines: [String]

    var testDescription: String { path }
    /// `Values` for `Sources/Values/SurfWire/Record.swift`.
    var floor: String { String(path.split(separator: "/")[1]) }
    /// `SurfWire` for `Sources/Values/SurfWire/Record.swift`.
    var module: String { String(path.split(separator: "/")[2]) }

    /// The modules, also of `@_exported public import struct Foundation.Data`.
    var imports: [String] {
      lines.compactMap { line in
        let words = line.split { " .".contains($0) }
        let before = words.prefix { $0 != "import" }
        guard before.count < words.count, before.allSatisfy(Self.mayPrecedeImport) else {
          return nil
        }
        return words.dropFirst(before.count + 1).first { !Self.kinds.contains($0) }.map(String.init)
      }
    }

    private static let kinds: Set<Substring> = [
      "class", "struct", "enum", "protocol", "func", "var", "let", "typealias",
    ]

    private static func mayPrecedeImport(_ word: Substring) -> Bool {
      word.hasPrefix("@")
        || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: repositoryRoot.appending(path: path), encoding: .utf8)
  }

  /// The Swift files below some folders.
  static func swiftFiles(in folders: String...) throws -> [File] {
    try swiftFiles.get().filter { file in folders.contains { file.path.hasPrefix($0 + "/") } }
  }

  /// Read once for all tests.
  private static let swiftFiles = Result {
    try files([".swift"], in: ["Demo", "Sources", "Tests"])
  }

  /// All documents.
  static func documents() throws -> [File] {
    try files([".md"], in: [".github", "Demo", "Sources", "Tests"])
      + ["README.md", "Protocol.md"].map { try file($0) }
  }

  /// The files that people read and write, documents included, with one of these words. Most files
  /// have none, and comparing bytes is a hundred times as fast as matching patterns.
  static func texts(with words: String...) throws -> [File] {
    let suffixes = [
      ".swift", ".md", ".sh", ".py", ".js", ".c", ".h", ".txt", "/run", "/disturbed",
    ]
    let paths =
      paths(suffixes, in: ["Demo", "Sources", "Tests"])
      + ["Package.swift", "Protocol.md", "README.md"]
    return try paths.filter { path in
      let data = try Data(contentsOf: repositoryRoot.appending(path: path))
      return words.contains { data.range(of: Data($0.utf8)) != nil }
    }.map(file)
  }

  private static func file(_ path: String) throws -> File {
    File(
      path: path,
      lines: try text(path).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init))
  }

  private static func files(_ suffixes: [String], in folders: [String]) throws -> [File] {
    try paths(suffixes, in: folders).map(file)
  }

  private static func paths(_ suffixes: [String], in folders: [String]) -> [String] {
    folders.flatMap { folder -> [String] in
      let paths =
        FileManager.default.enumerator(atPath: repositoryRoot.appending(path: folder).path)
        ?? .init()
      return paths.compactMap { ($0 as? String).map { "\(folder)/\($0)" } }
        .filter { path in suffixes.contains(where: path.hasSuffix) }.sorted()
    }
  }

  /// Of every path under version control, the first component.
  static func topLevel() throws -> Set<String> {
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    // The clone may be another user's.
    git.arguments = ["git", "-c", "safe.directory=*", "-C", repositoryRoot.path, "ls-files"]
    let output = Pipe()
    git.standardOutput = output
    try git.run()
    let names = try output.fileHandleForReading.readToEnd() ?? Data()
    git.waitUntilExit()
    try #require(git.terminationStatus == 0)
    let paths = String(decoding: names, as: UTF8.self).split(separator: "\n")
    return Set(paths.compactMap { $0.split(separator: "/").first.map(String.init) })
  }

  static let isClone = FileManager.default.fileExists(
    atPath: repositoryRoot.appending(path: ".git").path)
}

extension String {
  /// Whether one of these words is in it. Bytes are compared a hundred times as fast as patterns,
  /// and there are a million lines to look at.
  func has(_ words: String...) -> Bool {
    withCString { line in words.contains { strstr(line, $0) != nil } }
  }

  /// Without the spaces before it.
  var unindented: Substring { self[(utf8.firstIndex { $0 != UInt8(ascii: " ") } ?? endIndex)...] }
}
