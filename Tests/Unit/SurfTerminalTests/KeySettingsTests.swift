import Foundation
import SurfDebugger
import SurfTerminal
import SurfViewer
import TestSupport
import Testing

/// Any key settings that a person may write, compared with a model.
@Suite struct KeySettingsTests {
  /// Keys in a person's spelling, and the strokes that they mean.
  private static let words: [(text: String, strokes: [CommandKey]?)] = [
    ("s", ["s"]), ("S", ["S"]), ("y", ["y"]), ("u", ["u"]), ("m", ["m"]), ("F5", ["F5"]),
    ("Ctrl-s", ["Ctrl-s"]), ("Space", [" "]), ("é", ["é"]), (">", [">"]), ("=", ["="]),
    ("y>p", ["y", "p"]), ("y>v", ["y", "v"]), ("y>>", ["y", ">"]), ("s>x", ["s", "x"]),
    ("Space>Space", [" ", " "]), ("F5>1", ["F5", "1"]), ("Ctrl-x>s", ["Ctrl-x", "s"]),
    ("7", nil), ("Ctrl-c", nil), ("y>Esc", nil), ("xy", nil),
  ]

  private struct Wish {
    let command: ViewerCommand
    let words: [(text: String, strokes: [CommandKey]?)]

    init(_ random: inout SeededGenerator) {
      let often: [ViewerCommand] = [.surf, .copyPath, .copyValue, .undo, .forward]
      let all = Bool.random(using: &random) ? often : ViewerCommand.allCases
      command = all.randomElement(using: &random) ?? .surf
      words = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
        KeySettingsTests.words.randomElement(using: &random)
      }
    }

    var line: String { "key.\(command.rawValue) = \(words.map(\.text).joined(separator: " "))" }
    var isReadable: Bool { words.allSatisfy { $0.strokes != nil } }
    var strokes: [[CommandKey]] { words.compactMap(\.strokes) }
  }

  private static func usual(_ command: ViewerCommand) -> [[CommandKey]] {
    command.spec.keys.map(\.strokes)
  }

  /// The debugger's reaction to strokes: it waits for a second key where one may follow.
  private func typed(_ strokes: [CommandKey], _ keys: KeyMap) -> ViewerCommand? {
    guard let first = strokes.first else { return nil }
    if keys.begun(by: first).isEmpty { return strokes.count == 1 ? keys.command(of: first) : nil }
    return strokes.count == 2 ? keys.command(of: first.then(strokes[1])) : nil
  }

  private func clash(_ one: [CommandKey], _ other: [CommandKey]) -> Bool {
    one.starts(with: other) || other.starts(with: one)
  }

  @Test(arguments: 0..<150)
  func `every command with a key runs by it, or the file's error names it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let wishes = (0..<Int.random(in: 1...8, using: &random)).map { _ in Wish(&random) }
    let text = wishes.map(\.line).joined(separator: "\n")
    let file = SettingsFile(text, path: "/s")
    func remark(_ line: Int) -> String? {
      file.remarks.first { $0.hasPrefix("/s, line \(line):") }
    }
    // Of two lines that can be read, the last counts.
    var lines: [ViewerCommand: Int] = [:]
    for (index, wish) in wishes.enumerated() where wish.isReadable { lines[wish.command] = index }
    let wanted = lines.values.flatMap { index in
      wishes[index].strokes.map { (index, $0) }
    }
    for command in ViewerCommand.allCases {
      let keys = file.keys.keys(of: command).map(\.strokes)
      for strokes in keys { #expect(typed(strokes, file.keys) == command, "\(text)\n\(strokes)") }
      // Whatever was chosen.
      let quits: [[CommandKey]] = command == .quit ? [["Ctrl-c"]] : []
      guard let index = lines[command] else {
        #expect(keys == Self.usual(command))
        continue
      }
      guard let remark = remark(index + 1) else {
        #expect(keys == wishes[index].strokes + quits, "\(text)")
        continue
      }
      #expect(keys == Self.usual(command) && remark.hasSuffix("so this does not count"))
      let rivals =
        ViewerCommand.allCases.filter { $0 != command }.flatMap(Self.usual)
        + wanted.filter { $0.0 != index }.map(\.1)
      let own = wishes[index].strokes
      let isTaken = own.contains { key in rivals.contains { clash(key, $0) } }
      #expect(isTaken || own.contains { key in own.contains { $0 != key && clash($0, key) } })
    }
    for (index, wish) in wishes.enumerated() where !wish.isReadable {
      #expect(remark(index + 1)?.contains("is not a key that can be chosen") == true, "\(text)")
    }
  }

  @Test(arguments: 0..<20)
  func `what the pane shows of keys can be written again`(seed: UInt64) throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "statesurf-keys-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    var random = SeededGenerator(seed: seed)
    let text = (0..<6).map { _ in Wish(&random).line }.joined(separator: "\n")
    let folder = home.appending(path: "statesurf")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "settings"))
    let desk = SettingsStorage(environment: ["XDG_CONFIG_HOME": home.path], viewerName: "ada@desk")
    let settings = desk.personal
    let lines = settings.lines.filter { $0.name.hasPrefix("key.") }
    let shown = lines.map { "\($0.name) = \($0.value)" }.joined(separator: "\n")
    let again = SettingsFile(shown, path: "/s")
    #expect(lines.count == ViewerCommand.allCases.count)
    #expect(again.remarks == [])
    for command in ViewerCommand.allCases {
      #expect(again.keys.keys(of: command) == settings.keys.keys(of: command), "\(shown)")
    }
  }
}
