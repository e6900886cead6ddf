import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import Testing

/// The log and the live values in the place of the rows.
@Suite struct PageTests {
  private func entry(
    _ number: UInt64, _ level: LogLevel, _ text: String, _ payload: String? = nil
  ) -> Record {
    var record = log(number, level, text)
    record.payload = payload.map(json)
    return record
  }

  private var logged: Person {
    var person = Person.atPrimeTime()
    person.record(
      entry(10, .debug, "tick"), entry(11, .error, "disk full", #"{"free":{"bytes":12}}"#),
      entry(12, .info, "tock"))
    person.press("i")
    person.wait(.seconds(1))
    return person
  }

  // MARK: The log

  @Test func `the log has its lines and no action`() {
    var person = logged
    #expect(person.text.contains("log from trace on · 4 of 12 rows"))
    #expect(person.lines.contains { $0.contains("11  error   disk full") })
    #expect(!person.text.contains("8  increment") && !person.text.contains("isPrime"))
    person.press("i")
    #expect(person.text.contains("no filter · 12 rows"))
  }

  @Test func `the log is cut at a level`() {
    var person = logged
    person.press("I", "I", "I")
    person.wait(.seconds(1))
    #expect(person.text.contains("log from warning on · 2 of 12 rows"))
    #expect(!person.text.contains("tick") && person.text.contains("disk full"))
    person.press("i", "I")
    #expect(person.text.contains("this is not the log"))
  }

  @Test func `a line's payload is a tree beside it`() {
    var person = logged
    person.press("Up")
    #expect(person.text.contains("▸ free: {bytes: 12}"))
    person.press("Enter", "Down", "Enter")
    #expect(person.text.contains("bytes: 12") && person.text.contains("▾ free"))
  }

  @Test func `the log follows, and keeps its cursor apart from that of the rows`() {
    var person = logged
    person.press("i")
    person.type("3")
    person.press("Enter", "i")
    person.record(entry(13, .info, "more"))
    person.wait(.seconds(1))
    let newest = "13"
    #expect(person.shownRow == newest)
    person.press("i")
    let third = "3"
    #expect(person.shownRow == third)
  }

  @Test func `a filter narrows the log, and Esc widens it and leads back`() {
    var person = logged
    person.press("f")
    person.type("tick")
    person.press("Enter")
    person.wait(.seconds(1))
    #expect(person.text.contains("filter: tick · 1 of 12"))
    person.press("Esc")
    person.wait(.seconds(1))
    #expect(person.text.contains("log from trace on · 4 of 12 rows"))
    person.press("Esc")
    #expect(person.text.contains("no filter · 12 rows"))
  }

  @Test func `a row that is no line of the log is shown among all rows`() {
    var person = logged
    person.type("5")
    person.press("Enter")
    let fifth = "5"
    #expect(person.shownRow == fifth && person.text.contains("no filter · 12 rows"))
  }

  @Test func `an empty log says that it is one, and from which level on`() {
    var person = Person()
    person.start(one)
    person.record(action(1, "start", "1"))
    person.press("i")
    person.wait(.seconds(1))
    #expect(person.text.contains(" the log has no lines "))
    person.press("I")
    person.wait(.seconds(1))
    #expect(person.text.contains(" the log has no lines from debug on "))
  }

  // MARK: Values

  private func value(_ number: UInt64, _ name: String, _ json: String) -> Record {
    Record(
      sequence: SequenceNumber(number), kind: .update, name: name,
      payload: Content(type: "application/json", bytes: Array(json.utf8)))
  }

  private var valued: Person {
    var person = Person.atPrimeTime()
    person.press("v")
    person.catalog.update(one) { app in
      app.values.begin()
      app.values.add(answer: value(1, "machine", #"{"cores":2}"#))
      app.values.add(answer: value(2, "kitchen/oven", "180"))
      app.values.add(answer: value(3, "kitchen/fridge", "4"))
      app.values.add(answer: value(4, "kitchen", #""warm""#))
      app.values.complete(horizon: 9, leftOut: 0)
    }
    person.send(.news)
    return person
  }

  @Test func `the app is asked once, and its scopes are branches`() {
    var person = Person.atPrimeTime()
    person.press("v")
    let asked: [DebuggerEffect] = [.values(one)]
    #expect(person.takeEffects() == asked)
    #expect(person.text.contains("asking PrimeTime#11105 for its values"))
    person.press("v", "v")
    #expect(person.takeEffects() == [])
    person = valued
    #expect(person.text.contains("live values · 4 values"))
    #expect(person.text.contains(#"kitchen: "warm""#))
    #expect(person.text.contains("▸ kitchen/: {fridge: 4, oven: 180}"))
    #expect(person.text.contains("▸ machine: {cores: 2}"))
  }

  @Test func `values go on, and what is open stays open`() {
    var person = valued
    person.press("Down", "Down", "Enter")
    #expect(person.text.contains("▾ kitchen/") && person.text.contains("oven: 180"))
    person.record(value(10, "kitchen/oven", "200"), value(11, "attic", "true"))
    #expect(person.text.contains("oven: 200") && person.text.contains("attic: true"))
    person.record(Record(sequence: 12, kind: .remove, name: "kitchen"))
    #expect(!person.text.contains("kitchen") && person.text.contains("2 values"))
  }

  @Test func `values are filtered by name and content`() {
    var person = valued
    person.press("/")
    person.type("OVEN")
    #expect(person.text.contains("filter: OVEN · 1 of 4 values"))
    person.press("Enter", "Esc")
    #expect(person.text.contains("live values · 4 values"))
    person.press("f")
    person.type("warm")
    #expect(person.text.contains("1 of 4 values"))
    person.press("Esc")
    #expect(person.text.contains("live values · 4 values"))
    person.press("Esc")
    #expect(person.text.contains("no filter · 9 rows"))
  }

  @Test func `an app without values is told, and rows need rows`() {
    var person = Person.atPrimeTime()
    person.press("v")
    person.catalog.update(one) { app in
      app.values.begin()
      app.values.complete(horizon: 9, leftOut: 0)
    }
    person.send(.news)
    #expect(person.text.contains("PrimeTime#11105 shows no values"))
    _ = person.takeEffects()
    person.press("s", "x", "m", "Tab")
    #expect(person.takeEffects() == [] && person.text.contains("v leads back to the rows"))
  }
}
