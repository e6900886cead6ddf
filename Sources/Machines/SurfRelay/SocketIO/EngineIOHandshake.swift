import JSONTree

/// The timeouts and sizes of a session. The server announces some of them to the client.
package struct EngineIOConfiguration: Equatable, Sendable {
  /// The time from a pong to the next ping. A client tolerates this plus `pingTimeout` of silence.
  package var pingInterval = Duration.seconds(25)
  /// How long the client may take to answer a ping.
  package var pingTimeout = Duration.seconds(20)
  /// The most bytes in an incoming body or WebSocket message.
  package var maxPayload = 1_000_000
  /// How long a WebSocket may take from opening to the upgrade packet.
  package var upgradeTimeout = Duration.seconds(10)
  /// The most bytes that may wait for the client's next poll; a client with more is given up.
  package var queueSizeMax = 8_000_000

  package init() {}
}

/// The data of the open packet (Engine.IO protocol v4, "Handshake").
package struct EngineIOHandshake: Equatable, Sendable {
  package let sid: String
  /// The transports that the client may upgrade to.
  package let upgrades: [String]
  /// What the packet says of the server: its times for pings, in whole milliseconds, and
  /// `maxPayload`. The other values are not in it: a client has the defaults there.
  package let configuration: EngineIOConfiguration

  init(sid: String, upgrades: [String], configuration: EngineIOConfiguration) {
    (self.sid, self.upgrades, self.configuration) = (sid, upgrades, configuration)
  }

  /// Reads the text of an open packet. Nil if it is not JSON, or lacks a member other than
  /// `upgrades` and `maxPayload`. Also nil if a time is not above zero and at most a day, or if it
  /// allows no payload.
  package init?(text: String) {
    guard let json = JSON(ifValid: text.utf8), let sid = json["sid"]?.string,
      let pingInterval = Self.time(json["pingInterval"]),
      let pingTimeout = Self.time(json["pingTimeout"])
    else { return nil }
    var server = EngineIOConfiguration()
    (server.pingInterval, server.pingTimeout) = (pingInterval, pingTimeout)
    server.maxPayload = json["maxPayload"]?.integer ?? server.maxPayload
    guard server.maxPayload > 0 else { return nil }
    let upgrades = json["upgrades"]?.array?.compactMap(\.string) ?? []
    self.init(sid: sid, upgrades: upgrades, configuration: server)
  }

  /// The text of the open packet, with members in the order of the protocol document.
  package var text: String {
    let object: JSON = [
      "sid": .string(sid), "upgrades": .array(upgrades.map { .string($0) }),
      "pingInterval": .number(Int(configuration.pingInterval / .milliseconds(1))),
      "pingTimeout": .number(Int(configuration.pingTimeout / .milliseconds(1))),
      "maxPayload": .number(configuration.maxPayload),
    ]
    return object.text()
  }

  private static func time(_ value: JSON?) -> Duration? {
    guard let milliseconds = value?.integer, 1...86_400_000 ~= milliseconds else { return nil }
    return .milliseconds(milliseconds)
  }
}
