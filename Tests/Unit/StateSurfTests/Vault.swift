import StateSurf
import SurfStore
import SurfWire

/// An app with secrets. Each has the word `canary` in it.
enum Vault: StateSurfable {
  struct User: Codable, Equatable {
    var id: Int
    var name: String
    var token: String?
  }

  struct State: StateInitializable, Equatable {
    var count: Int8 = 0
    var note = ""
    var password = "canary 0"
    var users: [User] = []
    @Redacted var key = "canary key"
    @Redacted var session: String?
  }

  enum Action: Codable, Sendable, Equatable {
    case count
    case note(String)
    case login(user: String, password: String)
    case add(User)
    case key(Redacted<String>)
  }

  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .count: state.count += 1
    case .note(let note): state.note = note
    case .login(_, let password):
      state.password = password
      state.session = "canary session"
    case .add(let user): state.users.append(user)
    case .key(let key): state.key = key.wrappedValue
    }
  }

  static let validators = [Validator<State>("few") { $0.count > 100 ? "too many" : nil }]

  static var configuration: Transceiver.Configuration {
    var configuration = Transceiver.Configuration()
    configuration.redacted = ["**.password", "users.*.token", "add.token"]
    return configuration
  }
}

extension Record {
  /// Whether a secret stands in any octet of it.
  var hasCanary: Bool { String(decoding: encoded(), as: UTF8.self).contains("canary") }

  var payloadText: String? { payload.map { String(decoding: $0.bytes, as: UTF8.self) } }
}
