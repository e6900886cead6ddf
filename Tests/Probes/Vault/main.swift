// An app with secrets: `VaultProbe NAME`. Each line that it reads is one of the words below, and
// some text. After each it prints its state, secrets and all.
import Glibc
import StateSurf
import SurfStore

enum Vault: StateSurfable {
  struct State: StateInitializable {
    var note = ""
    var password = ""
    @Redacted var key = ""
  }

  enum Action: Codable, Sendable {
    case note(String)
    case login(user: String, password: String)
    case key(Redacted<String>)
  }

  static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .note(let note): state.note = note
    case .login(_, let password): state.password = password
    case .key(let key): state.key = key.wrappedValue
    }
  }
}

var configuration = Transceiver.Configuration()
configuration.redacted = ["**.password"]
let history = HistoryTransceiver<Vault>(
  name: CommandLine.arguments.dropFirst().first ?? "VaultProbe", configuration: configuration)
history.resume()
while let line = readLine() {
  let text = String(line.drop { $0 != " " }.dropFirst())
  switch line.prefix(while: { $0 != " " }) {
  case "note": history.store.dispatch(.note(text))
  case "login": history.store.dispatch(.login(user: "ada", password: text))
  case "key": history.store.dispatch(.key(Redacted(wrappedValue: text)))
  case "value": history.transceiver.inspect("password", text)
  case "log": history.transceiver.log("login", attributes: ["password": text])
  default: break
  }
  let state = history.store.state
  print("note '\(state.note)' password '\(state.password)' key '\(state.key)'")
  // Into a file they would wait for more.
  fflush(nil)
}
history.suspend()
