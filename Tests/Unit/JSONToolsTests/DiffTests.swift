import JSONTools
import JSONTree
import TestSupport
import Testing

@Suite struct DiffTests {
  @Test(
    arguments: [
      (1, 1, []),
      (1, 2, ["~ $: 1 → 2"]),
      ("a", ["a"], ["- $: \"a\"", "+ $: [\"a\"]"]),
      (
        ["a": 1, "b": 2, "c": 3], ["a": 1, "c": .null, "d": 4],
        ["- b: 2", "~ c: 3 → null", "+ d: 4"]
      ),
      (["a": 1, "b": 2], ["b": 2, "a": 1], []),
      (["s": ["t": ["u": 1]]], ["s": ["t": ["u": 2]]], ["~ s.t.u: 1 → 2"]),
      // One insertion, one removal: at the front, in the middle, at the end.
      ([1, 2, 3], [0, 1, 2, 3], ["+ [0]: 0"]),
      ([1, 2, 3], [1, 9, 2, 3], ["+ [1]: 9"]),
      ([1, 2, 3], [1, 2, 3, 4], ["+ [3]: 4"]),
      ([1, 2, 3], [2, 3], ["- [0]: 1"]),
      ([1, 2, 3], [1, 3], ["- [1]: 2"]),
      ([1, 2, 3], [1, 2], ["- [2]: 3"]),
      ([1, 1], [1, 1, 1], ["+ [2]: 1"]),
      // Index by index between, and from the back what is too much.
      ([1, 2, 3, 4, 5], [1, 7, 5], ["~ [1]: 2 → 7", "- [3]: 4", "- [2]: 3"]),
      ([], [1, 2], ["+ [0]: 1", "+ [1]: 2"]),
      ([1, 2], [], ["- [1]: 2", "- [0]: 1"]),
      (
        ["todos": [["title": "x", "done": false]]], ["todos": [["title": "x", "done": true]]],
        ["~ todos[0].done: false → true"]
      ),
    ] as [(JSON, JSON, [String])])
  func tellsWhatChanged(old: JSON, new: JSON, lines: [String]) throws {
    let changes = JSON.diff(old, new)
    #expect(DiffLine.lines(changes).map(\.description) == lines)
    #expect(old.patched(by: .patch(changes)) == new)
  }

  @Test func changesCarryTheirValues() {
    let title = JSONPath([.key("t"), .index(1)])
    #expect(JSON.diff(["t": [1, 2]], ["t": [1, 3]]) == [.changed(title, old: 2, new: 3)])
    #expect(JSON.diff(["t": [1]], ["t": [1, [2]]]) == [.added(title, [2])])
    #expect(JSON.diff(["t": [1, [2]]], ["t": [1]]) == [.removed(title, [2])])
    #expect(JSON.diff(["t": [1, [2]]], ["t": [1]]).map(\.path) == [title])
  }

  @Test func comparesTheDuplicatesThatCount() throws {
    let old = try JSON(parsing: #"{"a":1,"a":2}"#)
    let new = try JSON(parsing: #"{"a":1,"a":3,"b":0,"b":4}"#)
    let changes = JSON.diff(old, new)
    #expect(DiffLine.lines(changes).map(\.description) == ["~ a: 2 → 3", "+ b: 4"])
    #expect(old.patched(by: .patch(changes)) == new)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func applyingADifferenceGivesTheNewValue(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let old = generator.json()
      var new = old
      for _ in 0..<Int.random(in: 0...6, using: &generator) { new = generator.mutated(new) }
      for (a, b) in [(old, new), (new, old), (old, generator.json())] {
        let changes = JSON.diff(a, b)
        let made = a.patched(by: .patch(changes))
        #expect(made == b, "seed \(seed): \(a.text()) to \(b.text())")
        #expect(changes.isEmpty == (a == b))
      }
    }
  }

  @Test func oneInsertionIntoALongArrayIsOneChange() {
    let old = (0..<50_000).map { JSON.number($0) }
    var new = old
    new.insert("new", at: 20_000)
    #expect(
      JSON.diff(.array(old), .array(new)) == [.added(JSONPath([.index(20_000)]), "new")])
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func aDifferenceIsFoundAtTheLimitOfDepth(open: String, close: String) throws {
    let (head, tail) = (
      String(repeating: open, count: JSON.depthMax), String(repeating: close, count: JSON.depthMax)
    )
    let (old, new) = (try JSON(parsing: head + "0" + tail), try JSON(parsing: head + "1" + tail))
    let changes = JSON.diff(old, new)
    #expect(changes.count == 1)
    #expect(old.patched(by: .patch(changes)) == new)
  }
}
