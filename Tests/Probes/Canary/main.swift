// An app that shows its secrets in every possible way: `CanaryProbe NAME PATH VALUE OTHER`, where
// PATH is the redacted path. Each secret is in `password` of `login`, in any spelling. Values
// contain the word VALUE; states, actions and attributes contain OTHER. When it has sent all, it
// prints `told`, and acts once more for each line that it reads, until a line is `end`.
import Glibc
import StateSurf
import SurfStore

let arguments = CommandLine.arguments
guard arguments.count > 4 else { fatalError("CanaryProbe NAME PATH VALUE OTHER") }
// Four times, so that one of the words is whole where a packet ends in another.
let told = String(repeating: arguments[3] + " ", count: 4)
let secret = String(repeating: arguments[4] + " ", count: 4)

struct Login: Codable, Sendable {
  var user = "ada"
  var password = secret

  init() {}

  /// A restore's redacted values are filled in before the app decodes them, so it may reveal them.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    user = try container.decode(String.self, forKey: .user)
    password = try container.decode(String.self, forKey: .password)
    guard user != "mallory" else {
      throw DecodingError.dataCorruptedError(
        forKey: .password, in: container, debugDescription: "\(password) is not mallory's")
    }
  }

  enum CodingKeys: CodingKey { case user, password }
}

/// Cannot be encoded, and says why.
struct Broken: Encodable, Sendable {
  enum CodingKeys: CodingKey { case login }
  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      secret, .init(codingPath: [CodingKeys.login], debugDescription: "\(secret) is broken"))
  }
}

enum Canary: StateSurfable {
  struct State: StateInitializable {
    var login = Login()
    var note = ""
  }
  enum Action: Codable, Sendable {
    case login(user: String, password: String)
    case note(String)
  }
  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .login(let user, let password): (state.login.user, state.login.password) = (user, password)
    case .note(let note): state.note = note
    }
  }
  static let validators = [Validator<State>("short") { $0.note.isEmpty ? nil : "no notes" }]
}

var configuration = Transceiver.Configuration()
configuration.redacted = [arguments[2]]
let history = HistoryTransceiver<Canary>(
  name: arguments[1], configuration: configuration)
let transceiver = history.transceiver
history.resume()

transceiver.inspect("login", ["password": told])
transceiver.inspect("login.password", told)
transceiver.inspect("login/password", told)
transceiver.scope("login") { $0.inspect("password", told) }
transceiver.scope("login") { $0.inspect("password", ["deep": [told]]) }
transceiver.scope("login") { scope in scope.scope("password") { $0.inspect("deep", told) } }
let open = transceiver.scope("login")
let second = transceiver.scope("login")
second.inspect("password", told)
open.inspect("password", told)
struct Property {
  @Inspected("login", in: transceiver) var login = ["password": told]
}
var property = Property()
property.login["password"] = told + "again"

transceiver.log("attributes", attributes: ["login": ["password": secret]])
transceiver.log("failed", level: .error, attributes: ["login": Login()])
transceiver.log("broken", level: .error, attributes: ["login": Broken()])
transceiver.inspect("broken", ["login": Broken()])
for number in 1...3 {
  history.store.dispatch(.login(user: "ada \(number)", password: secret + "\(number)"))
}
history.store.dispatch(.note("is refused"))
transceiver.flush(timeout: .seconds(5))
print("told")
fflush(nil)
while let line = readLine(), line != "end" {
  history.store.dispatch(.login(user: "bob", password: secret))
}
open.end()
second.end()
history.suspend()
