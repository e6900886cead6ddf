import TerminalScreen

// The cost of a full-screen viewer, for each frame and each key.
extension Benchmark {
  static let screen: [Benchmark] = [
    Benchmark(name: "screen-draw", summary: "a screen of 200 by 60, all of it text, drawn") {
      measure(batch: 1, repetitions: 50, unit: .microseconds) { keep(list(selected: 3)) }
    },
    Benchmark(name: "screen-whole", summary: "the same to bytes, on a terminal that knows nothing")
    {
      let screen = list(selected: 3)
      return measure(batch: 1, repetitions: 50, unit: .microseconds) {
        var writer = ScreenWriter()
        keep(writer.bytes(toShow: screen))
      }
    },
    Benchmark(name: "screen-moved", summary: "the same after the cursor moved by a row") {
      let screens = [list(selected: 3), list(selected: 4)]
      var writer = ScreenWriter()
      _ = writer.bytes(toShow: screens[1])
      return measure(batch: 2, repetitions: 50, unit: .microseconds) {
        for screen in screens { keep(writer.bytes(toShow: screen)) }
      }
    },
    Benchmark(name: "screen-whole-octets", summary: "octets of the whole screen") {
      var writer = ScreenWriter()
      return .single(
        Double(writer.bytes(toShow: list(selected: 3)).count), unit: "octets", of: "screen")
    },
    Benchmark(name: "key-parse", summary: "a key, in turn a letter, an arrow and one of kitty's") {
      let bytes = Array("j\u{1B}[B\u{1B}[97;5u".utf8)
      var parser = InputParser()
      return measure(batch: 3_000) {
        for _ in 0..<1_000 { keep(parser.receive(bytes, at: .zero).count) }
      }
    },
  ]

  /// A list and details beside it, as a viewer has them.
  private static func list(selected: Int) -> Screen {
    var screen = Screen(ScreenSize(width: 200, height: 60))
    for row in 0..<60 {
      screen.put("06:05:52.540", at: row, 2, .dim)
      screen.put("\(row)", at: row, 16)
      screen.put(String(repeating: "saveFavourite ", count: 5), at: row, 20, .bold, width: 75)
      screen.put(String(repeating: "~ count: 7 → 10 ", count: 8), at: row, 98, width: 102)
    }
    screen.putVerticalRule(at: 0, 96, height: 60)
    screen.put("▸", at: selected, 0)
    return screen
  }
}
