import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// Whatever a person does and an app sends.
@Suite struct RandomTests {
  private static let keys: [CommandKey] =
    ViewerCommand.allCases.flatMap(\.spec.keys).filter { $0 != "q" && $0 != "Ctrl-c" }
    + ["1", "9", "~", "a", "Backspace", "Enter", "Esc", "Up", "Down", "F9", "é", "漢", "👩‍👩‍👧"]

  private func movesApp(_ effect: DebuggerEffect) -> Bool {
    switch effect {
    case .move, .command, .load, .put, .replace: true
    default: false
    }
  }

  private func step(_ person: inout Person, _ number: inout UInt64, _ random: inout SeededGenerator)
  {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...3:
      number += UInt64.random(in: 0...2, using: &random)
      let state = Bool.random(using: &random) ? #"{"a":[\#(number),{"b":"漢"}]}"# : nil
      person.record(action(number, "name \u{1B}[31m \(number)", state, parent: number / 2))
    case 4:
      let first = SequenceNumber(UInt64.random(in: 1...40, using: &random))
      person.catalog.lose(first...first.advanced(by: 3), of: one)
      person.send(.news)
    case 5:
      let width = Int.random(in: 1...140, using: &random)
      let height = Int.random(in: 1...50, using: &random)
      person.send(.size(ScreenSize(width: width, height: height)))
    case 6:
      let place = ScreenPlace(
        row: Int.random(in: -2...60, using: &random),
        column: Int.random(in: -2...150, using: &random))
      person.send(.pointer(Bool.random(using: &random) ? .press(place) : .scroll(3, place)))
    case 7: person.wait(.milliseconds(Int.random(in: 0...3_000, using: &random)))
    case 8: person.send(.paste("x\u{7F}y"))
    default:
      let (width, height) = (person.screen.size.width, person.screen.size.height)
      person.press(Self.keys.randomElement(using: &random) ?? "Up")
      #expect(width >= 40 && height >= 10 || !person.effects.contains(where: movesApp))
    }
  }

  @Test(arguments: 0..<40)
  func `no sequence of events breaks a rule`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var person = Person()
    person.start(one)
    person.start(two, "Todo", id: 7)
    var number: UInt64 = 1
    for _ in 0..<60 {
      step(&person, &number, &random)
      let screen = person.screen
      let lines = screen.lines
      #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
      #expect(lines.filter { $0.hasPrefix("▸") }.count <= 1)
      for effect in person.takeEffects() {
        if case .move(_, _, let serial) = effect, Bool.random(using: &random) {
          person.send(.answered(serial: serial, .applied(.initial)))
        }
      }
    }
  }

  @Test(arguments: [1, 2, 9, 10, 15, 16, 17, 24, 40, 100])
  func `every size has a picture`(height: Int) {
    var person = Person.atPrimeTime()
    for width in Array(1...100) + [119, 120, 200, 299, 300] {
      person.send(.size(ScreenSize(width: width, height: height)))
      let lines = person.lines
      let isTooSmall = width < 40 || height < 10
      #expect(lines.count == height)
      #expect(lines[0].contains("is too small") || !isTooSmall || width < 20)
      let cursors = lines.filter { $0.hasPrefix("▸") }.count
      let expected = isTooSmall ? 0 : 1
      #expect(cursors == expected)
    }
  }

  @Test func `a frame of a long history looks at no more than it shows`() {
    func lookCount(rows count: UInt64) -> Int {
      var person = Person()
      person.start(one)
      for number in 1...count {
        person.catalog.append(action(number, "increment"), to: one)
      }
      person.send(.news)
      person.press("k")
      return DebuggerPicture.lookCount(of: person.debugger, in: person.catalog)
    }
    // The strip uses binary search: nine more steps, at each of the 73 ends.
    let long = lookCount(rows: 50_000)
    #expect(long > 100 && long <= lookCount(rows: 100) + 10 * 73)
  }

  @Test func `a step to the next row takes few octets on a large terminal`() {
    let known = TextWidth(isAmbiguousKnown: true)
    var person = Person(width: 200, height: 60, textWidth: known)
    person.start(one)
    for number in 1...200 as ClosedRange<UInt64> {
      person.record(
        action(
          number, "increment", #"{"count":\#(number),"user":{"name":"Ada","age":36}}"#,
          payload: #"{"by":1}"#, source: "PrimeTime/Main.swift:73"))
    }
    var writer = ScreenWriter()
    person.press("k")
    #expect(writer.bytes(toShow: person.screen).count > 2_000)
    for _ in 0..<40 {
      person.press("k")
      let octets = writer.bytes(toShow: person.screen).count
      #expect(1...400 ~= octets, "\(octets)")
    }
  }
}
