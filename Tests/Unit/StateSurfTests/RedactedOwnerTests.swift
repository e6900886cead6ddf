import Foundation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import TestSupport
import Testing

/// A restore never gives a secret away, nor to somebody else.
@Suite struct RedactedOwnerTests {
  private let bench = Bench()
  private let app: HistoryTransceiver<Roster>
  private static let mark = #"{"$redacted":"string"}"#

  init() {
    app = HistoryTransceiver(transceiver: bench.transceiver(Roster.configuration))
    app.resume()
  }

  private func put(_ change: (inout Roster.State) -> Void) {
    var state = app.store.state
    change(&state)
    put(state)
  }

  /// Waits for the record: the thread of a restore may still have the store.
  private func put(_ state: Roster.State) {
    let count = bench.sink.records.count
    app.store.dispatch(.put(Redacted(wrappedValue: state)))
    #expect(bench.sink.waitForRecords(count + 1))
  }

  private func told(_ number: Int) throws -> String {
    try #require(bench.sink.records[number].state.text)
  }

  /// Answers to a state from a viewer.
  private func restore(_ text: String) -> Outcome.Result? {
    let count = bench.sink.answers.count
    bench.reset(to: text)
    return bench.sink.waitForAnswers(count + 1) ? bench.sink.answers.last : nil
  }

  /// The app goes on, and all that it told until now has no secret.
  private func expectNoCanary() {
    put { $0.people.append(.init(name: "last")) }
    #expect(bench.sink.records.filter(\.hasCanary) == [])
  }

  @Test func `an object that begins as a mark does is redacted`() throws {
    let state =
      #"{"users":[],"sessions":[],"people":[],"memo":{"kind":"plain","value":""},"odd":{},"secrets":"#
    #expect(restore(state + #"{"$redacted":"string","x":"y"}}"#) == .applied)
    put { $0.secrets["api"] = "canary" }
    expectNoCanary()
    #expect(try told(0).contains(#""secrets":{"$redacted":"object"}"#))
  }

  @Test func `a secret is not carried to a place that is not redacted`() throws {
    put {
      $0.users = [
        .init(id: 1, name: "ada", token: "open"), .init(id: 2, name: "bob", token: "canary"),
      ]
    }
    let before = app.store.state
    let users =
      #"[{"id":2,"name":"bob","token":\#(Self.mark)},{"id":1,"name":"ada","token":"open"}]"#
    let state =
      #"{"users":\#(users),"sessions":[],"people":[],"memo":{"kind":"plain","value":""},"odd":{},"secrets":{}}"#
    let reason = "users[0].token is redacted, and the new state would reveal it"
    #expect(restore(state) == .rejected(reason: reason))
    #expect(app.store.state == before)
    expectNoCanary()
  }

