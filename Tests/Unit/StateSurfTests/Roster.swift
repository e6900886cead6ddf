import Foundation
import StateSurf
import SurfStore

/// An app whose secrets belong to somebody, in lists that grow and change their order. Each secret
/// has the word `canary` in it.
enum Roster: StateSurfable {
  struct Session: Codable, Equatable {
    var name: String
    @Redacted var token = ""
  }

  /// Secret in one case alone.
  enum Memo: Codable, Equatable {
    case plain(String)
    case secret(Redacted<String>)
    case numbers([String: Int])
    case secrets(Redacted<[String: String]>)

    private enum Key: String, CodingKey { case kind, value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      switch try container.decode(String.self, forKey: .kind) {
      case "plain": self = .plain(try container.decode(String.self, forKey: .value))
      case "numbers": self = .numbers(try container.decode([String: Int].self, forKey: .value))
      case "secrets":
        self = .secrets(try container.decode(Redacted<[String: String]>.self, forKey: .value))
      default: self = .secret(try container.decode(Redacted<String>.self, forKey: .value))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      switch self {
      case .plain(let text):
        try container.encode("plain", forKey: .kind)
        try container.encode(text, forKey: .value)
      case .secret(let text):
        try container.encode("secret", forKey: .kind)
        try container.encode(text, forKey: .value)
      case .numbers(let numbers):
        try container.encode("numbers", forKey: .kind)
        try container.encode(numbers, forKey: .value)
      case .secrets(let secrets):
        try container.encode("secrets", forKey: .kind)
        try container.encode(secrets, forKey: .value)
      }
    }
  }

  struct State: StateInitializable, Equatable {
    var users: [Vault.User] = []
    /// An array of keys and values in JSON, in any order.
    var sessions: [UUID: Session] = [:]
    var people: [Session] = []
    var memo = Memo.plain("")
    var secrets: [String: String] = [:]
    @Redacted var odd: [String: Double] = [:]
  }

  enum Action: Codable, Sendable { case put(Redacted<State>) }

  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .put(let put): state = put.wrappedValue
    }
  }

  // It quotes what is open, as validators do.
  static let validators = [
    Validator<State>("clean") {
      guard case .plain(let text) = $0.memo, text.hasPrefix("canary") else { return nil }
      return "no memo may be \(text)"
    }
  ]

  static var configuration: Transceiver.Configuration {
    var configuration = Transceiver.Configuration()
    configuration.redacted = ["users[1].token", "secrets"]
    configuration.sendsDeltas = false
    return configuration
  }
}
