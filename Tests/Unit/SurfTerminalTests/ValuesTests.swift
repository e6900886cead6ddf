import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct ValuesTests {
  private func values(
    _ name: String? = "PrimeTime", _ change: (inout ValueOptions) -> Void = { _ in }
  ) -> Driven<ValuesSession> {
    var options = ValueOptions()
    change(&options)
    return Driven(
      ValuesSession(options, Invocation.Common(name), Layout()))
  }

  private func update(_ sequence: SequenceNumber, _ name: String, _ value: String) -> Record {
    Record(sequence: sequence, kind: .update, name: name, payload: json(value))
  }

  /// An app's answer, all in one go.
  private func answer(_ session: SessionID, _ records: [Record]) -> [ObserverEvent] {
    [.values(session, .asked)] + records.map { .values(session, .value($0)) }
      + [.values(session, .complete(horizon: 100, leftOut: 0))]
  }

  private func bytes(_ actions: [CommandAction]) -> String {
    actions.reduce(into: "") { text, action in
      if case .printBytes(let bytes) = action { text += String(decoding: bytes, as: UTF8.self) }
    }
  }

  private let recipe = #"{"title":"soup","foods":[{"grams":200}],"note":null,"tags":{}}"#

  private func printed(
    _ session: Driven<ValuesSession>, _ events: [ObserverEvent]
  ) -> [CommandAction] {
    var session = session
    return session.receive(all: events) + session.advance(to: .milliseconds(400))
  }

  @Test func `values are opened two levels deep, sorted by name`() {
    let actions = printed(
      values(),
      [.appeared(a, heartbeat())]
        + answer(a, [update(2, "speed", "3"), update(1, "recipe", recipe), update(3, "a/b", "[]")]))
    #expect(actions.prefix(2) == [.follow(a, .newestState), .values(a)])
    #expect(
      actions.text == [
        "PrimeTime#123", "  a/b: []", "  recipe", "    foods: […1]", "    note: null",
        "    tags: {}", #"    title: "soup""#, "  speed: 3",
      ])
    #expect(actions.last == .exit(0))
  }

  @Test(
    arguments: [
      ("recipe.foods[0].grams", ["  200"]), ("recipe.foods", ["  [0]", "    grams: 200"]),
      ("a", ["  a/b: 1"]), ("a/b", ["  1"]), ("a.b", ["  2"]), ("recipe.salt", []),
      ("rec", []), ("recipe.foods[1]", []), ("recipe[", []), ("speed/x", []),
    ] as [(String, [String])])
  func `a path begins with a name and leads into its value`(path: String, lines: [String]) {
    let all = [
      update(1, "recipe", recipe), update(2, "a/b", "1"), update(3, "a.b", "2"),
      update(4, "speed", "3"),
    ]
    let actions = printed(
      values { $0.path = ValuePath(text: path) }, [.appeared(a, heartbeat())] + answer(a, all))
    #expect(actions.text == (lines.isEmpty ? [] : ["PrimeTime#123"] + lines))
    #expect(actions.last == .exit(lines.isEmpty ? 1 : 0))
  }

  @Test func `for programs one app is one object, and several are one of theirs`() {
    let value = "\"é\u{202E}\""
    let one = printed(
      values { $0.json = true }, [.appeared(a, heartbeat())] + answer(a, [update(1, "b", value)]))
    #expect(bytes(one) == #"{"b":"é\u202e"}"# + "\n")
    let two = printed(
      values(nil) { $0.json = true },
      [.appeared(a, heartbeat()), .appeared(b, heartbeat("Todo", pid: 7, id: 0xBEEF))]
        + answer(b, [update(1, "x", "[1]")]) + answer(a, [update(1, "b", "1")]))
    #expect(bytes(two) == #"{"PrimeTime#123":{"b":1},"Todo#7":{"x":[1]}}"# + "\n")
  }

  @Test func `JSON hides nothing and drives no terminal, and keeps what words and emoji need`() {
    let hidden = "\\u001b\u{AD}\u{200B}\u{202E}\u{2066}\u{FEFF}\u{FFF9}\u{FFFB}\u{E0001}\u{E007F}"
    let seen = "é界👩\u{200D}🚀❤\u{FE0F}\u{200C}"
    let actions = printed(
      values { $0.json = true },
      [.appeared(a, heartbeat())] + answer(a, [update(1, "b", "\"\(hidden)\(seen)\"")]))
    let escapes =
      #"\u001b\u00ad\u200b\u202e\u2066\ufeff\ufff9\ufffb\udb40\udc01\udb40\udc7f"#
    #expect(bytes(actions) == "{\"b\":\"\(escapes)\(seen)\"}\n")
  }

  @Test func `what changes is followed, once all that is there was shown`() {
    var session = values { $0.follows = true }
    var actions = session.receive(all: [.appeared(a, heartbeat())])
    actions += session.advance(to: .milliseconds(400))
    #expect(actions.text.isEmpty)
    let gone = Record(sequence: 103, kind: .remove, name: "b")
    actions = session.receive(
      all: answer(a, [update(1, "b", "1")])
        + [.record(a, update(101, "b", "2")), .record(a, action(102)), .record(a, gone)],
      at: .milliseconds(500))
    let words = actions.text.map { $0.dropFirst(13) }
    #expect(words == ["PrimeTime#123 b: 1", "PrimeTime#123 b: 2", "PrimeTime#123 - b"])
  }

  @Test func `an app that does not answer is told of, and what others have said is shown`() {
    var session = values(nil)
    var actions = session.receive(
      all: [.appeared(a, heartbeat()), .appeared(b, heartbeat("Todo", pid: 7, id: 0xBEEF))]
        + answer(b, [update(1, "x", "1")]))
    actions += session.advance(to: .milliseconds(400)) + session.advance(to: .seconds(5))
    #expect(actions.text == ["Todo#7", "  x: 1"])
    guard case .fail(let failure)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(failure.what == "PrimeTime#123 did not answer with its values")
  }

  @Test func `a terminal gets what fits, and a pipe all of it`() {
    let long = #""\#(String(repeating: "x", count: 200))""#
    let events = [.appeared(a, heartbeat())] + answer(a, [update(1, "text", long)])
    var session = values()
    session.resize(columns: 40)
    #expect(printed(session, events).text.map(\.count) == [13, 40])
    #expect(printed(values(), events).text.map(\.count) == [13, 210])
  }

  @Test func `left out values are told`() {
    let actions = printed(
      values(),
      [
        .appeared(a, heartbeat()), .values(a, .asked), .values(a, .value(update(1, "b", "1"))),
        .values(a, .complete(horizon: 5, leftOut: 12)),
      ])
    #expect(actions.text.last == "  12 left out: the app has no room for more values")
  }
}
