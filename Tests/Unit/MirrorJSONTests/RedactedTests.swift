import Foundation
import MirrorJSON
import SurfValues
import Testing

@Suite struct RedactedTests {
  private struct Plain {
    @Redacted var secret = 4711
    @Redacted var function = { 4711 }
    @Redacted var missing: String?
    let open = 1
  }

  private struct Encoded: Encodable {
    @Redacted var secret = ["4711"]
    var other = Date(timeIntervalSince1970: 0)
  }

  private enum Action {
    case login(String, Redacted<String>)
    case token(Redacted<[Int]>)
  }

  @Test func `a redacted value is its mark, whatever its type is`() {
    let plain = MirrorJSON.encode(Plain())
    let number = #"{"secret":{"$redacted":"number"},"function":{"$redacted":"object"},"#
    #expect(plain == number + #""missing":{"$redacted":"null"},"open":1}"#)
    let encoded = MirrorJSON.encode([Encoded()])
    #expect(encoded.hasPrefix(#"[{"other":"1970"#) && encoded.contains(#"{"$redacted":"array"}"#))
    #expect(!(plain + encoded).contains("4711"))
  }

  @Test func `neither the JSON nor the title of an action has one`() {
    let login = Action.login("ada", Redacted(wrappedValue: "canary"))
    #expect(MirrorJSON.encode(login) == #"{"login":["ada",{"$redacted":"string"}]}"#)
    #expect(MirrorAction.title(login) == #"login("ada", redacted string)"#)
    let token = Action.token(Redacted(wrappedValue: [4711]))
    #expect(MirrorJSON.encode(token) == #"{"token":{"$redacted":"array"}}"#)
    #expect(MirrorAction.title(token) == "token(redacted array)")
  }
}
