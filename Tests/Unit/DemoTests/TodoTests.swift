import SurfStore
import Testing
import Todo

@Suite("Todo")
struct TodoTests {
  private func titles(after lines: [String]) throws -> [String] {
    var state = App.State()
    for line in lines {
      guard case .action(let action) = try Command(line) else { continue }
      _ = App.reducer.reduce(action, into: &state)
    }
    return state.shown.map { "\($0.id) \($0.isDone ? "x" : "-") \($0.title)" }
  }

  @Test(arguments: [
    (["add Buy milk", "add Walk"], ["1 - Buy milk", "2 - Walk"]),
    (["add a", "done 1"], ["1 x a"]),
    (["add a", "done 1", "undone 1"], ["1 - a"]),
    (["add a", "edit 1  b c "], ["1 - b c"]),
    (["add a", "add b", "remove 1", "add c"], ["2 - b", "3 - c"]),
    (["add a", "add b", "done 2", "clear"], ["1 - a"]),
    (["add a", "add b", "done 2", "filter open"], ["1 - a"]),
    (["add a", "add b", "done 2", "filter done"], ["2 x b"]),
    (["add a", "filter done", "filter all"], ["1 - a"]),
    (["done 1", "edit 9 x", "remove -1", "clear", ""], []),
  ])
  func reduces(lines: [String], expected: [String]) throws {
    #expect(try titles(after: lines) == expected)
  }

  @Test(arguments: [
    "nonsense", "add", "add  ", "done", "done x", "done 1 2", "edit", "edit 1", "edit x y",
    "filter", "filter some", "done 99999999999999999999",
  ])
  func refuses(line: String) {
    #expect(throws: Command.Misuse.self) { try Command(line) }
  }

  @Test(arguments: [
    ("list", Command.list), ("quit", .quit), ("help", .help), ("  ", .nothing), (" list ", .list),
  ])
  func understands(line: String, command: Command) throws {
    #expect(try Command(line) == command)
  }
}
