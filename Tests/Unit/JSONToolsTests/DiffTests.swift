import JSONTools
import JSONTree
import TestSupport
import Testing

@Suite struct DiffTests {
  @Test(
    arguments: [
      (1, 1, []),
      (1, 2, ["~ $: 1 → 2"]),
      ("a", ["a"], ["~ $: \"a\" → [\"a\"]"]),
      (["e": "empty"], ["e": ["full": [:]]], ["~ e: \"empty\" → {\"full\":{}}"]),
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
    #expect(changes.map(\.line.description) == lines)
    #expect(old.patched(by: .patch(changes)) == new)
  }

  /// A list of objects, some of them without an id, or with another one's.
  private func list(_ random: inout SeededGenerator, depth: Int) -> [JSON] {
    let key = ["id", "id", "key", "uuid", "name"].randomElement(using: &random) ?? "id"
    let isDoubtful = Int.random(in: 0..<4, using: &random) == 0
    let ids: [JSON] = (0..<6).map { .number($0) } + (0..<6).map { .string("\($0)") }
    return ids.shuffled(using: &random).prefix(Int.random(in: 0...10, using: &random)).map { id in
      var element: JSONObject = [key: id, "at": .number(Int.random(in: 0...2, using: &random))]
      if isDoubtful, Bool.random(using: &random) { element[key] = nil }
      if isDoubtful, Bool.random(using: &random) { element[key] = 1 }
      if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
        element["in"] = .array(list(&random, depth: depth - 1))
      }
      return .object(element)
    }
  }

  /// The list with elements that came, went, moved or changed.
  private func changed(_ list: [JSON], _ random: inout SeededGenerator) -> [JSON] {
    var list = list
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      guard let index = list.indices.randomElement(using: &random) else { break }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: list.remove(at: index)
      case 1:
        list.insert(
          ["id": .number(Int.random(in: 5...9, using: &random)), "at": 0], at: index)
      case 2:
        list.insert(list.remove(at: index), at: Int.random(in: 0...list.count, using: &random))
      case 3: list.shuffle(using: &random)
      default: list[index] = random.mutated(list[index])
      }
      if let index = list.indices.randomElement(using: &random), var object = list[index].object,
        let inner = object["in"]?.array
      {
        object["in"] = .array(changed(inner, &random))
        list[index] = .object(object)
      }
    }
    return list
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func applyingADifferenceOfListsGivesTheNewOnes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let old = list(&random, depth: 2)
      for new in [changed(old, &random), list(&random, depth: 2)] {
        let (old, new): (JSON, JSON) = (["l": .array(old)], ["l": .array(new)])
        let changes = JSON.diff(old, new)
        let made = old.patched(by: .patch(changes))
        #expect(made == new, "seed \(seed): \(old.text()) to \(new.text())")
        #expect(changes.isEmpty == (old == new))
      }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func noListIsPutIntoOrderWithFewerMoves(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...7, using: &random)
    let old = (0..<count).map { JSON.object(["id": .number($0)]) }
    let new = old.shuffled(using: &random)
    let changes = JSON.diff(.array(old), .array(new))
    #expect(JSON.array(old).patched(by: .patch(changes)) == .array(new))
    // Elements that keep their order need not move: the most that do, of all choices.
    let ids = new.compactMap { $0["id"]?.integer }
    let staying = (0..<1 << count).map { choice in
      let kept = ids.filter { choice & 1 << $0 != 0 }
      return kept == kept.sorted() ? kept.count : 0
    }
    #expect(changes.count == count - (staying.max() ?? 0))
  }

  @Test func elementsAreMatchedByTheirKey() {
    let old: JSON = ["l": [["id": 1, "a": 1], ["id": 2, "a": 2], ["id": 3, "a": 3]]]
    let new: JSON = ["l": [["id": 3, "a": 3], ["id": 1, "a": 5], ["id": 4, "a": 4]]]
    let difference = Difference(from: old, to: new)
    let lines = [
      #"- l[1]: {"id":2,"a":2}"#, "> l[1]: from [0], id 1", #"+ l[2]: {"id":4,"a":4}"#,
      "~ l[1].a: 1 → 5",
    ]
    #expect(difference.changes.map(\.line.description) == lines)
    #expect(Set(difference.changes.map(difference.match)) == [.key(.id)])
    let inList = Difference(from: ["a": 1, "l": [1]], to: ["a": 2, "l": [2]])
    #expect(inList.changes.map(inList.match) == [nil, .index])
  }

  @Test(arguments: [
    // Not unique, missing, no name of an element, only in one of them.
    #"[{"id":1,"a":1},{"id":1,"a":2}]"#, #"[{"id":1,"a":1},{"a":2}]"#,
    #"[{"id":null,"a":1},{"id":2,"a":2}]"#, #"[{"id":[1],"a":1},{"id":[2],"a":2}]"#,
    #"[{"id":{"$redacted":"number"},"a":1},{"id":{"$redacted":"number"},"a":2}]"#,
    #"[{"id":1,"a":1},{"key":1,"a":2}]"#, #"[{"ID":1,"a":1},{"ID":2,"a":2}]"#,
  ])
  func withoutAKeyElementsAreMatchedByIndex(text: String) throws {
    let elements = try #require(try JSON(parsing: text).array)
    let difference = Difference(from: .array(elements), to: .array(elements.reversed()))
    #expect(Set(difference.changes.map(difference.match)) == [.index])
  }

  @Test func theFirstKeyThatTellsAllApartIsTaken() {
    let old: JSON = [["id": 1, "name": "a", "key": "x"], ["id": 1, "name": "b", "key": "y"]]
    let difference = Difference(from: old, to: .array(old.array?.reversed() ?? []))
    #expect(difference.changes.map(difference.match) == [.key(.key)])
  }

  @Test func aShuffledListOfManyIsCompared() {
    var random = SeededGenerator(seed: 7)
    let old = (0..<50_000).map { JSON.object(["id": .number($0)]) }
    let changes = JSON.diff(.array(old), .array(old.shuffled(using: &random)))
    #expect(changes.count > 49_000)
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
    #expect(changes.map(\.line.description) == ["~ a: 2 → 3", "+ b: 4"])
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
