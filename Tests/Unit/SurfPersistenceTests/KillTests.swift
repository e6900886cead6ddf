import Foundation
import SurfPersistence
import TestSupport
import Testing

/// Beside the bundle of the tests; not there if only tests were built.
private let probe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  .appending(path: "SaverProbe")
private let hasProbe = FileManager.default.isExecutableFile(atPath: probe.path)

/// A program that saves, and is ended at any moment.
@Suite(.serialized, .enabled(if: hasProbe, "the probe was not built"))
struct KillTests {
  private struct Numbers: Codable { var numbers: [Int] }

  private static let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"

  private let folder: Folder
  private let persistence: Persistence

  init() throws {
    folder = try Folder()
    persistence = Persistence(path: folder.file("State.json"))
  }

  private func start(_ work: String) throws -> Child {
    try Child(probe, [work, persistence.path])
  }

  /// The number in a state that is whole.
  private func saved() throws -> Int {
    let numbers = try persistence.load(Numbers.self).numbers
    #expect(numbers.count == 20_000 && Set(numbers).count == 1)
    return numbers[0]
  }

  @Test func `Killed while it saves, it leaves the old state or the new one`() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 1...(Self.isLong ? 1_000 : 12) {
      try persistence.remove()
      let child = try start("loop")
      #expect(child.readLine() == "1")
      usleep(.random(in: 0...20_000, using: &generator))
      child.end(by: SIGKILL)
      let told = Int(child.readRest().split(separator: "\n").last ?? "1") ?? 0
      #expect([told, told + 1].contains(try saved()))
    }
    #expect(Set(try folder.names).isSubset(of: ["State.json", ".State.json.new"]))
  }

  /// `both` also listens to the app's life, which ends the process, too.
  @Test(arguments: [("wait", SIGTERM), ("wait", SIGINT), ("both", SIGTERM), ("both", SIGINT)])
  func `A signal saves the state, the next launch restores it`(
    work: String, signal: Int32
  ) throws {
    for number in 1...3 {
      let child = try start(work)
      #expect(child.readLine() == "\(number)")
      child.end(by: signal)
      #expect(child.endingSignal == signal)
      #expect(try saved() == number)
    }
  }
}

/// A child process whose output is read.
private final class Child {
  private let process = Process()
  private let output = Pipe()

  init(_ program: URL, _ arguments: [String]) throws {
    // A shell starts what runs in its background with an interrupt that is ignored, and so are then
    // its children: the program would leave the signal alone.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["--default-signal=INT", program.path] + arguments
    process.standardOutput = output
    try process.run()
  }

  func readLine() -> String {
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), byte.first != 10 {
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }

  func readRest() -> String {
    let rest = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    return String(decoding: rest, as: UTF8.self)
  }

  func end(by signal: Int32) {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }

  /// `nil` if the process was not killed.
  var endingSignal: Int32? {
    process.terminationReason == .uncaughtSignal ? process.terminationStatus : nil
  }
}
