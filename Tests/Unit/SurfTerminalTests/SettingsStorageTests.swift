import Foundation
import SurfDebugger
import SurfTerminal
import SurfViewer
import TerminalScreen
import Testing

/// Settings of the debugger: read from a person's file, and written to it.
@Suite struct SettingsStorageTests {
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "statesurf-settings-\(UUID().uuidString)")
  private var file: URL { home.appending(path: "statesurf/settings") }

  private func desk(_ environment: [String: String] = [:]) -> SettingsStorage {
    var all = environment
    all["XDG_CONFIG_HOME"] = home.path
    return SettingsStorage(environment: all, viewerName: "ada@desk")
  }

  private func write(_ text: String) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func line(_ name: String, in settings: PersonalSettings) -> PersonalSettings.Line? {
    settings.lines.first { $0.name == name }
  }

  // MARK: Reading

  @Test func `colours and keys are read, and what is none is told with its line`() {
    let text = """
      theme.good = bright-blue
      theme.bad = pink
      theme.good2 = red
      key.surf = S
      key.undo = U Ctrl-x
      key.safe = F7
      key.quit = 7
      """
    let file = SettingsFile(text, path: "/s")
    #expect(file.theme.colours == [.good: .brightBlue])
    #expect(file.keys.command(of: "U") == .undo && file.keys.command(of: "S") == .save)
    #expect(file.remarks.count == 5)
    #expect(file.remarks[0].hasPrefix("/s, line 2: 'pink' is not a colour; there are black, red"))
    #expect(file.remarks[1].hasPrefix("/s, line 3: there is no accent 'theme.good2'"))
    #expect(
      file.remarks[2] == "/s, line 6: there is no command 'key.safe'; did you mean 'key.save'?")
    #expect(file.remarks[3].hasPrefix("/s, line 7: '7' is not a key that can be chosen"))
    #expect(file.remarks[4].hasPrefix("/s, line 4: 'S' is the key of 'save'"))
  }

  @Test func `a file keeps its ends of lines, and a blank is no value`() throws {
    try write("# mine\r\nas = ada\r\nport = 9\r\n")
    _ = try desk().set("as", "  eve ")
    _ = try desk().set("port", " ")
    #expect(try Data(contentsOf: file) == Data("# mine\r\nas = eve\r\n".utf8))
    let settings = SettingsFile("as = ada\r\nport = 9000\r\n", path: "/s")
    #expect(settings.remarks == [])
  }

  @Test func `what is not UTF-8 stays as it is`() throws {
    try write("")
    let bytes = Data([0x23, 0xE9, 0x0A])
    try bytes.write(to: file)
    #expect(throws: Failure.self) { try desk().set("as", "eve") }
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `the debugger shows the app that the file names`() throws {
    func options(_ words: [String], _ text: String) throws -> DebuggerOptions? {
      let invocation = try ArgumentParser.parse(
        words, settings: SettingsFile(text, path: "/s"))
      return invocation.command as? DebuggerOptions
    }
    let text = "connect-at-launch = Todo\nnewest-first = true\nambiguous-wide = true"
    let file = try #require(try options(["surf"], text))
    #expect(file.appAtLaunch == "Todo" && file.isAmbiguousWide)
    try write(text)
    #expect(desk().personal.isNewestFirst)
    let line = try #require(try options(["surf", "--connect-at-launch", "none"], text))
    #expect(line.appAtLaunch == "none" && line.given == [.connectAtLaunch])
    #expect(try options(["surf", "--ambiguous-wide"], "")?.isAmbiguousWide == true)
  }

  @Test func `two columns for doubtful letters come from the environment, too`() throws {
    for (text, isWide) in [("2", true), ("1", false), ("true", true), ("false", false)] {
      let invocation = try ArgumentParser.parse(
        ["surf"], environment: ["STATESURF_AMBIGUOUS": text],
        settings: SettingsFile("ambiguous-wide = \(!isWide)", path: "/s"))
      #expect((invocation.command as? DebuggerOptions)?.isAmbiguousWide == isWide)
    }
  }

  @Test func `an environment that says neither is refused, and changes nothing`() {
    let failure = #expect(throws: Failure.self) {
      try ArgumentParser.parse(
        ["surf"], environment: ["STATESURF_AMBIGUOUS": "yes"],
        settings: SettingsFile("ambiguous-wide = true", path: "/s"))
    }
    #expect(failure?.what == "STATESURF_AMBIGUOUS must be true or false, not 'yes'")
  }

  @Test func `what says nothing is told in the debugger, too`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write("prt = 9000\nport = 9000\n")
    let settings = desk().personal
    #expect(
      settings.remarks == ["\(file.path), line 1: there is no setting 'prt'; did you mean 'port'?"])
    #expect(line("port", in: settings)?.origin == "line 2")
  }

  // MARK: Editing

  @Test func `an edit keeps comments, order and lines that say nothing`() {
    let text = "# mine\n  port = 1\nodd line\n\nport=2\nas = Ada"
    let changed = "# mine\n  port = 1\nodd line\n\nport = 3\nas = Ada"
    #expect(SettingsFile.text(text, with: "port", set: "3") == changed)
    let added = text + "\ntimeout = 9\n"
    #expect(SettingsFile.text(text, with: "timeout", set: "9") == added)
    let removed = "# mine\nodd line\n\nas = Ada"
    #expect(SettingsFile.text(text, with: "port", set: "") == removed)
    let first = "port = 3\n"
    #expect(SettingsFile.text("", with: "port", set: "3") == first)
  }

  @Test func `a setting is kept in a file that was not there`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let settings = try desk().set("theme.good", "blue")
    #expect(settings.theme.colours == [.good: .blue])
    #expect(try String(contentsOf: file, encoding: .utf8) == "theme.good = blue\n")
    #expect(line("theme.good", in: settings)?.origin == "line 1")
    #expect(try desk().set("theme.good", "").theme == Theme())
  }

  @Test(arguments: [
    ("port", "0", "'port' must be a number"), ("key.surf", "S", "is the key of 'save'"),
    ("theme.bad", "pink", "'pink' is not a colour"),
    ("colour", "red", "there is no setting 'colour'"),
    ("newest-first", "yes", "must be true or false"), ("key.surf", "S\nport = 1", "is one line"),
  ])
  func `a value that is none is refused, and the file stays`(
    name: String, value: String, reason: String
  ) throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let text = "# mine\nport = 9000\n"
    try write(text)
    let failure = try #require(throws: Failure.self) { try desk().set(name, value) }
    #expect(failure.what.contains(reason))
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func `a file that cannot be read is not overwritten`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let text = String(repeating: "# long\n", count: 10_000)
    try write(text)
    #expect(throws: Failure.self) { try desk().set("port", "9000") }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func `an edit keeps each end of a line as it is`() {
    let text = "\u{FEFF}as = ada\r\n# \u{C}\u{2028}port = 1\nport = 9\rtimeout = 2"
    #expect(SettingsFile.text(text, with: "realm", set: "x") == text + "\r\nrealm = x\r\n")
    let later = SettingsFile.text(text, with: "timeout", set: "3")
    #expect(later == text.dropLast() + "3")
    let port = SettingsFile.text(text, with: "port", set: "")
    #expect(port == "\u{FEFF}as = ada\r\n# \u{C}\u{2028}port = 1\ntimeout = 2")
    let name = SettingsFile.text(text, with: "as", set: "eve")
    #expect(name == text.replacing("ada", with: "eve"))
    #expect(SettingsFile(text, path: "/s").remarks == [])
  }

  @Test func `an edit that takes another line's key is refused, and names its command`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let text = "key.quit = F5\nkey.save = F6\nkey.surf = S\n"
    try write(text)
    for (name, value, reason) in [
      ("key.surf", "F5", "'F5' is the key of 'quit'"), ("key.save", "", "'S' is the key of 'surf'"),
      ("key.find", "F6 F7", "'F6' is the key of 'save'"),
      ("key.find", "F5>x", "'F5>x' begins with 'F5', the key of 'quit'"),
      ("key.find", "y", "'y' begins 'y>p', a key of 'copyPath'"),
      ("key.copyPath", "y p", "'y' begins 'y>v', a key of 'copyValue'"),
    ] {
      let failure = try #require(throws: Failure.self) { try desk().set(name, value) }
      #expect(failure.what == reason)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    let line = "key.find = S\n"
    try write(line)
    let failure = try #require(throws: Failure.self) { try desk().set("key.find", "S") }
    #expect(failure.what == "'S' is the key of 'save'")
  }

  @Test func `two keys, one after the other, are written and shown alike`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    #expect(line("key.copyPath", in: desk().personal)?.value == "y>p")
    let settings = try desk().set("key.copyPath", "y>y Space>1 F6")
    let command = ViewerCommand.copyPath
    #expect(["y y", "Space 1", "F6"].allSatisfy { settings.keys.command(of: $0) == command })
    #expect(line("key.copyPath", in: settings)?.value == "y>y Space>1 F6")
    #expect(try desk().set("key.copyPath", "").keys.command(of: "y p") == command)
  }

  @Test func `folders of sources are a setting, and the environment counts before it`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    #expect(desk().personal.sourceFolders == [])
    let settings = try desk().set("sources", "~/app:/src")
    #expect(settings.sourceFolders == ["~/app", "/src"])
    #expect(line("sources", in: settings)?.origin == "line 1")
    let other = desk(["STATESURF_SOURCES": "/other"]).personal
    #expect(other.sourceFolders == ["/other"])
    #expect(line("sources", in: other)?.origin == "STATESURF_SOURCES counts")
    let environment = ["XDG_CONFIG_HOME": home.path, "STATESURF_SOURCES": "/other"]
    let invocation = try ArgumentParser.parse(
      ["surf", "--sources", "/given"], environment: environment)
    let options = try #require(invocation.command as? DebuggerOptions)
    let given = SettingsStorage(
      environment: environment, options: options, viewerName: "ada@desk")
    #expect(given.personal.sourceFolders == ["/given"])
    #expect(line("sources", in: given.personal)?.origin == "--sources counts")
  }

  // MARK: The file itself

  @Test func `a file behind a link is changed where it is, and keeps its mode`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write("")
    let real = home.appending(path: "dotfiles")
    try Data("# mine\n".utf8).write(to: real)
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real.path)
    try manager.removeItem(at: file)
    try manager.createSymbolicLink(atPath: file.path, withDestinationPath: "../dotfiles")
    _ = try desk().set("port", "9000")
    #expect(try String(contentsOf: real, encoding: .utf8) == "# mine\nport = 9000\n")
    #expect(try manager.destinationOfSymbolicLink(atPath: file.path) == "../dotfiles")
    let mode = try manager.attributesOfItem(atPath: real.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(
      try manager.contentsOfDirectory(atPath: home.path).sorted() == ["dotfiles", "statesurf"])
  }

  @Test func `a link that leads nowhere is followed, and one in a circle is told`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write("")
    let manager = FileManager.default
    try manager.removeItem(at: file)
    try manager.createSymbolicLink(atPath: file.path, withDestinationPath: "new")
    #expect(desk().personal.remarks == [])
    #expect(try desk().set("theme.good", "blue").theme.colours == [.good: .blue])
    try manager.removeItem(at: file)
    try manager.createSymbolicLink(atPath: file.path, withDestinationPath: "settings")
    #expect(desk().personal.remarks.first?.contains("is ignored") == true)
    #expect(throws: Failure.self) { try desk().set("port", "9000") }
  }

  @Test func `a folder that cannot be made is told with the system's reason`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try FileManager.default.createDirectory(
      at: home.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: home)
    let failure = try #require(throws: Failure.self) { try desk().set("port", "9000") }
    #expect(failure.what == "cannot make '\(home.path)/statesurf': Not a directory")
  }

  @Test(arguments: ["a\u{0}b", "a\u{1B}[2J", "a\u{85}b", "a\u{2028}b", "a\rb"])
  func `a value with control characters is refused`(value: String) throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let failure = try #require(throws: Failure.self) { try desk().set("as", value) }
    #expect(failure.what == "'as' is one line, without control characters")
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a file of a megabyte is ignored, and says so once`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    try write("port = 9\n" + String(repeating: "#", count: 1 << 20))
    let remarks = ["'\(file.path)' is ignored: it is too large"]
    #expect(desk().personal.remarks == remarks)
    let failure = try #require(throws: Failure.self) { try desk().set("port", "9000") }
    #expect(failure.what == remarks.first)
  }

  @Test func `the largest file that counts is read whole`() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let last = "\nport = 9000"
    try write(String(repeating: "#", count: SettingsFile.sizeMax - last.utf8.count) + last)
    #expect(line("port", in: desk().personal)?.value == "9000")
    #expect(throws: Failure.self) { try desk().set("as", "ada") }
  }

  @Test func `what the environment overrides says so`() throws {
    let settings = desk(["STATESURF_PORT": "9000"]).personal
    #expect(line("port", in: settings)?.isOverridden == true)
    #expect(line("port", in: settings)?.value == "9000")
    #expect(line("port", in: settings)?.origin == "STATESURF_PORT counts")
    #expect(line("group", in: settings)?.isOverridden == false)
  }
}
