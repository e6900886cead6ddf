import Foundation
import TerminalScreen
import TestSupport
import Testing

@Suite struct ScreenWriterTests {
  static let pairCount =
    ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 50_000 : 10_000

  @Test func `the bytes turn any screen into any other`() throws {
    var random = SeededGenerator(seed: 1)
    var writer = ScreenWriter()
    var screen = Samples.screen(Samples.size(&random), &random)
    var terminal = Emulator(screen.size)
    try terminal.receive(writer.bytes(toShow: screen))
    for round in 0..<Self.pairCount {
      if Int.random(in: 0..<50, using: &random) == 0 {
        screen = Samples.screen(Samples.size(&random), &random)
        terminal = Emulator(screen.size)
        writer.forget()
      } else {
        Samples.change(&screen, &random)
      }
      if Int.random(in: 0..<50, using: &random) == 0 { writer.forget() }
      try terminal.receive(writer.bytes(toShow: screen))
      let fault = terminal.difference(from: Emulator.rows(of: screen))
      try #require(fault == nil, "round \(round)")
      #expect(terminal.showsCursor == (screen.cursor != nil), "round \(round)")
      if let cursor = screen.cursor {
        #expect(terminal.row == cursor.row && terminal.column == cursor.column, "round \(round)")
      }
      #expect(!terminal.isSynchronized)
    }
  }

  /// Kitty, the standard and old libraries differ; a picture must not depend on what was there.
  @Test func `a terminal of other widths shows the same as after painting it whole`() throws {
    func columns(_ cluster: Character) -> Int {
      guard TextWidth().isDoubtful(cluster) else { return TextWidth().columns(cluster) }
      return cluster.unicodeScalars.count > 2 ? 4 : 3 - TextWidth().columns(cluster)
    }
    var random = SeededGenerator(seed: 2)
    var writer = ScreenWriter()
    var screen = Samples.screen(ScreenSize(width: 30, height: 6), &random)
    var terminal = Emulator(screen.size, columns: columns)
    for round in 0..<(Self.pairCount / 4) {
      Samples.change(&screen, &random)
      try terminal.receive(writer.bytes(toShow: screen))
      var fresh = Emulator(screen.size, columns: columns)
      var other = ScreenWriter()
      try fresh.receive(other.bytes(toShow: screen))
      let fault = terminal.difference(from: fresh.rows)
      try #require(fault == nil, "round \(round)")
    }
  }

  @Test func `nothing is written when nothing changed`() {
    var random = SeededGenerator(seed: 3)
    var writer = ScreenWriter()
    var screen = Samples.screen(ScreenSize(width: 80, height: 24), &random)
    #expect(!writer.bytes(toShow: screen).isEmpty)
    #expect(writer.bytes(toShow: screen).isEmpty)
    screen.put("", at: 0, 0, width: 0)
    #expect(writer.bytes(toShow: screen).isEmpty)
    writer.forget()
    #expect(!writer.bytes(toShow: screen).isEmpty)
  }

  @Test(arguments: [80, 100, 120])
  func `a row that moves takes few octets`(width: Int) {
    var writer = ScreenWriter()
    _ = writer.bytes(toShow: Self.list(width, selected: 3))
    let bytes = writer.bytes(toShow: Self.list(width, selected: 4))
    #expect(bytes.count <= 400, "\(bytes.count)")
  }

  /// As a viewer's: a list, a line beside it, and the details.
  private static func list(_ width: Int, selected: Int) -> Screen {
    var screen = Screen(ScreenSize(width: width, height: 30))
    for row in 0..<30 {
      screen.put("06:05:52.540", at: row, 2, .dim)
      screen.put("\(row)", at: row, 16)
      screen.put("saveFavourite", at: row, 19, row % 3 == 0 ? .bold : .plain)
      screen.put("unchanged: \(row)", at: row, 58, width: width - 58)
    }
    screen.putVerticalRule(at: 0, 55, height: 30)
    screen.put("▸", at: selected, 0)
    return screen
  }

  @Test func `without colours, the other traits stay`() {
    var screen = Screen(ScreenSize(width: 10, height: 1))
    screen.put("a", at: 0, 0, .colour(.red))
    screen.put("b", at: 0, 1, CellStyle(.bold, .brightGreen))
    var coloured = ScreenWriter()
    var plain = ScreenWriter(hasColours: false)
    let text = String(decoding: coloured.bytes(toShow: screen), as: UTF8.self)
    #expect(text.contains("\u{1B}[31ma\u{1B}[1;92mb\u{1B}[m"))
    #expect(
      String(decoding: plain.bytes(toShow: screen), as: UTF8.self)
        .contains("a\u{1B}[1mb\u{1B}[m"))
  }

  @Test func `one frame is one synchronized update`() {
    var writer = ScreenWriter()
    let text = String(
      decoding: writer.bytes(toShow: Screen(ScreenSize(width: 3, height: 2))), as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}[?2026h\u{1B}[m\u{1B}[2J"))
    #expect(text.hasSuffix("\u{1B}[?25l\u{1B}[?2026l"))
  }
}
