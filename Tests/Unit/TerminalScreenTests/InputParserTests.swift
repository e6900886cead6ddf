import Foundation
import TerminalScreen
import TestSupport
import Testing

@Suite struct InputParserTests {
  static let fuzzCount =
    ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 100_000 : 1_000

  struct Case: Sendable, CustomTestStringConvertible {
    let bytes: String
    let event: InputEvent
    init(_ bytes: String, _ event: InputEvent) {
      self.bytes = bytes
      self.event = event
    }
    init(_ bytes: String, _ key: KeyStroke.Key, _ modifiers: KeyStroke.Modifiers = []) {
      self.init(bytes, .key(KeyStroke(key, modifiers)))
    }
    init(_ bytes: String, _ action: MouseEvent.Action) {
      self.init(bytes, .mouse(MouseEvent(action, at: ScreenPlace(row: 4, column: 11))))
    }
    var testDescription: String { bytes.debugDescription }
  }

  static let keys: [Case] = [
    Case("a", .character("a")), Case("A", .character("A")), Case(" ", .character(" ")),
    Case("é", .character("é")), Case("日", .character("日")), Case("😀", .character("😀")),
    Case("\r", .enter), Case("\n", .enter), Case("\t", .tab), Case("\u{7F}", .backspace),
    Case("\u{8}", .backspace), Case("\u{3}", .character("c"), .control),
    Case("\u{1A}", .character("z"), .control), Case("\u{1F}", .character("_"), .control),
    Case("\0", .character(" "), .control), Case("\u{1B}x", .character("x"), .alt),
    Case("\u{1B}X", .character("X"), .alt), Case("\u{1B}é", .character("é"), .alt),
    Case("\u{1B}\r", .enter, .alt), Case("\u{1B}\u{3}", .character("c"), [.alt, .control]),
    // xterm
    Case("\u{1B}[A", .up), Case("\u{1B}[B", .down), Case("\u{1B}[C", .right),
    Case("\u{1B}[D", .left), Case("\u{1B}[H", .home), Case("\u{1B}[F", .end),
    Case("\u{1B}OA", .up), Case("\u{1B}OH", .home), Case("\u{1B}OP", .function(1)),
    Case("\u{1B}[1;2A", .up, .shift), Case("\u{1B}[1;5C", .right, .control),
    Case("\u{1B}[1;8D", .left, [.shift, .alt, .control]),
    Case("\u{1B}[1;5P", .function(1), .control),
    Case("\u{1B}[Z", .tab, .shift), Case("\u{1B}[2~", .insert),
    Case("\u{1B}[3;5~", .delete, .control),
    Case("\u{1B}[5~", .pageUp), Case("\u{1B}[6~", .pageDown), Case("\u{1B}[15~", .function(5)),
    Case("\u{1B}[17~", .function(6)), Case("\u{1B}[24~", .function(12)),
    Case("\u{1B}[27;6;65~", .character("A"), [.control, .shift]),
    // Linux's console and rxvt
    Case("\u{1B}[[A", .function(1)), Case("\u{1B}[[E", .function(5)), Case("\u{1B}[1~", .home),
    Case("\u{1B}[4~", .end), Case("\u{1B}[7~", .home), Case("\u{1B}[8~", .end),
    Case("\u{1B}[a", .up, .shift), Case("\u{1B}Od", .left, .control),
    Case("\u{1B}[5^", .pageUp, .control),
    Case("\u{1B}[6$", .pageDown, .shift), Case("\u{1B}[3@", .delete, [.control, .shift]),
    Case("\u{1B}\u{1B}[A", .up, .alt), Case("\u{1B}\u{1B}OB", .down, .alt),
    Case("\u{1B}[11~", .function(1)), Case("\u{1B}[34~", .function(20)),
    // A keypad that sends sequences
    Case("\u{1B}OM", .enter), Case("\u{1B}Op", .character("0")), Case("\u{1B}Ok", .character("+")),
    // Kitty
    Case("\u{1B}[27u", .escape), Case("\u{1B}[99;5u", .character("c"), .control),
    Case("\u{1B}[97;3u", .character("a"), .alt), Case("\u{1B}[97;4u", .character("A"), .alt),
    Case("\u{1B}[13;5u", .enter, .control), Case("\u{1B}[9;2u", .tab, .shift),
    Case("\u{1B}[127;3u", .backspace, .alt), Case("\u{1B}[1;1:2A", .up),
    Case("\u{1B}[57399u", .character("0")), Case("\u{1B}[57414u", .enter),
    Case("\u{1B}[57426;5u", .delete, .control), Case("\u{1B}[57376u", .function(13)),
    Case("\u{1B}[97:65;69u", .character("a"), .control),
    Case("\u{1B}[49;4u", .character("1"), [.alt, .shift]),
  ]

