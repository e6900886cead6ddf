import Foundation

/// `jq`, asked about lines of JSON in a file, which is in memory because it was just written.
struct JQ {
  private let file: URL
  private let program: URL

  init(_ lines: [[UInt8]]) throws {
    program = URL(filePath: "/usr/bin/jq")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw BenchmarkFailure("/usr/bin/jq is not installed (apt install jq)")
    }
    file = FileManager.default.temporaryDirectory
      .appending(path: "statesurf-bench-\(getpid()).jsonl")
    try Data(lines.joined()).write(to: file)
  }

  /// Removes the file.
  func end() {
    do { try FileManager.default.removeItem(at: file) } catch { complain("\(file.path): \(error)") }
  }

  /// Rows that it finds.
  func count(_ question: FindQuestion) throws -> Int {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = program
    process.arguments =
      ["-c"] + (question.comparesLines ? ["-n"] : []) + ["\(question.program) | .row", file.path]
    process.standardOutput = pipe
    try process.run()
    let answer = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure("jq ends with \(process.terminationStatus)")
    }
    return answer.count { $0 == UInt8(ascii: "\n") }
  }
}
