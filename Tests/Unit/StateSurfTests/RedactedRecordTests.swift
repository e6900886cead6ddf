import Foundation
import StateSurf
import SurfStore
import SurfWire
import TestSupport
import Testing

@Suite struct RedactedRecordTests {
  private let bench = Bench()
  private static let key = Redacted(wrappedValue: "canary key 2")

  private func records(of transceiver: Transceiver) -> [Record] {
    transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  private func vault() -> HistoryTransceiver<Vault> {
    let vault = HistoryTransceiver<Vault>(transceiver: bench.transceiver(Vault.configuration))
    vault.resume()
    return vault
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `no octet of a store's records has a secret`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let app = vault()
    for number in 0..<40 {
      switch Int.random(in: 0...5, using: &random) {
      case 0: app.store.dispatch(.count)
      case 1: app.store.dispatch(.note("note \(number)"))
      case 2: app.store.dispatch(.login(user: "ada", password: "canary \(random.next())"))
      case 3: app.store.dispatch(.add(.init(id: number, name: "user", token: "canary \(number)")))
      default: app.store.dispatch(.key(Self.key))
      }
    }
    for command in ["describe", "commit", "rollback", "reset"] {
      #expect(bench.perform(#"{"command":"\#(command)"}"#) == .applied)
      app.store.dispatch(.login(user: "ada", password: "canary \(random.next())"))
      let toggled = bench.perform(#"{"command":"toggle","row":1}"#)
      #expect(toggled != nil)
    }
    let records = records(of: app.transceiver)
    #expect(records.count > 40)
    #expect(records.filter(\.hasCanary) == [])
    let whole = records.compactMap(\.state.text).joined()
    #expect(whole.contains(#""password":{"$redacted":"string"}"#))
    #expect(whole.contains(#""key":{"$redacted":"string"}"#))
    #expect(records.contains { $0.payloadText?.contains("note ") == true || $0.kind != .action })
  }

  @Test func `an action with a secret has a name without values`() throws {
    let app = vault()
    app.store.dispatch(.login(user: "ada", password: "canary"))
    app.store.dispatch(.key(Self.key))
    app.store.dispatch(.note("open"))
    app.store.dispatch(.add(.init(id: 1, name: "bob")))
    let records = records(of: app.transceiver)
    let names = records.map(\.name)
    let wanted = ["login(…)", "key(…)", #"note("open")"#]
    #expect(Array(names.prefix(3)) == wanted)
    #expect(names[3].contains("bob"))
    let login = #"{"login":{"password":{"$redacted":"string"},"user":"ada"}}"#
    #expect(records[0].payloadText == login)
    #expect(records[1].payloadText == #"{"key":{"$redacted":"string"}}"#)
  }

  @Test func `an action that is refused is not told of with its secrets`() throws {
    let app = vault()
    #expect(bench.perform(#"{"command":"lock"}"#) == .applied)
    app.store.dispatch(.login(user: "ada", password: "canary"))
    #expect(bench.perform(#"{"command":"lock","on":false}"#) == .applied)
    for _ in 0...100 { app.store.dispatch(.count) }
    let names = records(of: app.transceiver).map(\.name)
    #expect(names.contains("refused while locked: login(…)"))
    #expect(names.contains("rejected: count (few: too many)"))
    #expect(bench.sink.records.filter(\.hasCanary) == [])
  }

  @Test func `no octet of a program's own records has a secret`() throws {
    var configuration = Vault.configuration
    configuration.redacted += ["recipe.salt", "request.url", "authorization"]
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    var state = Vault.State()
    state.users = [.init(id: 1, name: "ada", token: "canary")]
    transceiver.record(action: Vault.Action.login(user: "u", password: "canary"), state: state)
    transceiver.record(action: "reflected", reflecting: state)
    let json = #"{"a": {"password": "canary"}}"#
    transceiver.record(action: "bytes", state: Array(json.utf8), contentType: "text/plain")
    transceiver.record(action: "data", state: Data(json.utf8), contentType: "application/json")
    transceiver.inspect("password", "canary")
    transceiver.inspect("recipe", ["salt": "canary", "sugar": "sweet"])
    transceiver.inspect("key", Self.key)
    transceiver.inspect("mirrored", reflecting: state)
    transceiver.scope("request") { $0.inspect("url", reflecting: "canary") }
    transceiver.log("line", attributes: ["authorization": "canary", "path": "/"])
    let records = records(of: transceiver)
    #expect(records.filter(\.hasCanary) == [])
    #expect(records.filter { $0.kind == .log(.error) } == [])
    #expect(records[2].state.text == #"{"a": {"password": {"$redacted":"string"}}}"#)
    let payloads = records.compactMap(\.payloadText)
    #expect(payloads.contains(#"{"salt":{"$redacted":"string"},"sugar":"sweet"}"#))
    #expect(payloads.contains(#"{"authorization":{"$redacted":"string"},"path":"\/"}"#))
    #expect(payloads.count { $0 == #"{"$redacted":"string"}"# } == 3)
  }

  /// Each path with each way to show a value that it names, or that lies in what it names.
  @Test(arguments: [
    "login", "login.password", "login/password", "login.*", "login.**", "**.password",
    "*.password", #"["login"].password"#, #"["login/password"]"#, #"["login"]["password"]"#,
    "screen.login", "screen.login.password", "screen/login/password", "screen/login", "**.login",
    "*.login", "screen.*.password", "screen.**", "screen", "login.password.text", "**.text",
    "login.*.text", "*.*.*.text", "screen/login/password.text", "$", "**",
  ])
  func `a path covers a value in every scope, however it is shown`(path: String) throws {
    var configuration = Transceiver.Configuration()
    configuration.redacted = [path]
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    let secret = ["text": "canary"]
    let screen = transceiver.scope("screen")
    // The second of a name at the same time is `login 2`.
    let logins = [screen.scope("login"), screen.scope("login")]
    for login in logins {
      login.inspect("password", secret)
      login.inspect("password", reflecting: secret)
    }
    screen.inspect("login", ["password": secret])
    screen.inspect("login/password", secret)
    screen.inspect("login.password", secret)
    transceiver.inspect("screen/login/password", secret)
    transceiver.inspect("/screen//login/password", secret)
    transceiver.inspect("screen.login.password", secret)
    transceiver.inspect("screen", ["login": ["password": secret]])
    transceiver.scope("screen.login") { $0.inspect("password", secret) }
    transceiver.scope("screen") { $0.inspect("login", ["password": secret]) }
    for login in logins { login.inspect("password", ["text": ["canary": Double.nan]]) }
    let records = records(of: transceiver)
    #expect(records.count { $0.kind == .update } == 15 && records.count > 17)
    #expect(records.filter(\.hasCanary) == [])
  }

  @Test(arguments: ["password", "password.text", "text"])
  func `a path may begin with the name of a value, or in it, in any scope`(path: String) throws {
    var configuration = Transceiver.Configuration()
    configuration.redacted = [path]
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    transceiver.scope("screen") { $0.scope("login") { $0.inspect("password", ["text": "canary"]) } }
    transceiver.inspect("screen/password", ["text": "canary"])
    let records = records(of: transceiver)
    #expect(records.count { $0.kind == .update } == 2 && records.filter(\.hasCanary) == [])
  }

  @Test(arguments: ["log", "login.pass", "**.passwords", "screen.password", "other", "login.*.*.x"])
  func `a path that names something else covers nothing`(path: String) throws {
    var configuration = Transceiver.Configuration()
    configuration.redacted = [path]
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    transceiver.scope("screen") { $0.scope("login") { $0.inspect("password", "open") } }
    #expect(records(of: transceiver).first?.payloadText == #""open""#)
  }

  @Test func `two states that differ in a secret differ in nothing that is sent`() throws {
    let app = vault()
    // Long enough for deltas.
    app.store.dispatch(.note(String(repeating: "note ", count: 200)))
    // The second is as the first was: nothing has changed then.
    let secrets = ["canary", "canary", "canary that is longer", "", "canary", "canary"]
    for secret in secrets { app.store.dispatch(.login(user: "ada", password: secret)) }
    // The deltas differ in the number of their base, and in nothing else.
    let records = records(of: app.transceiver).suffix(secrets.count - 1)
    let deltas = records.map { record -> Int? in
      if case .delta(let delta) = record.state { delta.bytes.count } else { nil }
    }
    #expect(deltas.count == 5 && deltas[0] != nil && Set(deltas).count == 1)
    #expect(Set(records.map { $0.payload?.bytes.count }).count == 1)
    #expect(Set(records.map(\.timelessSize)).count == 1)
  }

  @Test func `nor do two values and two lines of a log`() throws {
    let transceiver = bench.transceiver(Vault.configuration)
    transceiver.resume()
    for secret in ["canary", "canary", "canary that is longer", ""] {
      transceiver.inspect("password", secret)
      transceiver.log("line", attributes: ["password": secret])
    }
    let records = records(of: transceiver)
    for kind in [Record.Kind.update, .log(.info)] {
      let sizes = records.filter { $0.kind == kind }.dropFirst().map(\.timelessSize)
      #expect(sizes.count == 3 && Set(sizes).count == 1, "\(kind): \(sizes)")
    }
  }

  @Test func `a state that is not JSON is not sent, which is told once`() throws {
    let transceiver = bench.transceiver(Vault.configuration)
    transceiver.resume()
    for number in 1...3 {
      let state = Array("password=canary;\(number)".utf8)
      transceiver.record(action: "act \(number)", state: state, contentType: "text/plain")
    }
    let records = records(of: transceiver)
    let names = [
      "act 1", "state not recorded: paths are redacted, but this is not JSON", "act 2", "act 3",
    ]
    #expect(records.map(\.name) == names)
    #expect(records.allSatisfy { $0.state == .none && !$0.hasCanary })
    #expect(bench.sink.events.count { $0 == .leftRecords } == 3)
  }

  @Test func `without paths a state may be anything`() throws {
    let transceiver = bench.transceiver()
    transceiver.resume()
    transceiver.record(action: "act", state: [0xFF, 1], contentType: "image/png")
    #expect(records(of: transceiver).map(\.state.content?.bytes) == [[0xFF, 1]])
  }

  @Test func `where a path cannot be read everything is redacted, and a line says so`() throws {
    var configuration = Transceiver.Configuration()
    configuration.redacted = ["user..password"]
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    transceiver.record(action: Vault.Action.note("canary"), state: Vault.State())
    let records = records(of: transceiver)
    let warning = #"redacted path "user..password" cannot be read, so that everything is redacted"#
    #expect(records.map(\.name) == [warning, "note(…)"])
    #expect(records[1].state.text == #"{"$redacted":"object"}"#)
    #expect(records.filter(\.hasCanary) == [])
  }

  private struct Sealed: Encodable {
    struct Failure: Encodable {
      func encode(to encoder: any Encoder) throws {
        let context = EncodingError.Context(codingPath: [], debugDescription: "canary")
        throw EncodingError.invalidValue("canary", context)
      }
    }
    let password = Failure()
  }

  @Test func `what cannot be encoded is named by its place and its type`() throws {
    let transceiver = bench.transceiver(Vault.configuration)
    transceiver.resume()
    transceiver.inspect("sealed", Sealed())
    let names = records(of: transceiver).map(\.name)
    #expect(names.last == "payload not recorded: this String cannot be encoded")
    #expect(bench.sink.records.filter(\.hasCanary) == [])
  }

  private enum Entrance: Encodable, Sendable {
    case login(password: String)

    func encode(to encoder: any Encoder) throws {
      let context = EncodingError.Context(codingPath: [], debugDescription: "canary")
      throw EncodingError.invalidValue(self, context)
    }
  }

  @Test func `an action that cannot be encoded has a name without values`() throws {
    let transceiver = bench.transceiver(Vault.configuration)
    transceiver.resume()
    transceiver.record(action: Entrance.login(password: "canary"), state: 1)
    let names = records(of: transceiver).map(\.name)
    #expect(names.first == "login(…)" && names.count == 2)
    #expect(bench.sink.records.filter(\.hasCanary) == [])
  }

  @Test func `the key of a redacted value that cannot be encoded is not told`() throws {
    var configuration = Transceiver.Configuration()
    configuration.redacted = ["secrets", "scope.value.*.secret"]
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    transceiver.inspect("one", ["secrets": ["canary": Double.nan]])
    let deep = [["secret": ["canary": Double.nan]]]
    transceiver.scope("scope") { $0.inspect("value", deep) }
    transceiver.inspect("open", ["key": Double.nan])
    let fault = "this Double cannot be encoded"
    let names = records(of: transceiver).filter { $0.kind == .log(.error) }.map(\.name)
    let wanted = ["secrets", "[0].secret", "key"].map { "payload not recorded: \($0): \(fault)" }
    #expect(names == wanted)
    #expect(bench.sink.records.filter(\.hasCanary) == [])
  }

  @Test func `the app's own files and texts`() throws {
    var state = Vault.State()
    state.session = "canary session"
    let data = try JSONEncoder().encode(state)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(#""key":"canary key""#) && text.contains(#""session":"canary session""#))
    #expect(try JSONDecoder().decode(Vault.State.self, from: data) == state)
    state.session = nil
    #expect(!String(decoding: try JSONEncoder().encode(state), as: UTF8.self).contains("session"))
    let old = Data(#"{"count":1,"note":"","password":"p","users":[],"key":"k"}"#.utf8)
    #expect(try JSONDecoder().decode(Vault.State.self, from: old).session == nil)
    #expect("\(Self.key)" == "redacted string")
    #expect(!"\(Vault.Action.key(Self.key))".contains("canary"))
    var dumped = ""
    dump(state, to: &dumped)
    #expect(!dumped.contains("canary key"))
  }
}

extension Record {
  /// Octets, but for the uptime: that number may grow by one from record to record.
  fileprivate var timelessSize: Int {
    encoded().count - max(1, (70 - uptime.leadingZeroBitCount) / 7)
  }
}
