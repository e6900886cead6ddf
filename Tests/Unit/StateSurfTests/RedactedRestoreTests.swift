import Foundation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import Testing

@Suite struct RedactedRestoreTests {
  private let bench = Bench()
  private let app: HistoryTransceiver<Vault>
  private static let mark = #"{"$redacted":"string"}"#

  init() {
    app = HistoryTransceiver(transceiver: bench.transceiver(Vault.configuration))
    app.resume()
  }

  private var records: [Record] {
    app.transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  private func json(count: Int = 7, password: String = mark, users: String = "[]") -> String {
    #"{"count":\#(count),"note":"then","password":\#(password),"users":\#(users),"key":\#(Self.mark)}"#
  }

  @Test func `a restore over marks keeps what the app has there`() throws {
    app.store.dispatch(.add(.init(id: 1, name: "ada", token: "canary 1")))
    app.store.dispatch(.note("then"))
    let then = try #require(records.first?.state.text)
    app.store.dispatch(.note("now"))
    app.store.dispatch(.login(user: "ada", password: "canary new"))
    app.store.dispatch(.key(Redacted(wrappedValue: "canary new key")))
    bench.reset(to: then, from: 1)
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.applied])
    var wanted = Vault.State()
    wanted.users = [.init(id: 1, name: "ada", token: "canary 1")]
    wanted.password = "canary new"
    wanted.key = "canary new key"
    #expect(app.store.state == wanted)
    let recordCount = records.count
    app.store.dispatch(.count)
    // The turn in which the state was put back may not have ended.
    #expect(bench.sink.waitForRecords(recordCount + 1))
    #expect(app.store.state.count == 1)
    #expect(records.filter(\.hasCanary) == [])
  }

  @Test func `a viewer that writes a value in the place of a mark sets it`() throws {
    bench.reset(to: json(password: #""set by hand""#))
    #expect(bench.sink.waitForAnswers(1))
    #expect(app.store.state.password == "set by hand")
    #expect(app.store.state.key == "canary key")
    #expect(app.store.state.count == 7)
  }

  @Test func `a state with a number that JSON does not have can be left, and its secrets stay`()
    throws
  {
    let bench = Bench()
    let app = HistoryTransceiver<Scales>(transceiver: bench.transceiver(Vault.configuration))
    app.resume()
    app.store.dispatch(.weigh(1))
    app.store.dispatch(.weigh(.nan))
    app.store.dispatch(.lock(Redacted(wrappedValue: "canary")))
    app.transceiver.flush(timeout: .seconds(60))
    let then = try #require(bench.sink.records.first?.state.text)
    bench.reset(to: then, from: 1)
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.applied])
    #expect(app.store.state.weight == 1)
    #expect(app.store.state.token == "canary")
    #expect(bench.sink.records.filter(\.hasCanary) == [])
  }

  @Test func `a state of which nothing can be kept says so, and which part it is`() throws {
    let bench = Bench()
    let app = HistoryTransceiver<Scales>(transceiver: bench.transceiver(Vault.configuration))
    app.resume()
    app.store.dispatch(.weigh(1))
    app.store.dispatch(.fail)
    app.transceiver.flush(timeout: .seconds(60))
    let then = try #require(bench.sink.records.first?.state.text)
    bench.reset(to: then, from: 1)
    #expect(bench.sink.waitForAnswers(1))
    let reason =
      "the app cannot keep the hidden values of its state: pan: this Bool cannot be encoded"
    #expect(bench.sink.answers == [.rejected(reason: reason)])
  }

  @Test func `a mark for which the app has no value refuses the state, by its place`() throws {
    let before = app.store.state
    bench.reset(to: json(users: #"[{"id":1,"name":"ada","token":\#(Self.mark)}]"#))
    #expect(bench.sink.waitForAnswers(1))
    let reason = "users[0].token is redacted, and the app has no value of its own to keep there"
    #expect(bench.sink.answers == [.rejected(reason: reason)])
    #expect(app.store.state == before)
  }

  @Test func `a state that does not decode is refused by its field, and not its value`() throws {
    bench.reset(to: json(count: 300))
    bench.reset(to: json().replacingOccurrences(of: #""then""#, with: "1"))
    #expect(bench.sink.waitForAnswers(2))
    let type = "StateSurfTests.Vault.State"
    // Foundation says 300 there, and no place.
    let reasons = [
      "not a \(type): it is not what is expected", "not a \(type): note: it is not String",
    ]
    #expect(bench.sink.answers == reasons.map { .rejected(reason: $0) })
    #expect(app.store.state == Vault.State())
  }

  @Test func `what a viewer wrote wrongly is not repeated to all the others`() throws {
    // A whole state, without a mark, and actions.
    bench.reset(
      to: #"{"count":300,"note":"","password":"canary","users":[],"key":"canary"}"#)
    #expect(bench.sink.waitForAnswers(1))
    var answers = bench.sink.answers
    let actions = [
      #"{"login":{"user":1,"password":"canary"}}"#, #"{"login":{"password":"canary"}}"#,
      #"{"type":"logn","password":"canary"}"#, #"["canary"]"#,
    ]
    for action in actions {
      let result = bench.perform(#"{"command":"dispatch","action":\#(action)}"#)
      answers += [try #require(result)]
    }
    let step = #"{"name":"x","action":\#(actions[0])}"#
    let file = #"{"command":"import","committed":\#(json()),"steps":[\#(step)],"current":1}"#
    let imported = bench.perform(file)
    answers += [try #require(imported)]
    for answer in answers {
      guard case .rejected(let reason) = answer else {
        Issue.record("\(answer)")
        continue
      }
      #expect(!reason.contains("canary"))
    }
    let wrong = "that cannot be read as Action: login.user: it is not String"
    #expect("\(answers[1])".contains(wrong))
    #expect(app.store.state == Vault.State())
    #expect(records.filter(\.hasCanary) == [])
  }

  @Test func `what a validator says of a restore over marks is told`() throws {
    bench.reset(to: json(count: 101))
    #expect(bench.sink.waitForAnswers(1))
    let reason = "the app rejects this state (few: too many)"
    #expect(bench.sink.answers == [.rejected(reason: reason)])
  }

  @Test func `an import keeps what the app has in the place of marks`() throws {
    app.store.dispatch(.login(user: "ada", password: "canary new"))
    let login = #"{"login":{"user":"ada","password":\#(Self.mark)}}"#
    let session = #","session":\#(Self.mark)}"#
    let step = #"{"name":"login(…)","action":\#(login),"state":\#(json().dropLast() + session)}"#
    let other = #"{"name":"note","action":{"note":"later"}}"#
    let result = bench.perform(
      #"{"command":"import","committed":\#(json(count: 3)),"steps":[\#(step),\#(other)],"current":1}"#
    )
    #expect(result == .applied)
    var wanted = Vault.State()
    (wanted.count, wanted.note, wanted.password) = (7, "later", "canary new")
    wanted.session = "canary session"
    #expect(app.store.state == wanted)
    #expect(records.filter(\.hasCanary) == [])
    #expect(records.contains { $0.name == "login(…)" && $0.sequence > 1 })
  }

  @Test func `an action with a mark is not dispatched`() throws {
    let login = #"{"login":{"user":"ada","password":\#(Self.mark)}}"#
    let reason = "the action has a redacted value; write one in the place of its mark"
    let result = bench.perform(#"{"command":"dispatch","action":\#(login)}"#)
    #expect(result == .rejected(reason: reason))
    #expect(app.store.state == Vault.State())
  }

  @Test func `leaving an action out keeps the secrets of the others`() throws {
    app.store.dispatch(.note("left out"))
    app.store.dispatch(.login(user: "ada", password: "canary new"))
    #expect(bench.perform(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(app.store.state.password == "canary new")
    #expect(app.store.state.note == "")
  }

  @Test func `a program without a store gets what it recorded last`() throws {
    let bench = Bench()
    let transceiver = bench.transceiver(Vault.configuration)
    let state = Mutex(Vault.State())
    transceiver.onReset { reset in
      let wanted = try reset.state(as: Vault.State.self)
      state.withLock { $0 = wanted ?? Vault.State() }
    }
    transceiver.resume()
    bench.reset(to: json())
    #expect(bench.sink.waitForAnswers(1))
    let reason = "password is redacted, and the app has no value of its own to keep there"
    #expect(bench.sink.answers == [.rejected(reason: reason)])

    var live = Vault.State()
    (live.password, live.key) = ("canary live", "canary live key")
    transceiver.record(action: "act", state: live)
    transceiver.flush(timeout: .seconds(60))
    let ada = #"[{"id":1,"name":"ada","token":"by hand"}]"#
    for users in [ada, ada.replacingOccurrences(of: #""by hand""#, with: Self.mark)] {
      bench.reset(to: json(users: users))
    }
    #expect(bench.sink.waitForAnswers(3))
    // The second's mark stands where the first put a value: that is what the app has now.
    #expect(bench.sink.answers.suffix(2) == [.applied, .applied])
    (live.count, live.note) = (7, "then")
    live.users = [.init(id: 1, name: "ada", token: "by hand")]
    let reached = state.withLock { $0 }
    #expect(reached == live)
    bench.reset(to: json(count: 300))
    #expect(bench.sink.waitForAnswers(4))
    let fault = "it is not what is expected"
    #expect(bench.sink.answers.last == .rejected(reason: fault))
  }

  @Test func `a program in its initial state has the values of that`() throws {
    let bench = Bench()
    let transceiver = bench.transceiver(Vault.configuration)
    let state = Mutex(Vault.State())
    var initial = Vault.State()
    initial.password = "canary at start"
    transceiver.onReset(initial: initial) { wanted in state.withLock { $0 = wanted } }
    transceiver.resume()
    bench.reset(to: json())
    #expect(bench.sink.waitForAnswers(1))
    #expect(bench.sink.answers == [.applied])
    #expect(state.withLock { $0.password } == "canary at start")

    var live = Vault.State()
    live.password = "canary live"
    transceiver.record(action: "act", state: live)
    transceiver.flush(timeout: .seconds(60))
    bench.reset(to: nil)
    bench.reset(to: json())
    #expect(bench.sink.waitForAnswers(3))
    #expect(bench.sink.answers.suffix(2) == [.applied, .applied])
    #expect(state.withLock { $0.password } == "canary at start")
  }

  @Test func `a program that makes its octets itself keeps nothing in the place of marks`() throws {
    let bench = Bench()
    let transceiver = bench.transceiver()
    transceiver.onReset { Issue.record("\($0)") }
    transceiver.resume()
    let marked = #"{"name":"ada","token":\#(Self.mark)}"#
    for state in [marked, #"{"name":"$redacted","token":"open"}"#] {
      transceiver.record(action: "act", state: Array(state.utf8), contentType: "application/json")
      transceiver.flush(timeout: .seconds(60))
      bench.reset(to: marked)
    }
    #expect(bench.sink.waitForAnswers(2))
    let reason = "token is redacted, and the app has no value of its own to keep there"
    #expect(bench.sink.answers == [.rejected(reason: reason), .rejected(reason: reason)])
  }
}

/// An app whose state cannot always be encoded.
private enum Scales: StateSurfable {
  struct Pan: Codable {
    var isOff = false

    func encode(to encoder: any Encoder) throws {
      guard !isOff else {
        throw EncodingError.invalidValue(
          isOff, .init(codingPath: encoder.codingPath, debugDescription: "the pan is off"))
      }
      var container = encoder.singleValueContainer()
      try container.encode("on")
    }

    init() {}
    init(from decoder: any Decoder) throws {}
  }

  struct State: StateInitializable {
    var weight = 0.0
    var pan = Pan()
    @Redacted var token = "canary 0"
  }

  enum Action: Codable {
    case weigh(Double)
    case lock(Redacted<String>)
    case fail
  }

  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .weigh(let weight): state.weight = weight
    case .lock(let token): state.token = token.wrappedValue
    case .fail: state.pan.isOff = true
    }
  }
}