  static let others: [Case] = [
    Case("\u{1B}[<0;12;5M", .press(.left)), Case("\u{1B}[<2;12;5m", .release(.right)),
    Case("\u{1B}[<32;12;5M", .drag(.left)), Case("\u{1B}[<17;12;5M", .press(.middle)),
    Case("\u{1B}[<64;12;5M", .wheelUp), Case("\u{1B}[<69;12;5M", .wheelDown),
    Case("\u{1B}[I", .focus(true)), Case("\u{1B}[O", .focus(false)),
    Case(
      "\u{1B}[200~:go 7\u{1B}[A\u{1B}[201\n\u{1B}[201~",
      .paste(":go 7\u{1B}[A\u{1B}[201\n", isCut: false)),
    Case("\u{1B}[200~\u{1B}\u{1B}[201~", .paste("\u{1B}", isCut: false)),
    Case("\u{1B}[200~\u{1B}[201~", .paste("", isCut: false)),
    Case("\u{1B}[?62;22c", .reply(.attributes)),
    Case("\u{1B}[?2026;2$y", .reply(.mode(2026, .reset))),
    Case("\u{1B}[?2027;0$y", .reply(.mode(2027, .unknown))),
    Case("\u{1B}[?1u", .reply(.keyboard(1))),
    Case("\u{1B}[10;20R", .reply(.cursor(row: 10, column: 20))),
    Case("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", .reply(.background(luminance: 0))),
    Case("\u{1B}]11;rgb:ff/ff/ff\u{7}", .reply(.background(luminance: 0.2126 + 0.7152 + 0.0722))),
    Case("\u{1B}]11;rgba:ffff/0000/0000/ffff\u{7}", .reply(.background(luminance: 0.2126))),
  ]

  @Test(arguments: keys + others)
  func `each sequence is one event`(wanted: Case) {
    var parser = InputParser()
    let events = parser.receive(wanted.bytes.utf8, at: .zero)
    #expect(events == [wanted.event])
    #expect(parser.deadline == nil)
  }

  @Test(arguments: [
    "\u{1B}[999999999999999999u", "\u{1B}[1;2;3;4x", "\u{1B}[>1;2c", "\u{1B}[<0;0;0M",
    "\u{1B}[<35;1;1M",
    "\u{1B}[<0;12M", "\u{1B}[<700;12;5M", "\u{1B}[1;1:3A", "\u{1B}[57358u", "\u{1B}]52;c;AAAA\u{7}",
    "\u{1B}]11;rgb:zz/00/00\u{7}", "\u{1B}]11;rgb:00/00\u{7}", "\u{1B}P1$r0m\u{1B}\\",
    "\u{1B}_Gi=1\u{1B}\\",
    "\u{1B}[?2026;9$y", "\u{1B}[?2026$y", "\u{1B}[M !!", "\u{1B}[55296u",
    "\u{1B}Oz", "\u{1B}[[Z",
    "\u{1B}[" + String(repeating: "1;", count: 500) + "A",
  ])
  func `what nobody asked for is dropped whole`(bytes: String) {
    var parser = InputParser()
    let events = parser.receive((bytes + "q").utf8, at: .zero)
    if bytes.hasSuffix("R") {
      // A cursor's place looks like F3; nobody asks for it.
      #expect(events.count == 2)
    } else {
      #expect(events == [.key(KeyStroke(.character("q")))], "\(bytes.prefix(20).debugDescription)")
    }
  }

  @Test func `octets that are no text are dropped`() {
    var parser = InputParser()
    let bytes: [UInt8] = [
      0xFF, 0x80, 0xC3, 0x61, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0xC2, 0x9B, 0xF4, 0x90, 0x80,
      0x80, 0x62,
    ]
    #expect(parser.receive(bytes, at: .zero).map(\.text) == ["a", "b"])
  }

