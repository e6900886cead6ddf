import Foundation
import JSONTree
import Redaction
import SurfValues
import Testing
import ValueCoding

/// `Redacted` values in the text of our encoder.
@Suite struct RedactedEncodingTests {
  private struct Session: Encodable {
    var user = "ada"
    @Redacted var token = "canary"
    @Redacted var hint: String? = nil
    @Redacted var ratio = Double.nan
  }

  private enum Act: Encodable { case login(Redacted<String>, user: String) }

  /// Two containers by turns, which only a tree can hold.
  private struct Turns: Encodable {
    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: CodingKeys.self)
      var one = object.nestedUnkeyedContainer(forKey: .one)
      var two = object.nestedUnkeyedContainer(forKey: .two)
      for _ in 0..<2 {
        try one.encode(Redacted(wrappedValue: "canary"))
        try two.encode(1)
      }
    }
    private enum CodingKeys: CodingKey { case one, two }
  }

  private static let marking = [ValueCoder.Style.foundation, .readable].map {
    ValueCoder($0, redacting: RedactedPaths.none)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: marking) func `a coder for the wire writes marks`(coder: ValueCoder) throws {
    let expected = [
      #"{"ratio":{"$redacted":"number"},"token":{"$redacted":"string"},"user":"ada"}"#,
      #"{"login":{"_0":{"$redacted":"string"},"user":"bob"}}"#,
      #"{"one":[{"$redacted":"string"},{"$redacted":"string"}],"two":[1,1]}"#,
    ]
    #expect(try text(coder.bytes(of: Session())) == expected[0])
    let act = Act.login(Redacted(wrappedValue: "canary"), user: "bob")
    #expect(try text(coder.bytes(ofAction: act)) == expected[1])
    #expect(try text(coder.bytes(of: Turns())) == expected[2])
  }

  @Test(arguments: marking) func `a key that is redacted is no name`(coder: ValueCoder) throws {
    let keys = [Redacted(wrappedValue: "canary"): 1]
    let expected = #"[{"$redacted":"string"},1]"#
    #expect(try text(coder.bytes(of: keys)) == expected)
    let clear = try text(coder.clear.bytes(of: keys))
    #expect(clear.contains("canary"))
  }

  @Test(arguments: marking) func `its clear coder writes values`(coder: ValueCoder) throws {
    var session = Session()
    session.ratio = 0.5
    let expected = #"{"ratio":0.5,"token":"canary","user":"ada"}"#
    #expect(try text(coder.clear.bytes(of: session)) == expected)
    #expect(try text(ValueCoder(.foundation).bytes(of: session)) == expected)
  }

  @Test func `paths are redacted in states and in actions`() throws {
    let coder = ValueCoder(.foundation, redacting: RedactedPaths(["**.user", "row.a"]))
    let act = Act.login(Redacted(wrappedValue: "canary"), user: "canary")
    let expected = [
      #"{"login":{"_0":{"$redacted":"string"},"user":{"$redacted":"string"}}}"#,
      #"{"a":{"$redacted":"number"},"b":2}"#,
    ]
    #expect(try text(coder.bytes(ofAction: act)) == expected[0])
    #expect(try text(coder.bytes(of: ["a": 1, "b": 2], in: ["row"])) == expected[1])
  }
}
