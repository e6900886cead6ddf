import JSONTools
import JSONTree
import Testing

@Suite struct PatchTests {
  private func result(_ document: String, _ patch: String) throws -> String {
    try JSON(parsing: document).applying(JSONPatch(JSON(parsing: patch))).text()
  }

  /// RFC 6902 appendix A, and the edges around it.
  @Test(arguments: [
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
      #"{"foo":"bar","baz":"qux"}"#
    ),
    (
      #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      #"{"foo":["bar","qux","baz"]}"#
    ),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (
      #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
      #"{"foo":["bar","baz"]}"#
    ),
    (#"{"baz":"qux"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo"}"#),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      #"{"foo":"bar","baz":"qux"}"#
    ),
    (
      #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
      #"{"foo":["bar",["abc","def"]]}"#
    ),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[2]}]"#, "[2]"),
    (#"{"a":1}"#, #"[{"op":"add","path":"","value":null}]"#, "null"),
    (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":2}]"#, #"{"a":2}"#),
    (#"{"a":[1]}"#, #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"{"a":[1],"b":[1]}"#),
    (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
    ("[]", "[]", "[]"),
  ])
  func appliesTheExamplesOfTheStandard(document: String, patch: String, expected: String) throws {
    #expect(try result(document, patch) == expected)
  }

  @Test(arguments: [
    (#"{"op":"add","path":"/x/y","value":1}"#, JSONPatchError.missing(JSONPointer(["x", "y"]))),
    (#"{"op":"add","path":"/l/3","value":1}"#, .missing(JSONPointer(["l", "3"]))),
    (#"{"op":"add","path":"/l/01","value":1}"#, .missing(JSONPointer(["l", "01"]))),
    (#"{"op":"remove","path":"/l/-"}"#, .missing(JSONPointer(["l", "-"]))),
    (#"{"op":"remove","path":"/x"}"#, .missing(JSONPointer(["x"]))),
    (#"{"op":"remove","path":""}"#, .missing(JSONPointer())),
    (#"{"op":"replace","path":"/x","value":1}"#, .missing(JSONPointer(["x"]))),
    (#"{"op":"replace","path":"/l/2","value":1}"#, .missing(JSONPointer(["l", "2"]))),
    (#"{"op":"replace","path":"/n/a","value":1}"#, .missing(JSONPointer(["n", "a"]))),
    (#"{"op":"move","from":"/l","path":"/l/0"}"#, .moveIntoItself(JSONPointer(["l"]))),
    (#"{"op":"copy","from":"/x","path":"/y"}"#, .missing(JSONPointer(["x"]))),
    (#"{"op":"test","path":"/n","value":2}"#, .testFailed(JSONPointer(["n"]))),
    (#"{"op":"test","path":"/x","value":null}"#, .missing(JSONPointer(["x"]))),
    (#"{"op":"add","path":"/x"}"#, .malformed(operation: 1)),
    (#"{"op":"add","path":"x","value":1}"#, .malformed(operation: 1)),
    (#"{"op":"move","path":"/x"}"#, .malformed(operation: 1)),
    (#"{"op":"spam","path":"/x","value":1}"#, .malformed(operation: 1)),
    (#"{"path":"/x","value":1}"#, .malformed(operation: 1)),
    ("7", .malformed(operation: 1)),
  ])
  func failsAsAWhole(operation: String, error: JSONPatchError) throws {
    let before = try JSON(parsing: #"{"l":[1,2],"n":1}"#)
    var value = before
    let document = try JSON(parsing: #"[{"op":"remove","path":"/l/1"},\#(operation)]"#)
    #expect(throws: error) { try value.apply(try JSONPatch(document)) }
    #expect(value == before)
  }

  /// Each copy is a level more, and twice as much.
  @Test func whatCopiesAValueIntoItselfHasAnEnd() {
    let copies = (0..<100_000).map {
      JSONPatch.Operation.copy(from: JSONPointer(), to: JSONPointer([$0 % 2 == 0 ? "a" : "b"]))
    }
    var value: JSON = ["a": 1, "b": 2]
    #expect(throws: JSONPatchError.self) { try value.apply(JSONPatch(copies)) }
    #expect(value == ["a": 1, "b": 2])
  }

  @Test func nothingIsPutDeeperThanCanBeRead() throws {
    let count = JSON.depthMax
    var value = try JSON(
      parsing: String(repeating: "[", count: count) + String(repeating: "]", count: count))
    let deepest = JSONPointer([String](repeating: "0", count: count - 1) + ["-"])
    #expect(throws: JSONPatchError.tooLarge(deepest)) {
      try value.apply(JSONPatch([.add(deepest, [])]))
    }
    try value.apply(JSONPatch([.add(deepest, 1)]))
    #expect(JSON(ifValid: value.bytes()) == value)
  }

  @Test func aPatchDocumentIsAnArray() {
    #expect(throws: JSONPatchError.malformed(operation: 0)) { try JSONPatch(["op": "add"]) }
  }
}
