import JSONTree
import SurfWeb

extension SocketClusterServerSession {
  /// Takes a message. Never fails: garbage is ignored.
  package mutating func receive(_ message: WebMessage, at now: Duration) {
    for packet in SocketClusterPacket.parse(message) where state != .closed {
      receive(packet, at: now)
    }
  }

  private mutating func receive(_ packet: SocketClusterPacket, at now: Duration) {
    switch packet {
    case .emptyPing: heardPong(.v2, at: now)
    case .numberedPong: heardPong(.v1, at: now)
    case .numberedPing:
      heard(.v1, at: now)
      sendIfOpen(.numberedPong)
    case .event("#handshake", let data, let cid?): shakeHands(data, cid: cid, at: now)
    case .event("#handshake", _, nil), .misnumbered("#handshake"): close(.handshakeRejected)
    case .event, .misnumbered:
      if isOpen { receiveEvent(packet) } else { close(.eventBeforeHandshake) }
    // This server makes no calls, so it expects no answers.
    case .answer, .failure, .garbage: break
    }
  }

  private mutating func heardPong(_ version: SocketClusterVersion, at now: Duration) {
    // A pong for a ping from before the version was known says nothing about later pings.
    if isVersionKnown { pongCount = min(pongCount + 1, pingCount) }
    isVersionKnown = true
    heard(version, at: now)
  }

  private mutating func heard(_ version: SocketClusterVersion, at now: Duration) {
    self.version = version
    guard case .open(var heartbeat) = state else { return }
    heartbeat.heard(version, at: now)
    state = .open(heartbeat)
  }

  private mutating func shakeHands(_ data: JSON?, cid: Int, at now: Duration) {
    if !isOpen { state = .open(ServerHeartbeat(version: version, now: now)) }
    let hasToken = Self.isToken(data?["authToken"])
    respond(to: cid, data: status(hasToken: hasToken))
    if hasToken { emit(event: "#removeAuthToken", data: nil) }
  }
}

extension SocketClusterServerSession {
  private func status(hasToken: Bool) -> JSON {
    var status = JSONObject([
      .init(key: "id", value: .string(id)),
      .init(key: "pingTimeout", value: .number(Int(ServerHeartbeat.timeout / .milliseconds(1)))),
    ])
    if hasToken { status["authError"] = SocketClusterError.badToken.json }
    status["isAuthenticated"] = false
    return .object(status)
  }

  /// Whether a client offers a token. Values that are false in JavaScript are not tokens.
  private static func isToken(_ value: JSON?) -> Bool {
    switch value {
    case nil, .null, .bool(false), .string(""): false
    case .number(let number): number.double != 0
    case .some: true
    }
  }

  private mutating func receiveEvent(_ packet: SocketClusterPacket) {
    guard case .event(let name, let data, let cid) = packet else { return }
    switch (name, cid) {
    case ("#subscribe", let cid?): subscribe(data, cid: cid)
    case ("#unsubscribe", _): unsubscribe(data, cid: cid)
    case ("#publish", let cid?): respond(to: cid, error: .publishDisabled)
    case ("#authenticate", let cid?): authenticate(data, cid: cid)
    case ("#disconnect", _): disconnect(data)
    case _ where name.hasPrefix("#"): break
    case (_, let cid?): outputs.append(.invoke(event: name, data: data, cid: cid))
    case (_, nil):
      // Clients of version 1 give every event a call id.
      if version == .v2 { isVersionKnown = true }
      outputs.append(.transmit(event: name, data: data))
    }
  }

  private mutating func subscribe(_ data: JSON?, cid: Int) {
    guard let channel = data?["channel"]?.string, channel.utf8.count <= Self.channelNameMax else {
      let reason = "Socket \(id) provided an invalid channel name"
      return respond(to: cid, error: .subscribe("undefined", reason))
    }
    guard channels.contains(channel) || channels.count < Self.channelsMax else {
      let reason =
        "Socket \(id) tried to exceed the channel subscription limit of \(Self.channelsMax)"
      return respond(to: cid, error: .subscribe(channel, reason))
    }
    respond(to: cid, data: nil)
    if channels.insert(channel).inserted { outputs.append(.subscribed(channel: channel)) }
  }

  private mutating func unsubscribe(_ data: JSON?, cid: Int?) {
    // Clients of version 1 may name the channel in an object.
    guard let channel = data?.string ?? data?["channel"]?.string,
      channels.remove(channel) != nil
    else { return refuseUnsubscribing(data, cid: cid) }
    if let cid { respond(to: cid, data: nil) }
  }

  private mutating func refuseUnsubscribing(_ data: JSON?, cid: Int?) {
    guard let cid else { return }
    let channel = data?.string ?? ""
    let isName = !channel.isEmpty && channel.utf8.count <= Self.channelNameMax
    let reason =
      isName
      ? "Socket \(id) tried to unsubscribe from a channel which it is not subscribed to"
      : "Socket \(id) tried to unsubscribe from an invalid channel name"
    respond(to: cid, error: .unsubscribe(isName ? channel : "undefined", reason))
  }

  private mutating func authenticate(_ data: JSON?, cid: Int) {
    guard Self.isToken(data) else {
      return respond(to: cid, data: ["isAuthenticated": false, "authError": .null])
    }
    emit(event: "#removeAuthToken", data: nil)
    respond(to: cid, error: .badToken)
  }

  /// Handles the goodbye of version 1, which names a close code.
  private mutating func disconnect(_ data: JSON?) {
    version = .v1
    let code = data?["code"]?.wholeNumber ?? 1000
    // RFC 6455 §7.4 allows applications to send only these.
    let isSendable = code == 1000 || 3000...4999 ~= code
    close(code: isSendable ? code : 1000, reason: "")
  }
}

extension JSON {
  /// A whole number in any spelling (`1`, `1.0`, `1e0`), if JavaScript represents it exactly.
  var wholeNumber: Int? {
    guard let value = number?.double else { return nil }
    return value.magnitude <= 9_007_199_254_740_991 ? Int(exactly: value) : nil
  }
}
