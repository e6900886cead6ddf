import SurfWire
import Testing

@Suite struct RealmTests {
  private static let longest = String(repeating: "é", count: 31) + "a"

  @Test(arguments: ["a", " ", "**", "Ateliér 4", "家", longest])
  func `a text of 1 to 63 octets names a realm`(name: String) throws {
    #expect(try Realm(name).name == name)
    #expect(try RealmFilter(name) == .only(Realm(name)))
  }

  @Test(arguments: [
    ("", RealmError.empty), ("*", .reserved), (longest + "a", .tooLong(size: 64)),
    ("a\nb", .controlCharacter), ("\u{7F}", .controlCharacter), ("\u{85}", .controlCharacter),
    ("\r\n", .controlCharacter),
  ])
  func `any other text is refused for a reason`(name: String, reason: RealmError) {
    #expect(throws: reason) { try Realm(name) }
  }

  @Test func `two spellings of one name are two realms`() throws {
    let (composed, decomposed) = (try Realm("\u{E9}"), try Realm("e\u{301}"))
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `a filter shows its realm alone, unless it shows all`() throws {
    let (mine, other) = (try Realm("mine"), try Realm("other"))
    let shown = [nil, mine, other].map { realm in
      ["", "mine", "*"].map { try? RealmFilter($0).shows(realm) }
    }
    #expect(shown == [[true, false, true], [false, true, true], [false, false, true]])
    #expect(try ["", "mine", "*"].map { try RealmFilter($0).text } == ["", "mine", "*"])
    #expect(try ["", "mine", "*"].map { try RealmFilter($0).realm } == [nil, mine, nil])
  }
}
