import JSONTree

/// The timeouts and sizes of a session. The server announces some of them to the client.
package struct EngineIOConfiguration: Equatable, Sendable {
  /// The time from a pong to the next ping. A client tolerates this plus `pingTimeout` of silence.
  package var pingInterval: Duration
  /// How long the client may take to answer a ping.
  package var pingTimeout: Duration
  /// The most bytes in an incoming body or WebSocket message.
  package var maxPayload: Int
  /// How long a WebSocket may take from opening to the upgrade packet.
  package var upgradeTimeout: Duration
  /// The most bytes that may wait for the client's next poll; a client with more is given up.
  package var queueSizeMax: Int

  package init(
    pingInterval: Duration = .seconds(25), pingTimeout: Duration = .seconds(20),
    maxPayload: Int = 1_000_000, upgradeTimeout: Duration = .seconds(10),
    queueSizeMax: Int = 8_000_000
  ) {
    self.pingInterval = pingInterval
    self.pingTimeout = pingTimeout
    self.maxPayload = maxPayload
    self.upgradeTimeout = upgradeTimeout
    self.queueSizeMax = queueSizeMax
  }
}

/// The data of the open packet (Engine.IO protocol v4, "Handshake").
package struct EngineIOHandshake: Equatable, Sendable {
  package var sid: String
  /// The transports that the client may upgrade to.
  package var upgrades: [String]
  /// The time from a pong to the next ping, in whole milliseconds.
  package var pingInterval: Duration
  /// The time from a ping to its pong, in whole milliseconds.
  package var pingTimeout: Duration
  /// The most bytes that the server accepts in one body or WebSocket message.
  package var maxPayload: Int

  /// The handshake of a server with `configuration` in session `sid`.
  package init(sid: String, upgrades: [String], configuration: EngineIOConfiguration) {
    self.sid = sid
    self.upgrades = upgrades
    pingInterval = configuration.pingInterval
    pingTimeout = configuration.pingTimeout
    maxPayload = configuration.maxPayload
  }

  /// Reads the text of an open packet. Nil if it is not JSON, or lacks a member other than
  /// `upgrades` and `maxPayload`. Also nil if a time is not above zero and at most a day, or if it
  /// allows no payload.
  package init?(text: String) {
    guard let json = JSON(ifValid: text.utf8), let sid = json["sid"]?.string,
      let pingInterval = Self.time(json["pingInterval"]),
      let pingTimeout = Self.time(json["pingTimeout"])
    else { return nil }
    self.sid = sid
    self.pingInterval = pingInterval
    self.pingTimeout = pingTimeout
    maxPayload = json["maxPayload"]?.integer ?? EngineIOConfiguration().maxPayload
    guard maxPayload > 0 else { return nil }
    upgrades = json["upgrades"]?.array?.compactMap(\.string) ?? []
  }

  /// The text of the open packet, with members in the order of the protocol document.
  package var text: String {
    let object: JSON = [
      "sid": .string(sid), "upgrades": .array(upgrades.map { .string($0) }),
      "pingInterval": .number(Int(pingInterval / .milliseconds(1))),
      "pingTimeout": .number(Int(pingTimeout / .milliseconds(1))),
      "maxPayload": .number(maxPayload),
    ]
    return object.text()
  }

  private static func time(_ value: JSON?) -> Duration? {
    guard let milliseconds = value?.integer, 1...86_400_000 ~= milliseconds else { return nil }
    return .milliseconds(milliseconds)
  }
}
