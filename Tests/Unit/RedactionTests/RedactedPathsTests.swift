import JSONTree
import Redaction
import SurfValues
import TestSupport
import Testing

@Suite struct RedactedPathsTests {
  private func redacted(_ json: String, _ paths: String..., scope: [String] = []) throws -> String {
    let octets = try RedactedPaths(paths).redact(Array(json.utf8), in: scope)
    return String(decoding: octets, as: UTF8.self)
  }

  @Test(arguments: 0..<500 as Range<UInt64>)
  func `what the paths name is marked, and no octet of it is left`(seed: UInt64) throws {
    var random = RandomValue(seed: seed)
    let value = random.value()
    let paths = (0..<Int.random(in: 1...3, using: &random.random)).map { _ in random.path() }
    let texts = paths.map { random.text($0) }
    let redacted = RedactedPaths(texts)
    #expect(redacted.unreadable == [])
    let style: JSON.Style = seed % 2 == 0 ? .compact : .pretty
    let before = value.bytes(style)
    let after = try redacted.redact(before)
    let wanted = value.model(paths)
    // Their texts, because of duplicate keys the last alone counts in a comparison.
    #expect(try JSON(parsing: after).text() == wanted.text(), "\(texts)")
    #expect((after == before) == (value.text() == wanted.text()))
    let text = String(decoding: after, as: UTF8.self)
    let left = value.canaries.subtracting(wanted.canaries).filter { text.contains($0 + " ") }
    #expect(left == [])
  }

  @Test func `a path is written as people write it`() throws {
    let json = #"{"user":{"name":"Ann","password":"x"},"users":[{"token":1},{"token":2}]}"#
    let user = #"{"user":{"name":"Ann","password":{"$redacted":"string"}},"#
    let users = #""users":[{"token":1},{"token":{"$redacted":"number"}}]}"#
    let either = try redacted(json, "user.password", "users[1].token")
    #expect(either == user + users)
    #expect(try redacted(json, "**.password", #"["users"][1]["token"]"#) == either)
    #expect(try redacted(json, "$.user.password", #"$["users"][1].token"#) == either)
    #expect(
      try redacted(json, "users", "user")
        == #"{"user":{"$redacted":"object"},"users":{"$redacted":"array"}}"#)
    #expect(try redacted(json, "$") == #"{"$redacted":"object"}"#)
    #expect(try redacted(json, "**") == #"{"$redacted":"object"}"#)
    #expect(try redacted(json, "nobody.*.has") == json)
  }

  @Test func `all other octets stay as they are`() throws {
    let json = " { \"a\\/b\" : 1.50 , \"p\" : \"x\\\"}\" , \"c\":[ ] } \n"
    let wanted = " { \"a\\/b\" : 1.50 , \"p\" : {\"$redacted\":\"string\"} , \"c\":[ ] } \n"
    #expect(try redacted(json, "p") == wanted)
    #expect(try redacted(json, "**.none") == json)
  }

  @Test func `a key with escapes is the same key`() throws {
    let key = #"{"p\u0061ss":1,"caf\u00e9":2}"#
    #expect(try redacted(key, "pass") == #"{"p\u0061ss":{"$redacted":"number"},"caf\u00e9":2}"#)
    #expect(try redacted(key, "cafe\u{301}").contains(#""caf\u00e9":{"$redacted""#))
  }

  @Test func `a mark stays the mark it is`() throws {
    let json = #"{"p":{"$redacted":"string"}}"#
    #expect(try redacted(json, "p") == json)
    #expect(try redacted(json, "**.p.*") == #"{"p":{"$redacted":{"$redacted":"string"}}}"#)
  }

  @Test(arguments: [
    #"{"$redacted":"string","x":"secret"}"#, #"{"$redacted":"secret"}"#,
    #"{"$redacted":["string"]}"#, #"{"$redacted":"string", "x":{}}"#,
  ])
  func `an object that begins as a mark is none`(object: String) throws {
    let wanted = #"{"p":{"$redacted":"object"}}"#
    #expect(try redacted("{\"p\":\(object)}", "p") == wanted)
    #expect(try redacted("{\"p\":\(object)}", "**.p") == wanted)
  }

  @Test func `a path may begin with the name of a value, or with the value`() throws {
    let scope = ["request", "password"]
    #expect(try redacted("1", "**.password", scope: scope) == #"{"$redacted":"number"}"#)
    #expect(try redacted("1", "request.*", scope: scope) == #"{"$redacted":"number"}"#)
    let value = #"{"a":{"b":1}}"#
    let wanted = #"{"a":{"b":{"$redacted":"number"}}}"#
    #expect(try redacted(value, "a.b", scope: scope) == wanted)
    #expect(try redacted(value, "request.password.a.b", scope: scope) == wanted)
    #expect(try redacted(value, "password.a.b", scope: scope) == wanted)
    #expect(try redacted(value, "request.a.b", scope: scope) == value)
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a[", "a[x]", "a[-1]", "a[+1]", "a[01]", "[\"a]", "[\"a\"", "a*",
    "a.***", "a]", "[\"a\"]b",
  ])
  func `where a path cannot be read, all is redacted`(text: String) throws {
    let paths = RedactedPaths(["fine", text])
    #expect(paths.unreadable == [text])
    let octets = try paths.redact(Array(#"{"a":1}"#.utf8))
    #expect(octets == Array(#"{"$redacted":"object"}"#.utf8))
  }

  @Test(arguments: [
    "", "{", "[1", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1,]", "{\"a\":\"x}", "1 2", "\u{feff}{}",
    "{a:1}",
  ])
  func `what is not JSON is refused`(text: String) {
    #expect(throws: NoJSON.self) { try redacted(text, "**.a") }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `no octets end the program`(seed: UInt64) {
    var random = RandomValue(seed: seed)
    var octets = random.value().bytes()
    for _ in 0..<Int.random(in: 1...4, using: &random.random) where !octets.isEmpty {
      let place = octets.indices.randomElement(using: &random.random)!
      octets[place] = Array("{}[],:\"\\x1 ".utf8).randomElement(using: &random.random)!
    }
    let paths = RedactedPaths([random.text(random.path())])
    // Refused or not, either is well.
    _ = try? paths.redact(octets)
  }

  @Test func `a quick look finds a mark's key wherever it stands`() {
    for before in 0..<140 {
      for behind in 0..<70 {
        let rest = [UInt8](repeating: UInt8(ascii: "$"), count: behind)
        let open = [UInt8](repeating: UInt8(ascii: " "), count: before)
        let isFound = RedactionMark.mayStand(in: open + Array("\"$redacted\"".utf8) + rest)
        let isFoundCut = RedactionMark.mayStand(in: open + Array("\"$redacted".utf8) + rest)
        #expect(isFound && !isFoundCut, "\(before) octets before, \(behind) behind")
      }
    }
  }
}
