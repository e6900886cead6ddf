import JSONTools
import JSONTree
import SurfDebugger
import SurfQuery
import TestSupport
import Testing

@Suite struct ChangeListTests {
  private let old = #"{"count":7,"user":{"name":"Ada"},"theme":"dark","list":[1]}"#
  private let new = #"{"count":8,"user":{"name":"Ada"},"theme":"dark","list":[1,{"a":2}]}"#

  @Test func `changes come with paths, and the rest is folded with its count`() throws {
    var list = ChangeList(from: try JSON(parsing: old), to: try JSON(parsing: new))
    let changes: [ChangeLine] = [
      .change(.changed, path: "count", values: "7 → 8"),
      .change(.added, path: "list[1]", values: "{a: 2}"),
    ]
    let folded = changes + [.unchanged(2, isOpen: false)]
    #expect(list.lines == folded && list.count == 2)
    list.toggleUnchanged()
    let opened =
      changes + [
        .unchanged(2, isOpen: true), .same(label: "user", value: #"{name: "Ada"}"#),
        .same(label: "theme", value: #""dark""#),
      ]
    #expect(list.lines == opened)
  }

  @Test func `a mark that comes or goes is shown as one`() throws {
    let old = try JSON(parsing: #"{"key":{"$redacted":"string"}}"#)
    let lists = [ChangeList(from: old, to: [:]), ChangeList(from: ["key": 7], to: old)]
    let gone = ChangeLine.change(.removed, path: "key", values: "‹redacted string›")
    let wanted = [
      [gone],
      [
        .change(.removed, path: "key", values: "7"),
        .change(.added, path: "key", values: "‹redacted string›"),
      ],
    ]
    #expect(lists.map(\.lines) == wanted)
  }

  @Test func `the cursor stays at its path`() throws {
    var before = ChangeList(from: try JSON(parsing: old), to: try JSON(parsing: new))
    before.move(by: 1)
    before.toggleUnchanged()
    var after = ChangeList(
      from: try JSON(parsing: #"{"a":1,"list":[]}"#),
      to: try JSON(parsing: #"{"a":2,"b":1,"list":[2,3]}"#))
    after.take(placesOf: before)
    #expect(after.place == JSONPath([.key("list"), .index(1)]) && after.showsUnchanged)
  }

  @Test func `equal states have no change, and everything unchanged`() throws {
    let list = ChangeList(from: try JSON(parsing: old), to: try JSON(parsing: old))
    let lines: [ChangeLine] = [.unchanged(4, isOpen: false)]
    #expect(list.lines == lines && list.count == 0)
    let scalars = ChangeList(from: 1, to: 1)
    #expect(scalars.lines == [] && scalars.index == 0 && scalars.place == nil)
  }

  @Test func `marks may hide changes, as they are equal whatever they replace`() throws {
    let marked = try JSON(parsing: #"{"a":1,"pin":{"$redacted":"string"}}"#)
    #expect(ChangeList(from: marked, to: marked).mayHideChanges)
    #expect(!ChangeList(from: ["a": 1], to: ["a": 1]).mayHideChanges)
  }

  @Test func `what went away does not count as changed in the new state`() {
    let list = ChangeList(from: [1, 2, 3], to: [1, 3])
    let lines: [ChangeLine] = [
      .change(.removed, path: "[1]", values: "2"), .unchanged(2, isOpen: false),
    ]
    #expect(list.lines == lines)
  }

  @Test func `more changes than a person reads are counted`() {
    let list = ChangeList(
      from: .array([]), to: .array(Array(repeating: 0, count: 6_000)))
    let last: ChangeLine = .further(1_000)
    #expect(list.lines.last == last && list.count == 6_000)
  }

  @Test(arguments: 0..<100)
  func `what changed and what did not are together the new state's members`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let old = try random.value(depth: 3)
    let new = try random.value(depth: 3)
    var list = ChangeList(from: old, to: new)
    list.move(by: .max)
    list.move(by: .min)
    #expect(list.index == 0)
    list.toggleUnchanged()
    #expect(list.count == JSON.diff(old, new).count)
  }

  @Test func `each line knows its whole path, however little of it is shown`() throws {
    let key = String(repeating: "k", count: 500)
    var list = ChangeList(
      from: try JSON(parsing: #"{"a":{"\#(key)":1},"b":1,"c":[1],"d":2}"#),
      to: try JSON(parsing: #"{"a":{"\#(key)":2},"b":1,"c":{"e":1},"d":2}"#))
    list.toggleUnchanged()
    let places = list.lines.indices.map { index in
      list.move(by: index - list.index)
      return list.place.map { "\($0)" }
    }
    // A change of kind has two lines.
    #expect(places == ["a.\(key)", "c", "c", nil, "b", "d"])
    list.move(by: .min)
    #expect(QueryPlace(list.place ?? JSONPath()).description == "a.\(key)")
  }
}
