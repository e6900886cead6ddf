import SurfBasics
import Testing

@Suite struct Base64Tests {
  private func decode(_ text: some StringProtocol, _ form: Base64.Form) -> [UInt8]? {
    Base64.decode(Array(text.utf8)[...], form)
  }

  /// RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{fb}\u{ff}", "w7vDvw=="),
    ("~~~?", "fn5+Pw=="), ("\u{3ff}~?", "z79+Pw=="),
  ])
  func isThatOfTheRFC(text: String, encoded: String) {
    let bytes = Array(text.utf8)
    #expect(Base64.text(bytes) == encoded)
    #expect(decode(encoded, .canonical) == bytes)
    #expect(decode(encoded, .loose) == bytes)
    #expect(decode(encoded.filter { $0 != "=" }, .loose) == bytes)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zg==Zg==", "=Zg=", "Zg=a", "Zm9 ", "====", "Zü="])
  func hasOneCanonicalForm(text: String) { #expect(decode(text, .canonical) == nil) }

  @Test(arguments: ["Z", "Zg=", "Zg==Zg==", "=Zg=", "Zg=a", "Zm9 ", "====", "Zü="])
  func isNoneInAnyForm(text: String) { #expect(decode(text, .loose) == nil) }

  @Test func isLooseAboutTheEnd() {
    #expect(decode("Zh==", .loose) == Array("f".utf8))
    #expect(decode("Zh", .loose) == Array("f".utf8))
  }
}
