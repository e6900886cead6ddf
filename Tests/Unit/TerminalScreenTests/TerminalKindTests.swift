import TerminalScreen
import Testing

@Suite struct TerminalKindTests {
  private func kind(_ environment: [String: String]) -> TerminalKind {
    TerminalKind(environment: ["TERM": "xterm"].merging(environment) { $1 })
  }

  @Test(arguments: [
    ("xterm-256color", true, true), ("tmux-256color", true, true), ("screen", true, false),
    ("screen.xterm", true, false), ("linux", true, false), ("dumb", false, false),
    ("", false, false),
  ])
  func `only what answers is asked`(name: String, canDraw: Bool, isAsked: Bool) {
    let kind = kind(["TERM": name])
    #expect(kind.canDraw == canDraw && kind.isAsked == isAsked)
  }

  @Test func `the environment says how to draw`() {
    let isAsked = kind(["TERM_PROGRAM": "Apple_Terminal"]).isAsked
    #expect(!isAsked)
    #expect(kind([:]).hasColours && kind(["NO_COLOR": ""]).hasColours)
    #expect(!kind(["NO_COLOR": "1"]).hasColours)
    #expect(kind(["COLORFGBG": "0;15"]).isLight && kind(["COLORFGBG": "0;default;7"]).isLight)
    #expect(!kind(["COLORFGBG": "15;0"]).isLight && !kind([:]).isLight)
    #expect(kind(["SSH_TTY": "/dev/pts/1"]).escapeDelay > kind([:]).escapeDelay)
    #expect(kind(["STATESURF_AMBIGUOUS": "2"]).textWidth.isAmbiguousWide)
    #expect(!kind(["STATESURF_AMBIGUOUS": "1"]).textWidth.isAmbiguousWide)
    #expect(kind(["STATESURF_AMBIGUOUS": "true"]).textWidth.isAmbiguousWide)
    #expect(!kind([:]).isASCII && !kind(["LANG": "C.UTF-8"]).isASCII)
    #expect(kind(["LANG": "C"]).isASCII && kind(["LANG": "de_DE.utf8", "LC_ALL": "C"]).isASCII)
    #expect(!kind(["LANG": "C", "LC_CTYPE": "en_US.UTF-8", "LC_ALL": ""]).isASCII)
  }

  @Test func `what was switched on is switched off, whatever was answered`() {
    let replies: [TerminalReply] = [
      .keyboard(0), .mode(2027, .reset), .mode(2026, .reset), .background(luminance: 0.9),
      .cursor(row: 2, column: 2),
    ]
    for count in 0...replies.count {
      var modes = TerminalModes()
      for reply in replies.prefix(count) { modes.note(reply) }
      let isAnswered = modes.areAnswered
      #expect(!isAnswered)
      let on = String(decoding: TerminalModes.enter + modes.on, as: UTF8.self)
      let off = String(decoding: modes.off, as: UTF8.self)
      for match in on.matches(of: #/\?(\d+)h/#) { #expect(off.contains("?\(match.1)l")) }
      #expect(on.contains(">1u") == off.contains("<u"))
      #expect(off.utf8.count <= 256, "or it has no room in a handler")
      modes.note(.attributes)
      #expect(modes.areAnswered)
    }
  }

  @Test(arguments: [
    ("1", nil, TextWidth()), ("1", 2, TextWidth(isAmbiguousKnown: true)),
    ("1", 3, TextWidth(isAmbiguousWide: true, isAmbiguousKnown: true)),
    // Three octets of a terminal without UTF-8; and what no terminal draws.
    ("1", 4, TextWidth()), ("1", 1, TextWidth()),
    // A person has seen how wide they are.
    ("2", 2, TextWidth(isAmbiguousWide: true)),
    ("2", 3, TextWidth(isAmbiguousWide: true, isAmbiguousKnown: true)),
  ])
  func `the terminal says how wide ambiguous clusters are`(
    said: String, column: Int?, width: TextWidth
  ) {
    var modes = TerminalModes()
    if let column { modes.note(.cursor(row: 2, column: column)) }
    #expect(modes.textWidth(of: kind(["STATESURF_AMBIGUOUS": said])) == width)
  }
}
