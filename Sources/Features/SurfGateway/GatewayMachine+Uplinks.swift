import JSONTree
import SurfStreams

// Panels behind the relays that we dial.
extension GatewayMachine {
  mutating func drainUplinks(at now: Duration) {
    for output in uplinks.takeOutputs() {
      switch output {
      case .action(let action): actions.append(action)
      case .note(let note): self.note(note)
      case .ready(let key):
        guard let app = apps[key.session] else { break }
        uplinks.introduce(app.instance, to: key, at: now)
        drainUplinks(at: now)
      case .frame(let frame, let key): hear(frame, key, at: now)
      }
    }
  }

  private mutating func hear(_ frame: JSON, _ key: Uplinks.Key, at now: Duration) {
    guard let app = apps[key.session], apps.isFor(app, frame) else { return }
    switch frame["type"]?.string {
    case "START":
      guard uplinks.begin(app.instance, for: key, at: now) else { return }
      apps.change(key.session) { app in
        app.outbox.wasShown()
        app.wasSentHistory(nil)
      }
      drainUplinks(at: now)
    // Our own, which the relay hands back to all clients.
    case "SYNC": break
    default:
      apps.obey(frame, key.session, from: nil, at: now)
      drainApps(at: now)
    }
  }
}
