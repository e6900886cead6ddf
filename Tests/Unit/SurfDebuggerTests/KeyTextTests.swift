import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen
import TestSupport
import Testing

/// A person with custom keys sees these, and never the default ones.
@Suite struct KeyTextTests {
  /// A letter for each command that no text of the debugger has.
  private static let letters: [ViewerCommand: CommandKey] = {
    let ranges = [0x10D0...0x10FA, 0x0561...0x0586, 0x0531...0x0556]
    let scalars = ranges.joined().compactMap(Unicode.Scalar.init)
    let keys = scalars.map { CommandKey(String($0)) }
    return Dictionary(uniqueKeysWithValues: zip(ViewerCommand.allCases, keys))
  }()

  /// But the keys of all questions and lists.
  private static let usual: Set<String> = {
    let keys = ViewerCommand.allCases.flatMap(\.spec.keys)
    let names = keys.flatMap { [$0.label, $0.name, $0.written] + $0.strokes.map(\.label) }
    return Set(names).subtracting(["Enter", "Esc", "Tab", "Ctrl-c", "Ctrl-C"])
  }()

  private func personal(_ bindings: [KeyMap.Binding]) -> PersonalSettings {
    var personal = PersonalSettings()
    personal.keys = KeyMap(bindings)
    personal.lines = [
      .init(name: "interface", value: "eth0", origin: "line 2", isOverridden: false),
      .init(name: "port", value: "9000", origin: "default", isOverridden: false),
      .init(name: "realm", value: "", origin: "default", isOverridden: false),
    ]
    return personal
  }

  private func person(_ bindings: [KeyMap.Binding]) -> Person {
    var person = Person.afterJumps()
    person.start(two, "Kiosk", id: 7, control: [.allCommands, .locked])
    for number in 1...5 as ClosedRange<UInt64> {
      let state = #"{"count":\#(number)}"#
      person.record(SurfDebuggerTests.action(number, "increment", state), in: two)
    }
    person.send(.personal(personal(bindings)))
    return person
  }

  private static var rebound: [KeyMap.Binding] {
    ViewerCommand.allCases.compactMap { command in
      letters[command].map { KeyMap.Binding(command, [$0]) }
    }
  }

  /// The words of a screen, without the signs of the list and of differences.
  private func words(_ person: Person) -> [Substring] {
    let lines = person.lines
    return lines.enumerated().flatMap { row, line -> [Substring] in
      // A question has answers of its own.
      if row == lines.count - 1, line.contains("leaves") || line.contains("n cancels") {
        return []
      }
      let signs = row == lines.count - 2 ? ["a"] : ["a", "m", "-", "+", "→"]
      let words = line.split(separator: " ")
      return zip(words, [""] + words).compactMap { word, before in
        let isUnit = word == "s" && before.last?.isNumber == true
        // By how much a state differs in size, if that is not known.
        let isUnknown = word == "?" && before.hasSuffix("B")
        // A box may cover half a word.
        let isCut = word.contains { "│┌┐└┘".contains($0) }
        return isUnit || isUnknown || isCut || signs.contains(String(word)) ? nil : bare(word)
      }
    }
  }

  private func bare(_ word: Substring) -> Substring {
    guard word.count > 1 else { return word }
    let begun = word.drop { $0 == "(" }
    return begun.prefix(begun.count - begun.reversed().prefix { ":,.;)".contains($0) }.count)
  }

  private func step(_ person: inout Person, _ random: inout SeededGenerator) {
    let letters = Self.letters
    func key(_ command: ViewerCommand) -> CommandKey { letters[command] ?? "F9" }
    switch Int.random(in: 0..<24, using: &random) {
    case 0: person.press("Enter")
    case 1, 2: person.press("Esc")
    case 3: person.wait(.seconds(6))
    case 4: person.send(.paste("{}", isCut: true))
    case 5: person.send(.found(one, path: "/state", size: 2, beginning: "{}"))
    case 6: person.send(.paste("{}"))
    case 7: person.press("F9")
    case 8:
      person.press("Esc", "Esc", key(.find))
      person.type("count")
      person.press("Enter")
    case 9:
      person.press("Esc", "Esc", key(.load))
      person.type("state.json")
      person.press("Enter")
    case 10: person.press("Esc", "Esc", key(.first), key(.otherFuture), key(.future))
    case 11:
      for effect in person.takeEffects() {
        guard case .move(_, let place, let serial) = effect else { continue }
        person.send(.answered(serial: serial, .applied(place)))
      }
    case 12: person.press("Esc", "1", "Enter", key(.future))
    case 13: person.press(key(.nextApp))
    case 14: person.press("Esc", "Esc", key(.values), key(.nextTab))
    default:
      let command = ViewerCommand.allCases.randomElement(using: &random) ?? .up
      person.press(key(command))
    }
  }