  @Test func `a secret is not carried into another case`() throws {
    put { $0.memo = .secret(Redacted(wrappedValue: "canary")) }
    let state = try told(0).replacingOccurrences(of: #""secret""#, with: #""plain""#)
    let reason = "memo.value is redacted, and the new state would reveal it"
    #expect(restore(state) == .rejected(reason: reason))
    expectNoCanary()
  }

  @Test func `a state that does not decode is refused without a key of what is redacted`() throws {
    put { $0.memo = .secrets(Redacted(wrappedValue: ["canary": "x"])) }
    let state = try told(0).replacingOccurrences(
      of: #""kind":"secrets""#, with: #""kind":"numbers""#)
    let reason = "not a StateSurfTests.Roster.State: memo.value: it is not Int"
    #expect(restore(state) == .rejected(reason: reason))
    expectNoCanary()
  }

  @Test func `a program does not read such a state either, nor tells a key`() throws {
    let bench = Bench()
    let transceiver = bench.transceiver(Roster.configuration)
    transceiver.onReset { _ = try $0.state(as: Roster.State.self) }
    transceiver.resume()
    var state = Roster.State()
    state.memo = .secrets(Redacted(wrappedValue: ["canary": "x"]))
    transceiver.record(action: "act", state: state)
    transceiver.flush(timeout: .seconds(60))
    let then = try #require(bench.sink.records[0].state.text)
    bench.reset(
      to: then.replacingOccurrences(of: #""kind":"secrets""#, with: #""kind":"numbers""#))
    #expect(bench.sink.waitForAnswers(1))
    let reason = "memo.value: it is not Int"
    #expect(bench.sink.answers == [.rejected(reason: reason)])
  }

  @Test func `a program whose newest state is not known keeps nothing older`() throws {
    struct Odd: Encodable {
      var number: Double
      @Redacted var token = "canary"
    }
    let bench = Bench()
    let transceiver = bench.transceiver(Roster.configuration)
    transceiver.onReset { _ in }
    transceiver.resume()
    transceiver.record(action: "act", state: Odd(number: 1))
    transceiver.record(action: "act", state: Odd(number: .nan))
    transceiver.flush(timeout: .seconds(60))
    bench.reset(to: bench.sink.records[0].state.text)
    #expect(bench.sink.waitForAnswers(1))
    let reason = "token is redacted, and the app has no value of its own to keep there"
    #expect(bench.sink.answers == [.rejected(reason: reason)])
  }

  @Test func `an app that cannot encode what it keeps does not tell it`() throws {
    put { $0.memo = .secret(Redacted(wrappedValue: "canary")) }
    let then = try told(0)
    put { $0.odd = ["canary": .nan] }
    let reason = "not a StateSurfTests.Roster.State: odd: null instead of Double"
    #expect(restore(then) == .rejected(reason: reason))
    #expect(bench.sink.records.filter(\.hasCanary) == [])
  }

  @Test func `an import carries no secret into another case`() throws {
    put { $0.memo = .secret(Redacted(wrappedValue: "canary")) }
    let state = try told(0).replacingOccurrences(of: #""secret""#, with: #""plain""#)
    let reason = "memo.value is redacted, and the new state would reveal it"
    let result = bench.perform(
      #"{"command":"import","committed":\#(state),"steps":[],"current":0}"#)
    #expect(result == .rejected(reason: reason))
    expectNoCanary()
  }

  @Test func `a program without a store does not read a secret into another case`() throws {
    let bench = Bench()
    let transceiver = bench.transceiver(Roster.configuration)
    transceiver.onReset { _ = try $0.state(as: Roster.State.self) }
    transceiver.resume()
    var state = Roster.State()
    state.memo = .secret(Redacted(wrappedValue: "canary"))
    transceiver.record(action: "act", state: state)
    transceiver.flush(timeout: .seconds(60))
    let then = try #require(bench.sink.records[0].state.text)
    bench.reset(to: then)
    bench.reset(to: then.replacingOccurrences(of: #""secret""#, with: #""plain""#))
    #expect(bench.sink.waitForAnswers(2))
    let reason = "memo.value is redacted, and the new state would reveal it"
    #expect(bench.sink.answers == [.applied, .rejected(reason: reason)])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whoever has a key keeps the secret, in whatever order keys come`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for number in 1...8 {
      let id = UUID(
        uuid: withUnsafeBytes(of: (random.next(), random.next())) {
          $0.loadUnaligned(as: uuid_t.self)
        })
      put { $0.sessions[id] = .init(name: "same", token: "canary \(number)") }
    }
    let after = app.store.state
    for number in (0..<8).shuffled(using: &random) {
      #expect(restore(try told(number)) == .applied)
      let sessions = app.store.state.sessions
      #expect(sessions.count == number + 1)
      #expect(sessions.allSatisfy { after.sessions[$0] == $1 })
      put(after)
    }
    expectNoCanary()
  }

  @Test func `whoever came first keeps the secret when others come before`() throws {
    put { $0.people = [.init(name: "ada", token: "canary 1")] }
    put { $0.people.insert(.init(name: "bob", token: "canary 2"), at: 0) }
    #expect(restore(try told(0)) == .applied)
    #expect(app.store.state.people == [.init(name: "ada", token: "canary 1")])
    expectNoCanary()
  }

  @Test func `where nothing tells whose a secret is, the state is refused`() throws {
    put { $0.people = [.init(name: "", token: "canary 1")] }
    put { $0.people.insert(.init(name: "", token: "canary 2"), at: 0) }
    let before = app.store.state
    let reason =
      "people[0].token is redacted, and nothing there says which element it belongs to; an id would"
    #expect(restore(try told(0)) == .rejected(reason: reason))
    #expect(app.store.state == before)
    #expect(restore(try told(1)) == .applied)
    #expect(app.store.state == before)
    expectNoCanary()
  }

  @Test func `a program that is back at its start keeps nothing from before`() throws {
    let bench = Bench()
    let transceiver = bench.transceiver(Roster.configuration)
    let state = Mutex(Roster.State())
    transceiver.onReset { reset in
      let wanted = try reset.state(as: Roster.State.self) ?? Roster.State()
      state.withLock { $0 = wanted }
    }
    transceiver.resume()
    var live = Roster.State()
    live.memo = .secret(Redacted(wrappedValue: "canary"))
    transceiver.record(action: "act", state: live)
    transceiver.flush(timeout: .seconds(60))
    let then = try #require(bench.sink.records[0].state.text)
    bench.reset(to: nil)
    bench.reset(to: then)
    #expect(bench.sink.waitForAnswers(2))
    let fault = "memo.value is redacted, and the app has no value of its own to keep there"
    #expect(bench.sink.answers == [.applied, .rejected(reason: fault)])
    #expect(state.withLock { $0 } == Roster.State())
  }

  @Test func `a program keeps what a viewer put in the place of a mark`() throws {
    let bench = Bench()
    let transceiver = bench.transceiver(Roster.configuration)
    let seen = Mutex<[Roster.State]>([])
    transceiver.onReset { reset in
      let wanted = try reset.state(as: Roster.State.self) ?? Roster.State()
      seen.withLock { $0.append(wanted) }
    }
    transceiver.resume()
    var live = Roster.State()
    live.memo = .secret(Redacted(wrappedValue: "canary"))
    transceiver.record(action: "act", state: live)
    transceiver.flush(timeout: .seconds(60))
    let then = try #require(bench.sink.records[0].state.text)
    let value = #"{"kind":"secret","value":\#(Self.mark)}"#
    let set = then.replacingOccurrences(of: value, with: #"{"kind":"secret","value":"set"}"#)
    bench.reset(to: set.replacingOccurrences(of: #"{"$redacted":"object"}"#, with: "{}"))
    bench.reset(to: then)
    #expect(bench.sink.waitForAnswers(2))
    #expect(bench.sink.answers == [.applied, .applied])
    live.memo = .secret(Redacted(wrappedValue: "set"))
    let states = seen.withLock { $0 }
    #expect(states == [live, live])
  }
}
