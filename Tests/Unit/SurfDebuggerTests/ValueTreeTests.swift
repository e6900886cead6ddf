import JSONTree
import SurfDebugger
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct ValueTreeTests {
  private func board(_ values: [(String, String)]) -> KnownValues {
    var board = KnownValues()
    board.begin()
    for (index, value) in values.enumerated() {
      board.add(
        answer: Record(
          sequence: SequenceNumber(UInt64(index + 1)), kind: .update, name: value.0,
          payload: Content(type: "application/json", bytes: Array(value.1.utf8))))
    }
    board.complete(horizon: 1_000, leftOut: 0)
    return board
  }

  private func lines(_ tree: ValueTree) -> [String] {
    var tree = tree
    tree.change { $0.unfoldAll() }
    return tree.outline?.lines.dropFirst().map { line in
      String(repeating: " ", count: line.depth - 1) + line.label
        + (line.fold == .leaf ? "=" + line.text : "")
    } ?? []
  }

  @Test func `scopes are branches, beside values of the same name`() {
    var tree = ValueTree()
    tree.take(
      board([("a", "1"), ("a/b", "2"), ("a/c/d", "3"), ("a-b", "4"), ("/", "5"), ("", "6")]))
    let wanted = ["\"\"=6", "/", " \"\"=5", "a=1", "a-b=4", "a/", " b=2", " c/", "  d=3"]
    #expect(lines(tree) == wanted)
  }

  @Test func `a name of many scopes is cut short, and a large value is not opened`() {
    var tree = ValueTree()
    let deep = String(repeating: "x/", count: 20_000)
    let long = "\"" + String(repeating: "y", count: 300_000) + "\""
    tree.take(board([(deep, "1"), ("long", long), ("odd", "{")]))
    #expect(lines(tree).contains { $0.contains("300.0 kB: too large") })
    #expect(tree.count == 3)
  }

  @Test(arguments: 0..<20)
  func `every value is in the tree once`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = (0..<40).map { _ in
      (0..<Int.random(in: 1...4, using: &random)).map { _ in
        ["a", "b", "a-", "é", ""].randomElement(using: &random) ?? ""
      }.joined(separator: "/")
    }
    let unique = Set(names)
    var tree = ValueTree()
    tree.take(board(unique.map { ($0, "true") }))
    #expect(tree.count == unique.count)
    #expect(lines(tree).filter { $0.hasSuffix("=true") }.count == unique.count)
  }
}