  @Test func `an escape alone is a key when nothing follows in time`() {
    var parser = InputParser(escapeDelay: .milliseconds(30))
    #expect(parser.receive([0x1B], at: .seconds(1)) == [])
    let due = parser.deadline
    #expect(due == .milliseconds(1_030))
    #expect(parser.advance(to: .milliseconds(1_029)) == [])
    // Looking puts nothing off.
    #expect(parser.receive([], at: .milliseconds(1_020)) == [])
    #expect(parser.deadline == due)
    #expect(parser.advance(to: .milliseconds(1_030)) == [.key(KeyStroke(.escape))])
    #expect(parser.deadline == nil)
    // What comes too late is a key of its own.
    _ = parser.receive([0x1B], at: .seconds(2))
    let late = parser.receive("[".utf8, at: .milliseconds(2_030))
    #expect(late == [.key(KeyStroke(.escape)), .key(KeyStroke(.character("[")))])
  }

  @Test(arguments: [
    ("\u{1B}\u{1B}", [KeyStroke(.escape), KeyStroke(.escape)]),
    ("\u{1B}[", [KeyStroke(.character("["), .alt)]),
    ("\u{1B}O", [KeyStroke(.character("O"), .alt)]),
    ("\u{1B}]", [KeyStroke(.character("]"), .alt)]),
    ("\u{1B}P", [KeyStroke(.character("P"), .alt)]), ("\u{1B}[1;", []), ("\u{1B}]11;rgb", []),
    ("\u{1B}[[", []),
  ])
  func `what has lost its end does not keep the keyboard`(bytes: String, keys: [KeyStroke]) {
    var parser = InputParser()
    #expect(parser.receive(bytes.utf8, at: .zero) == [])
    // A slow network cuts a sequence in two, and it is still one.
    if bytes != "\u{1B}\u{1B}" { #expect(parser.advance(to: .milliseconds(100)) == []) }
    let expected = keys.map(InputEvent.key)
    #expect(parser.advance(to: .seconds(1)) == expected)
    #expect(parser.receive("q".utf8, at: .seconds(1)).map(\.text) == ["q"])
  }

  @Test func `a paste is bounded, in size and in time`() {
    var parser = InputParser()
    let much = [UInt8](repeating: 0x61, count: InputParser.pasteSizeMax + 10)
    let events = parser.receive("\u{1B}[200~".utf8 + much + "\u{1B}[201~q".utf8, at: .zero)
    let whole = String(repeating: "a", count: InputParser.pasteSizeMax)
    #expect(events == [.paste(whole, isCut: true), .key(KeyStroke(.character("q")))])

    #expect(parser.receive("\u{1B}[200~rm\r".utf8, at: .seconds(1)) == [])
    #expect(parser.advance(to: .seconds(5)) == [])
    #expect(parser.advance(to: .seconds(6)) == [.paste("rm\r", isCut: true)])
  }

  @Test func `every split of the octets gives the same events`() {
    var random = SeededGenerator(seed: 4)
    for round in 0..<Self.fuzzCount {
      let bytes = Self.bytes(&random)
      var whole = InputParser()
      let expected = whole.receive(bytes, at: .zero)
      var parser = InputParser()
      var events: [InputEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...4, using: &random))
        events += parser.receive(piece, at: .zero)
        rest = rest.dropFirst(piece.count)
      }
      #expect(parser.deadline == whole.deadline, "round \(round)")
      events += parser.advance(to: .seconds(9))
      #expect(events == expected + whole.advance(to: .seconds(9)), "round \(round)")
      // And then the keyboard lives.
      #expect(parser.receive("\rq".utf8, at: .seconds(10)).last?.text == "q", "round \(round)")
    }
  }

  @Test func `known sequences are found in any split, one after another`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<(Self.fuzzCount / 10) {
      let cases = (0..<10).map { _ in (Self.keys + Self.others).randomElement(using: &random)! }
      var parser = InputParser()
      var events: [InputEvent] = []
      for byte in cases.flatMap({ Array($0.bytes.utf8) }) {
        events += parser.receive([byte], at: .zero)
      }
      #expect(events == cases.map(\.event))
    }
  }

  /// Pieces of sequences, cut anywhere, between random octets.
  private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let known = Array((keys + others).randomElement(using: &random)!.bytes.utf8)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes += known
      case 1: bytes += known.prefix(Int.random(in: 0...known.count, using: &random))
      case 2: bytes += known.suffix(Int.random(in: 0...known.count, using: &random))
      default: bytes.append(UInt8.random(in: 0...255, using: &random))
      }
    }
    return bytes
  }
}

extension InputEvent {
  /// Of a key that writes something.
  var text: String? {
    guard case .key(let stroke) = self, case .character(let character) = stroke.key else {
      return nil
    }
    return String(character)
  }
}