  @Test func `no text names a usual key where a person has chosen others`() {
    var lines: Set<String> = []
    for seed in 0..<10 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var person = person(Self.rebound)
      for _ in 0..<160 {
        step(&person, &random)
        let told = words(person).filter { Self.usual.contains(String($0)) }
        #expect(told == [], "seed \(seed):\n\(person.text)")
        lines.formUnion(person.lines)
      }
    }
    // The walk has seen what names keys.
    let hints: [(ViewerCommand, String)] = [
      (.undo, " undoes"), (.lock, " unlocks it."), (.help, " shows all"), (.find, " finds"),
      (.logs, " shows it"), (.mark, " marks"), (.load, " loads a file"), (.otherFuture, " next"),
      (.values, " leads back to the rows"), (.nextTab, " shows this row's state"),
      (.surf, " surf here"), (.findNext, " \(Self.letters[.findPrevious]?.label ?? "")"),
    ]
    let texts = lines.joined(separator: "\n")
    for (command, deed) in hints {
      let hint = (Self.letters[command]?.label ?? "") + deed
      #expect(texts.contains(hint), "\(command)\(deed)")
    }
  }

  @Test func `no text has a hole where a command has no key`() {
    let none = ViewerCommand.allCases.map { KeyMap.Binding($0, []) }
    var person = person(none)
    person.press("s")
    let unknown = " no command has the key s"
    #expect(person.lines[28] == unknown)
    person.send(.paste("{}", isCut: true))
    let long = " ! the paste is too long"
    #expect(person.lines[28] == long && person.lines[29].isEmpty)
  }

  // MARK: Help

  /// The screen without the keys.
  private func view(_ person: Person, but label: String) -> [String] {
    person.lines.map { $0.replacing(label, with: " ").split(separator: " ").joined(separator: " ") }
  }

  @Test(arguments: ViewerCommand.allCases, [true, false])
  func `help runs its choice, whatever key that has`(command: ViewerCommand, isBound: Bool) {
    let all = Self.rebound.map { isBound || $0.command == .help ? $0 : .init($0.command, []) }
    var person = person(all)
    var other = person
    person.press(Self.letters[.help] ?? "F9")
    person.send(.paste(command.spec.title))
    person.press("Enter")
    // The same command by a key.
    let letter = Self.letters[command] ?? "F9"
    other.send(
      .personal(personal(all.filter { $0.command != command } + [.init(command, [letter])])))
    other.press(letter)
    #expect(person.takeEffects() == other.takeEffects())
    // Without a key, a hint names none.
    let hintCount = isBound ? 1 : 2
    let seen = view(person, but: letter.label).dropLast(hintCount)
    #expect(seen == view(other, but: letter.label).dropLast(hintCount))
  }

  // MARK: The settings' own keys

  @Test func `the pane obeys the keys that a person has chosen, and those of all lists`() {
    var person = person(Self.rebound)
    func letter(_ command: ViewerCommand) -> CommandKey { Self.letters[command] ?? "F9" }
    person.press(letter(.settings), letter(.down), "Down", letter(.up), letter(.open))
    #expect(person.text.contains("port: 9000"))
    person.press("Esc", "j", letter(.newest), letter(.open))
    #expect(person.text.contains("realm: "))
    person.press("Esc", letter(.close))
    #expect(!person.text.contains("settings ·"))
  }

  @Test func `two keys that were chosen are pressed one after the other`() {
    var person = person([.init(.help, ["F5 x"]), .init(.copyPath, ["F5 1"])])
    person.press("F5")
    #expect(person.text.contains("x  help") && person.text.contains("1  copy the path"))
    person.press("x")
    person.type("f5>1")
    #expect(
      person.text.contains("help: f5>1") && person.text.contains("F5>1          copy the path"))
    person.press("Esc", "Tab", "F5", "1")
    guard case .copy(let request) = person.takeEffects().last else {
      return #expect(Bool(false), "nothing was copied")
    }
    let path: CopyRequest.Content = .bytes(Array("count".utf8))
    #expect(request.content == path)
  }
}
