import JSONTree
import SurfStreams
import SurfWire

extension GatewayNote {
  /// Whether it is a problem that a person may have to fix.
  package var isTrouble: Bool {
    switch self {
    case .relayLost, .refused, .unreadable, .turnedAway: true
    case .serving, .inspecting, .appeared, .left, .moved, .panelConnected, .panelLeft, .relayReady:
      false
    }
  }

  package var text: String { line.printable }

  private var line: String {
    switch self {
    case .serving(let address, _):
      "serving ws://\(address)/socketcluster/ and http://\(address)/socket.io/"
    case .inspecting(let address, let token):
      "serving ws://\(address)/ws\(token.map { "?token=\($0)" } ?? "") for RemoteInspector"
    case .appeared(let app, let host): "+ \(app) on \(host)"
    case .left(let app): "- \(app)"
    case .moved(let app, let viewer, let position):
      "⤺ \(viewer.isEmpty ? "somebody" : viewer) moved \(app) to \(position.words)"
    case .panelConnected(let peer, let kind): "panel \(peer) connected (\(kind))"
    case .panelLeft(let peer): "panel \(peer) left"
    case .relayReady(let relay, let app): "\(app) is known to \(relay)"
    case .relayLost(let relay, let reason, let pause):
      "\(relay): \(reason); next try in \(Int(pause / .milliseconds(1))) ms"
    case .refused(let app, let reason): "\(app) refused: \(reason)"
    case .unreadable(let peer, let reason): "a message from \(peer) was ignored: \(reason)"
    case .turnedAway(let reason, 1): "turned away: \(reason)"
    case .turnedAway(let reason, let count): "turned away \(count), the last because \(reason)"
    }
  }

  /// One line for a program: a JSON object with an `event`.
  package var json: String {
    let object: JSON =
      switch self {
      case .serving(let address, let token): place("serving", address, token)
      case .inspecting(let address, let token): place("inspecting", address, token)
      case .appeared(let app, let host):
        ["event": "appeared", "app": .printable(app), "host": .string(host)]
      case .left(let app): ["event": "left", "app": .printable(app)]
      case .moved(let app, let viewer, let position):
        [
          "event": "moved", "app": .printable(app), "by": .printable(viewer),
          "row": position == .elsewhere ? .null : .number(position.wire.rawValue),
        ]
      case .panelConnected(let peer, let kind):
        ["event": "panelConnected", "peer": .string(peer), "kind": .string(kind)]
      case .panelLeft(let peer): ["event": "panelLeft", "peer": .string(peer)]
      case .relayReady(let relay, let app):
        ["event": "relayReady", "relay": .string("\(relay)"), "app": .printable(app)]
      case .relayLost(let relay, let reason, let pause):
        [
          "event": "relayLost", "relay": .string("\(relay)"), "reason": .printable(reason),
          "retryMilliseconds": .number(Int(pause / .milliseconds(1))),
        ]
      case .refused(let app, let reason):
        ["event": "refused", "app": .printable(app), "reason": .printable(reason)]
      case .unreadable(let peer, let reason):
        ["event": "unreadable", "peer": .string(peer), "reason": .printable(reason)]
      case .turnedAway(let reason, let count):
        ["event": "turnedAway", "reason": .printable(reason), "count": .number(count)]
      }
    return object.text()
  }

  private func place(_ event: JSON, _ address: TCPAddress, _ token: String?) -> JSON {
    var place: JSONObject = [
      "event": event, "host": .string(address.hostText), "port": .number(address.port),
    ]
    place["token"] = token.map { .string($0) }
    return .object(place)
  }
}

extension JSON {
  fileprivate static func printable(_ text: String) -> JSON { .string(text.printable) }
}

extension Position {
  fileprivate var words: String {
    switch self {
    case .initial: "row 0 (initial)"
    case .record(let row): "row \(row)"
    case .elsewhere: "a state that is in no row"
    }
  }
}

extension String {
  /// The text as it is safe to print: cut to 1,024 characters, and with control characters
  /// replaced, which could move the cursor.
  var printable: String {
    let cut = unicodeScalars.prefix(1_024).map { scalar -> Character in
      scalar.properties.generalCategory == .control ? "?" : Character(scalar)
    }
    let rest = unicodeScalars.count - cut.count
    return String(cut) + (rest > 0 ? "… (\(rest) more characters)" : "")
  }
}

/// Reports refused clients, at most one line a minute: a flood must not fill a terminal.
struct RefusalLog {
  /// Refusals since the last line.
  private var untold: (last: AccessRefusal, count: Int)?
  /// Nil if a refusal may be reported immediately.
  private var quietUntil: Duration?

  mutating func add(_ refusal: AccessRefusal, at now: Duration) -> GatewayNote? {
    untold = (refusal, (untold?.count ?? 0) + 1)
    return quietUntil == nil ? tell(at: now) : nil
  }

  var deadline: Duration? { quietUntil }

  mutating func advance(to now: Duration) -> GatewayNote? {
    guard let quietUntil, quietUntil <= now else { return nil }
    self.quietUntil = nil
    return tell(at: now)
  }

  private mutating func tell(at now: Duration) -> GatewayNote? {
    guard let (last, count) = untold else { return nil }
    untold = nil
    quietUntil = now + GatewayLimits.refusalPause
    return .turnedAway(last.reason, count: count)
  }
}
