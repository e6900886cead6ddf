import JSONTree
import TestSupport
import Testing

/// A text is read in parts as its tree has them.
@Suite("A text of which parts are read")
struct JSONTextTests {
  @Test func `parts are those of the tree`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let members = (0..<Int.random(in: 0...4, using: &generator)).map { index in
        JSONObject.Member(key: "k\(index % 3)", value: generator.json())
      }
      let object = JSON.object(JSONObject(members))
      let text = try JSONText(object.bytes(.pretty))
      for key in ["k0", "k1", "k2", "none"] {
        #expect(try text[key] == object[key])
        guard let range = try text.range(of: key) else { continue }
        let elements = try text.elements(in: range)
        #expect(elements?.count == object[key]?.array?.count)
        #expect(
          try elements?.map { element throws(JSONError) in try text.value(in: element) }
            == object[key]?.array)
      }
    }
  }

  @Test func `what the tree refuses is refused for the same reason`() throws {
    var generator = SeededGenerator(seed: 2)
    var refusals = 0
    for _ in 0..<20_000 {
      var bytes = generator.json().bytes()
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = Array("[]{},:\"\\1-.e ntf".utf8).randomElement(using: &generator) ?? 0
      }
      let tree = Result { () throws(JSONError) in try JSON(parsing: bytes) }
      let text = Result { () throws(JSONError) in try JSONText(bytes) }
      guard case .failure(let error) = tree else {
        _ = try text.get()
        continue
      }
      refusals += 1
      #expect(throws: error) { try text.get() }
    }
    #expect(refusals > 5_000)
  }

  @Test func `a text that is no object has no keys`() throws {
    for bytes in ["[1]", "1", "\"k\"", "null"] {
      #expect(try JSONText(Array(bytes.utf8))["k"] == nil)
    }
    #expect(try JSONText(Array(#"{"k":1,"k":2}"#.utf8))["k"] == 2)
  }
}
