import DevTools
import Foundation
import JSONTree
import SurfStore
import SurfThreads
import Testing

extension WithRelay {
  /// A panel and the app's secrets.
  @Suite struct RedactedTests {
    private struct Vault: Codable, Equatable, Sendable {
      var note = ""
      var password = "canary 0"
      @Redacted var key = "canary key"
      var memos: [Memo] = []
    }

    /// Its path is redacted in the first place alone.
    private struct Memo: Codable, Equatable, Sendable {
      var id: Int
      var text: String
    }

    private enum Action: Codable, Sendable {
      case note(String)
      case login(password: String)
      case key(Redacted<String>)
      case memos(Redacted<[Memo]>)
    }

    private let relay: FakeRelay
    private let tools: DevTools<Action, Vault>

    init() throws {
      relay = try FakeRelay(.socketIO)
      var environment = DevToolsEnvironment.live(
        for: Vault.self, instanceId: "vault",
        connectionMode: .connectOnLaunch(host: "127.0.0.1", port: relay.port))
      environment.redacted = ["**.password", "memos[0].text"]
      let reducer = Reducer<Action, Vault>.reduce { action, state in
        switch action {
        case .note(let note): state.note = note
        case .login(let password): state.password = password
        case .key(let key): state.key = key.wrappedValue
        case .memos(let memos): state.memos = memos.wrappedValue
        }
      }
      tools = DevTools(initial: Vault(), reducer: reducer, environment: environment)
      tools.dispatch(.activate)
      _ = try relay.frames("INIT")
      tools.store.dispatch(.note("open"))
      tools.store.dispatch(.login(password: "canary new"))
      tools.store.dispatch(.key(Redacted(wrappedValue: "canary new key")))
      _ = try relay.frames("ACTION", 3)
    }

    private func wait(for wanted: Vault) throws {
      let seen = Monitor<[Vault]>([])
      let subscription = tools.store.subscribe { state in seen.withLock { $0.append(state) } }
      defer { subscription.cancel() }
      let came = seen.wait(until: monotonicNow() + patience) { $0.last == wanted }
      try #require(came, "is \(tools.store.state)")
    }

    private var told: String { relay.frames.map { $0.text() }.joined(separator: "\n") }

    private var live: Vault {
      var vault = Vault()
      (vault.password, vault.key) = ("canary new", "canary new key")
      return vault
    }

    @Test func `a panel is told no secret, but marks`() throws {
      #expect(!told.contains("canary"))
      let mark: JSON = ["$redacted": "string"]
      let wanted = #"{"key":\#(mark.text()),"memos":[],"note":"open","password":\#(mark.text())}"#
      let payloads = try relay.frames("ACTION", 3).map { $0["payload"] }
      #expect(payloads == Array(repeating: .string(wanted), count: 3))
    }

    @Test func `a jump keeps the secrets that the app has`() throws {
      relay.say(["type": "JUMP_TO_STATE", "index": 0])
      try wait(for: live)
      #expect(!told.contains("canary"))
    }

    @Test func `an import keeps them in the place of marks`() throws {
      let mark: JSON = ["$redacted": "string"]
      let imported: JSON = ["note": "imported", "password": mark, "key": mark, "memos": []]
      relay.say([
        "type": "IMPORT_STATE", "nextLiftedState": ["computedStates": [["state": imported]]],
      ])
      var wanted = live
      wanted.note = "imported"
      try wait(for: wanted)
      #expect(!told.contains("canary"))
    }

    @Test func `an encoder of the app's own marks what is redacted, too`() throws {
      var vault = Vault()
      vault.note = "a/b"
      let data = try DevToolsEnvironment.markingEncoder.encode(vault)
      let wanted =
        #"{"key":{"$redacted":"string"},"memos":[],"note":"a/b","password":"canary 0"}"#
      #expect(String(decoding: data, as: UTF8.self) == wanted)
    }

    @Test func `an import carries no secret to a place that is not redacted`() throws {
      let memos = [Memo(id: 1, text: "canary 1"), Memo(id: 2, text: "open")]
      tools.store.dispatch(.memos(Redacted(wrappedValue: memos)))
      let count = try relay.frames("ACTION", 4).count
      let mark: JSON = ["$redacted": "string"]
      let turned: JSON = [["id": 2, "text": "open"], ["id": 1, "text": mark]]
      let imported: JSON = ["note": "", "password": mark, "key": mark, "memos": turned]
      relay.say([
        "type": "IMPORT_STATE", "nextLiftedState": ["computedStates": [["state": imported]]],
      ])
      _ = try relay.frames("ERROR")
      tools.store.dispatch(.note("later"))
      _ = try relay.frames("ACTION", count + 1)
      #expect(told.contains("memos[1].text is redacted, and the new state would reveal it"))
      #expect(!told.contains("canary"))
      #expect(tools.store.state.memos == memos)
    }

    @Test func `an action with a mark is not dispatched`() throws {
      let count = relay.frames.count
      let mark: JSON = ["$redacted": "string"]
      let login: JSON = ["login": ["password": mark]]
      relay.say(["type": "ACTION", "action": .string(login.text())])
      _ = try relay.frames(count + 1)
      #expect(told.contains("the action has a redacted value"))
      var wanted = live
      wanted.note = "open"
      #expect(tools.store.state == wanted)
    }

    @Test func `what a panel wrote wrongly is refused without the values`() throws {
      let mark: JSON = ["$redacted": "string"]
      let imported: JSON = ["note": 17, "password": mark, "key": "canary typed"]
      let count = relay.frames.count
      relay.say([
        "type": "IMPORT_STATE", "nextLiftedState": ["computedStates": [["state": imported]]],
      ])
      _ = try relay.frames(count + 1)
      #expect(told.contains("it does not decode as Vault"))
      let login: JSON = ["login": ["password": 17, "and": "canary typed"]]
      relay.say(["type": "ACTION", "action": .string(login.text())])
      _ = try relay.frames(count + 2)
      #expect(told.contains("that cannot be read as Action: "))
      #expect(!told.contains("canary"))
      var wanted = live
      wanted.note = "open"
      #expect(tools.store.state == wanted)
    }

    @Test func `an action that was left out takes its secret with it`() throws {
      relay.say(["type": "TOGGLE_ACTION", "id": 2])
      var wanted = live
      (wanted.note, wanted.password) = ("open", "canary 0")
      try wait(for: wanted)
    }
  }
}
