import SurfControl
import SurfDebugger
import SurfTimeline
import SurfWire
import TerminalScreen
import Testing

/// The app goes where the cursor goes, if a person wants it.
@Suite struct ScrubTests {
  /// The moves that were asked for, with their serial numbers.
  private func moves(_ effects: [DebuggerEffect]) -> [(target: Position, serial: Int)] {
    effects.compactMap {
      if case .move(_, let target, let serial) = $0 { (target, serial) } else { nil }
    }
  }

  @Test func `with auto-apply the cursor moves the app, one request at a time`() {
    var person = Person.atPrimeTime()
    person.press("Up", "Up")
    #expect(person.takeEffects() == [])
    person.press("A")
    // The cursor is at row 7, and the app is at row 8.
    let first = moves(person.takeEffects())
    #expect(first.map(\.target) == [.record(7)])
    person.press("Up", "Up", "Up")
    #expect(person.takeEffects() == [])
    person.send(.answered(serial: first.first?.serial ?? 0, .applied(.record(7))))
    #expect(moves(person.takeEffects()).map(\.target) == [.record(4)])
    #expect(person.text.contains("auto-apply"))
  }

  @Test func `at a line of the log, the app goes to the state in force there`() {
    var person = Person.atPrimeTime()
    person.record(action(10, "increment", #"{"count":10}"#))
    person.press("G", "Up", "A")
    #expect(moves(person.takeEffects()).map(\.target) == [.record(8)])
  }

  @Test func `what the app refuses is not asked again, and off is off`() {
    var person = Person.atPrimeTime()
    person.press("Up", "Up", "A")
    let first = moves(person.takeEffects())
    person.send(.answered(serial: first.first?.serial ?? 0, .failed("no")))
    person.send(.news)
    #expect(person.takeEffects() == [])
    person.press("A", "Up")
    #expect(person.takeEffects() == [])
    #expect(!person.text.contains("auto-apply"))
  }

  @Test func `to go on puts a locked app into the row's state, and unlocks it`() {
    var person = Person.atPrimeTime()
    person.start(one, control: [.allCommands, .locked])
    let answers: [(MoveAnswer, [HistoryCommand<SequenceNumber>])] = [
      (.failed("no"), []), (.applied(.record(2)), [.lock(false)]),
    ]
    for (answer, wanted) in answers {
      person.press("g", "Down", "Down", "c")
      let move = moves(person.takeEffects())
      #expect(move.map(\.target) == [.record(2)])
      person.send(.answered(serial: move.first?.serial ?? 0, answer))
      let commands: [HistoryCommand<SequenceNumber>] = person.takeEffects().compactMap {
        if case .command(_, let command, _) = $0 { command } else { nil }
      }
      #expect(commands == wanted)
    }
  }

  @Test func `an action that was rejected is red`() {
    var person = Person.atPrimeTime()
    person.record(log(10, .warning, "rejected: decrement (count is negative)"))
    person.press("Up")
    let row = person.lines.firstIndex { $0.contains("rejected") } ?? 0
    let column = person.lines[row].prefix { $0 != "r" }.count
    let colour = person.screen[row: row, column: column]?.style.colour
    #expect(colour == .red)
  }
}
