import SurfTerminal
import SurfWire
import TestSupport
import Testing

@Suite struct SettingsFileTests {
  private static let path = "/home/ada/.config/statesurf/settings"

  private func file(_ text: String) -> SettingsFile { SettingsFile(text, path: Self.path) }

  private func common(
    _ line: String, _ text: String, _ environment: [String: String] = [:]
  ) throws -> Invocation.Common? {
    let words = line.split(separator: " ").map(String.init)
    return try ArgumentParser.parse(
      words, environment: environment, settings: file(text)
    ).common
  }

  @Test func `a line sets the default of an option`() throws {
    let text = """
      # at my desk
      interface = eth0
        port=9000\u{20}
      as =  Ada Lovelace\t
      timeout = 2.5
      no-dnssd = true
      group = 239.1.2.3
      """
    let common = try #require(try common("list", text))
    #expect(common.interface == "eth0" && common.port == 9_000)
    #expect(common.viewerName == "Ada Lovelace" && common.timeout == .milliseconds(2_500))
    #expect(!common.browsesDNSSD)
    #expect(file(text).remarks.isEmpty)
  }

  @Test func `the command line counts before the environment, and that before the file`() throws {
    let environment = ["STATESURF_INTERFACE": "eth1", "STATESURF_PORT": ""]
    let text = "interface = eth0\nport = 9000"
    let common = try #require(try common("list", text, environment))
    #expect(common.interface == "eth1" && common.port == 9_000)
    let given = try #require(try self.common("list --interface eth2", text, environment))
    #expect(given.interface == "eth2")
  }

  @Test func `a realm may be given anywhere, and taken back`() throws {
    let atelier = RealmFilter.only(try Realm("atelier 4"))
    #expect(try common("list", "realm = atelier 4")?.realms == atelier)
    #expect(try common("list", "", ["STATESURF_REALM": "atelier 4"])?.realms == atelier)
    #expect(try common("gateway", "realm = x", ["STATESURF_REALM": "*"])?.realms == .all)
    #expect(try common("back --realm=", "realm = x")?.realms == .only(nil))
    #expect(try common("surf --realm *", "realm = x")?.realms == .all)
    #expect(try common("list", "realm =")?.realms == .only(nil))
    #expect(try common("list", "")?.realms == .only(nil))
  }

  @Test func `a text that names no realm is misuse`() throws {
    let long = String(repeating: "a", count: 64)
    for text in [long, "a\u{1B}[2J"] {
      let failure = try #require(throws: Failure.self) {
        try common("list", "", ["STATESURF_REALM": text])
      }
      #expect(failure.exitCode == 64)
      let words = "STATESURF_REALM must be a name of 1 to 63 octets without control characters"
      #expect(failure.what.hasPrefix(words))
      #expect(failure.lines.allSatisfy { !$0.contains("\u{1B}") })
    }
  }

  @Test(arguments: [
    ("interfce = eth0", "there is no setting 'interfce'; did you mean 'interface'?"),
    ("json = true", "there is no setting 'json'; `statesurf settings` lists them"),
    ("interface", "'interface' has no value; a line is NAME = VALUE"),
    ("= 3", "there is no setting ''; `statesurf settings` lists them"),
  ])
  func `what says nothing is told with its line, and the rest counts`(
    line: String, remark: String
  ) throws {
    let text = "\n\(line)\nport = 9000"
    let remarks = ["\(Self.path), line 2: \(remark)"]
    #expect(file(text).remarks == remarks)
    #expect(try common("list", text)?.port == 9_000)
  }

  @Test(arguments: [
    ("port = 0", "must be a number from 1 to 65534, not '0'"),
    ("port =", "must be a number from 1 to 65534, not ''"),
    ("no-dnssd = maybe", "must be true or false, not 'maybe'"),
    ("group = here", "must be a multicast address such as 239.255.83.83, not 'here'"),
  ])
  func `a value that is none is misuse, and names its line`(line: String, words: String) throws {
    let failure = try #require(throws: Failure.self) { try common("list", line) }
    #expect(failure.what == "\(Self.path), line 1 \(words)")
    #expect(failure.exitCode == 64)
    // A command that does not use the value still works.
    #expect(try common("settings", line) != nil)
  }

  @Test func `a flag that is off may be given all the same`() throws {
    #expect(try common("list", "no-dnssd = false")?.browsesDNSSD == true)
    #expect(try common("list --no-dnssd", "no-dnssd = false")?.browsesDNSSD == false)
  }

  @Test func `of two lines the last counts`() throws {
    #expect(try common("list", "port = 1\nport = 2\n")?.port == 2)
  }

  @Test func `settings says where each value comes from`() {
    let view = SettingsView(
      environment: ["STATESURF_GROUP": "239.1.1.1"], settings: file("\nport = 9000"),
      viewerName: "ada@desk")
    let expected = [
      "interface         lo               (default)",
      "group             239.1.1.1        (STATESURF_GROUP)",
      "port              9000             (\(Self.path), line 2)",
      "realm             –                (default)",
      "as                ada@desk         (default)",
      "timeout           5                (default)",
      "no-dnssd          false            (default)",
      "connect-at-launch any              (default)",
      "newest-first      false            (default)",
      "ambiguous-wide    false            (default)",
      "sources           –                (default)",
    ]
    #expect(view.actions(json: false).text == expected)
    let port =
      #"{"file":"\#(Self.path)","line":2,"setting":"port","value":"9000"}"# + "\n"
    #expect(view.actions(json: true).text[2] == port)
  }

  @Test func `any text is a file of settings`() {
    var random = SeededGenerator(seed: 5)
    let parts = ["interface", "=", " ", "\n", "#", "port", "\t", "\u{0}", "é", "\r\n", "9", ""]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      let remarks = file(text).remarks
      #expect(remarks.count <= text.utf8.count { $0 == UInt8(ascii: "\n") } + 1)
      #expect(remarks.allSatisfy { $0.hasPrefix("\(Self.path), line ") })
    }
  }
}
