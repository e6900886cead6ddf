import SurfNetwork
import SurfTerminal
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import Testing

@Suite struct RenderingTests {
  @Test(arguments: [
    ("a\u{1B}[31mb", "a\\u{1b}[31mb"), ("a\nb\tc", "a\\nb\\tc"), ("\u{9B}2J", "\\u{9b}2J"),
    ("\u{202E}evil", "\\u{202e}evil"), ("größe 界", "größe 界"),
    ("a\u{200B}b", "a\\u{200b}b"), ("❤️🇩🇪", "❤️🇩🇪"),
  ])
  func whatCouldDriveATerminalIsEscaped(_ text: String, _ expected: String) {
    #expect(escaped(text) == expected)
    #expect(Line(text).text(coloured: true) == expected)
  }

  @Test func coloursAreLeftOutWhereNobodySeesThem() {
    let line = Line([Span("ok", .good), Span(" fine")])
    #expect(line.text(coloured: true) == "\u{1B}[32mok\u{1B}[0m fine")
    #expect(line.text(coloured: false) == "ok fine")
  }

  @Test func aLineIsCutToTheTerminalByColumns() {
    #expect(Line("abcdef").fitted(columns: 4).text == "abc…")
    #expect(Line("界界界").fitted(columns: 5).text == "界界…")
    #expect(Line("abc").fitted(columns: 3).text == "abc")
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_550, "1.5 kB"), (64_000_000, "64.0 MB"),
    (2_000_000_000, "2.0 GB"),
  ])
  func sizesAreReadAtAGlance(_ count: Int, _ expected: String) {
    #expect(byteText(count) == expected)
  }

  @Test(arguments: [
    (UploadProgress(received: 0, total: 1_000_000), nil),
    (UploadProgress(received: 0, total: 2_000_000), "sending 2.0 MB … 0 %"),
    (UploadProgress(received: 1_999_999, total: 2_000_000), "sending 2.0 MB … 99 %"),
    (
      UploadProgress(received: 2_000_000, total: 2_000_000),
      "sent 2.0 MB, waiting for the app …"
    ),
  ])
  func aLongUploadSaysHowFarItIs(_ upload: UploadProgress, _ expected: String?) {
    #expect(progressLine(upload)?.text == expected)
  }

  @Test(arguments: [
    (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
    (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
  ])
  func colourObeysTheEnvironment(
    _ isTerminal: Bool, _ environment: [String: String], _ expected: Bool
  ) {
    #expect(TerminalFacts.colours(isTerminal: isTerminal, environment) == expected)
  }
}
