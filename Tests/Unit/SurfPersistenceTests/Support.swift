import Foundation

/// A folder that goes with the test.
final class Folder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "surf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
