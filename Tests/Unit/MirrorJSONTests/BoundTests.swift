import Foundation
import MirrorJSON
import TestSupport
import Testing

@Suite struct BoundTests {
  @Test("a class that contains itself ends in <cycle>")
  func r38Cycle() throws {
    let node = Node()
    node.next = node
    #expect(MirrorJSON.encode(node) == #"{"name":"n","next":"<cycle>"}"#)
    #expect(MirrorJSON.encode([node, node]).components(separatedBy: "<cycle>").count == 3)
  }

  @Test("an object met twice side by side is no cycle")
  func r38Shared() {
    let leaf = Node()
    #expect(
      MirrorJSON.encode([leaf, leaf]) == #"[{"name":"n","next":null},{"name":"n","next":null}]"#)
  }

  @Test("an Encodable class that contains itself does not recurse without end")
  func r38EncodableCycle() throws {
    let node = EncodableNode()
    node.next = node
    #expect(MirrorJSON.encode(node) == #"{"name":"n","next":"<cycle>"}"#)
    try parsed(MirrorJSON.encode(Holding(node: node)))
  }

  @Test("an Encodable class that leaves its parent out is written as it encodes itself")
  func r38ParentLeftOut() {
    let child = Child()
    child.parent = child
    #expect(MirrorJSON.encode(child) == #"{"name":"c"}"#)
  }

  @Test("depth is bounded, by reflection and by encoding")
  func r38Depth() throws {
    let last = Node()
    var first = last
    for _ in 0..<5000 {
      let node = Node()
      node.next = first
      first = node
    }
    let text = MirrorJSON.encode(first)
    try parsed(text)
    #expect(text.contains(#""<Node>""#))
    #expect(text.components(separatedBy: "{").count == MirrorJSON.depthMax + 1)

    var tree = Tree.leaf
    for _ in 0..<5000 { tree = .node(tree) }
    let encoded = MirrorJSON.encode(tree)
    try parsed(encoded)
    #expect(encoded.contains(#""<Tree>""#))
    try parsed(MirrorJSON.encode(Forest(tree: tree)))
  }

  @Test("containers that a value opens in one another are counted, whatever it ignores")
  func r38Tower() throws {
    for height in [MirrorJSON.depthMax + 1, 12_000] {
      let text = MirrorJSON.encode(Tower(height: height))
      try parsed(text)
      #expect(text == #"{"height":\#(height)}"#)
    }
    #expect(MirrorJSON.encode(Tower(height: 2)) == "[[[]]]")
  }

  // By name: the test library would look at all of a big argument.
  @Test(
    "output is bounded and stays JSON",
    arguments: ["array", "dictionary", "Encodable", "text", "key", "shared"])
  func r38Size(_ name: String) throws {
    let value: Any =
      switch name {
      case "array": Array(repeating: "increment", count: 10_000)
      case "dictionary": Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, 1) })
      case "Encodable": Numbers()
      case "text": ["a", String(repeating: "\u{1}", count: 20_000), "b"]
      case "key": [String(repeating: "k", count: 110_000): 1]
      default: shared()
      }
    let text = MirrorJSON.encode(value, byteCountMax: 100_000)
    try parsed(text)
    let fits = text.utf8.count <= 100_000
    let isMarked = text.contains("\"<truncated>\"")
    #expect(fits && isMarked)
  }

  @Test("what is just long is not cut")
  func r38Long() {
    let text = String(repeating: "x", count: 1_000_000)
    let count = MirrorJSON.encode(text).utf8.count
    #expect(count == 1_000_002)
  }

  @Test("random nested values are always JSON and read back as they are")
  func r38Fuzz() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let value = generator.value(depth: 4)
      let text = MirrorJSON.encode(value)
      try parsed(text)
      #expect(MirrorJSON.encode(value) == text)
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test("any text is read back as it is")
  func r38Text() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let text = generator.text()
      let read = try #require(try parsed(MirrorJSON.encode([text])) as? [String])
      #expect(Array(read[0].unicodeScalars) == Array(text.unicodeScalars))
      let encoded = try #require(
        try parsed(MirrorJSON.encode(Texts(text: text))) as? [String: String])
      #expect(encoded["text"].map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
    }
  }
}

/// 2^60 values in 60 arrays.
private func shared() -> [Any] {
  var value: [Any] = []
  for _ in 0..<60 { value = [value, value] }
  return value
}

private class Node {
  var name = "n"
  var next: Node?
}

private final class EncodableNode: Encodable {
  var name = "n"
  var next: EncodableNode?
}

private struct Holding: Encodable { let node: EncodableNode }

private final class Child: Encodable {
  var name = "c"
  var parent: Child?
  enum CodingKeys: CodingKey { case name }
}

private indirect enum Tree: Codable {
  case leaf
  case node(Tree)
}
private struct Tower: Encodable {
  let height: Int

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for _ in 0..<height { container = container.nestedUnkeyedContainer() }
  }
}
private struct Forest: Encodable { let tree: Tree }
private struct Numbers: Encodable { var numbers = Array(repeating: 1_234_567_890, count: 12_000) }
private struct Texts: Encodable { let text: String }

private enum Choice {
  case plain(Any)
  case labelled(text: String, value: Any)
  case none
}
private struct Box { var wrapped: Any, text: String }

extension SeededGenerator {
  fileprivate mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "\"", "\\", "/", "\n", "\0", "\u{1b}", "\u{7f}", "\u{9b}", "\u{2028}", "é", "🏄", "a",
      "\u{301}",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &self) {
      text.append(scalars[Int.random(in: 0..<scalars.count, using: &self)])
    }
    return String(text)
  }

  fileprivate mutating func value(depth: Int) -> Any {
    switch Int.random(in: 0..<(depth > 0 ? 13 : 5), using: &self) {
    case 0: text()
    case 1: Double(bitPattern: next())
    case 2: Optional<Int>.none as Any
    case 3: Data(text().utf8)
    case 4: Texts(text: text())
    case 5: [value(depth: depth - 1), value(depth: depth - 1)]
    case 6: [text(): value(depth: depth - 1), text() + "b": value(depth: depth - 1)]
    case 7: (value(depth: depth - 1), text: text())
    case 8: Choice.plain(value(depth: depth - 1))
    case 9: Choice.labelled(text: text(), value: value(depth: depth - 1))
    case 10: Set([text(), text(), text()])
    case 11: [Texts(text: text()), Texts(text: text())]
    default: Box(wrapped: value(depth: depth - 1), text: text())
    }
  }
}
