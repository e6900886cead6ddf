import Foundation
import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

@Suite struct LoggerTests {
  private let log = Log<String>()

  private func store(
    _ middleware: sending LoggerMiddleware<String, Int>
  ) -> Store<String, Int> {
    Store(
      initial: 0, reducer: Reducer { action, state in state + (Int(action) ?? 0) },
      middleware: middleware.lift(outputAction: absurd))
  }

  @Test func `a change is printed with both states, and no change without`() {
    let store = store(LoggerMiddleware(printer: log.append))
    store.dispatch("2", file: "App/Main.swift", line: 3)
    store.dispatch("none", file: "App/Main.swift", line: 4)
    #expect(
      log.entries == [
        "***\nAction: 2 from App/Main.swift:3\nOld State: 0\nNew State: 2\n***\n",
        "***\nAction: none from App/Main.swift:4\n***\n",
      ])
  }

  @Test func `actions can be left out and described otherwise, and so can states`() {
    let store = store(
      LoggerMiddleware(
        filter: { action, _ in action != "secret" }, action: { action, _ in "did \(action)" },
        state: .custom { "from \($0) to \($1)" }, printer: log.append))
    for action in ["secret", "3", "x"] { store.dispatch(action) }
    #expect(log.entries == ["***\ndid 3\nfrom 0 to 3\n***\n", "***\ndid x\n***\n"])
  }

  private func difference(_ old: [String], _ new: [String], context: Int = 2) -> String? {
    let texts = [old, new].map { $0.joined(separator: "\n") }
    let store = Store(
      initial: texts[0], reducer: Reducer<String, String> { action, _ in action },
      middleware: LoggerMiddleware<String, String>(
        action: { _, _ in "" }, state: .difference(contextLineCount: context) { $0 },
        printer: log.append
      ).lift(outputAction: absurd))
    store.dispatch(texts[1])
    return log.entries.last.map { String($0.dropFirst("***\n\n".count).dropLast("\n***\n".count)) }
  }

  @Test func `a difference has two lines of context`() {
    let old = (1...12).map { "line \($0)" }
    var new = old
    new[3] = "changed"
    new.remove(at: 10)
    #expect(
      difference(old, new) == """
        …
          line 2
          line 3
        - line 4
        + changed
          line 5
          line 6
        …
          line 9
          line 10
        - line 11
          line 12
        """)
  }

  @Test func `a long difference is not worked out`() {
    let old = (0..<5_000).map { "old \($0)" }
    let new = (0..<5_000).map { "new \($0)" }
    let text = difference(["same"] + old, ["same"] + new, context: 1)
    #expect(text?.split(separator: "\n").count == 10_001)
    #expect(text?.hasPrefix("  same\n- old 0\n- old 1\n") == true)
  }

  @Test(arguments: [Int.min, -1, 0, Int.max])
  func `any number of context lines will do`(context: Int) {
    let text = difference(["a", "b", "c"], ["a", "x", "c"], context: context)
    #expect(
      text == (context > 0 ? "  a\n- b\n+ x\n  c" : "…\n- b\n+ x\n…"))
  }

  @Test func `a file takes the lines of all threads whole`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "surf-log-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let printer = try Printer.file(at: path)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for index in 0..<100 { printer("\(thread) \(index)") }
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(Set(lines).count == 800)
    #expect(lines.count == 800)
  }

  @Test func `a line is dropped where it has no room, and the app goes on`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "surf-log-\(UUID())").path
    defer { unlink(path) }
    try #require(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let printer = try Printer.file(at: path)
    func node(_ file: Int32) -> [UInt64]? {
      var facts = stat()
      return fstat(file, &facts) == 0 ? [UInt64(facts.st_dev), UInt64(facts.st_ino)] : nil
    }
    let pipe = try #require(node(reader))
    let writer = try #require((0..<4_096).first { $0 != reader && node($0) == pipe })
    #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for _ in 0..<3 { printer(String(repeating: "x", count: 100_000)) }
      isDone.signal()
    }
    try #require(isDone.wait(timeout: .now() + 10) == .success)
    close(reader)
  }

  @Test func `a file that cannot be opened is an error`() {
    #expect(throws: PrinterError.cannotOpen(path: "/nowhere/at/all", errno: ENOENT)) {
      _ = try Printer.file(at: "/nowhere/at/all")
    }
  }
}

@Suite struct BridgeTests {
  @Test func `derived actions say what they were bridged from, and have it as their cause`() {
    let bridge = BridgeMiddleware<Int, Int>(file: "App/Bridge.swift", line: 9) {
      $0 < 3 ? [$0 + 1] : []
    }
    let store = Store(initial: [], reducer: appending, middleware: bridge.lift(state: ignore))
    let steps = Log<Step<Int, [Int]>>()
    let observation = store.observe(steps.append)
    store.dispatch(1, file: "App/Main.swift", line: 2)
    observation.cancel()
    #expect(store.state == [1, 2, 3])
    #expect(steps.entries.map(\.cause) == [nil, 1, 2])
    #expect(
      steps.entries.map { "\($0.source)" } == [
        "App/Main.swift:2",
        "App/Bridge.swift:9 (Bridged from 1 at App/Main.swift:2)",
        "App/Bridge.swift:9 (Bridged from 2 at App/Bridge.swift:9)",
      ])
  }
}
