import JSONTree
import SurfRelay
import Testing

/// A client and a server session, joined by a line that delays every message.
private struct Line {
  static let delay = Duration.milliseconds(30)

  var client: SocketClusterClient
  var server: SocketClusterServerSession
  var clientLog: [SocketClusterClient.Output] = []
  var serverLog: [SocketClusterServerSession.Output] = []
  /// Messages on their way, each list in order of arrival.
  var toServer: [(at: Duration, text: String)] = []
  var toClient: [(at: Duration, text: String)] = []
  var now = Duration.zero
  /// Whether the server's pings get lost.
  var isDeaf = false

  init(server: SocketClusterVersion) {
    client = SocketClusterClient(now: .zero)
    self.server = .connecting(server)
  }

  mutating func run(until end: Duration) {
    collect()
    while let next = nextTime, next <= end {
      now = next
      deliver()
      client.advance(to: now)
      server.advance(to: now)
      collect()
    }
    now = end
  }

  private var nextTime: Duration? {
    [client.deadline, server.deadline, toServer.first?.at, toClient.first?.at]
      .compactMap { $0 }.min()
  }

  private mutating func deliver() {
    while let message = toServer.first, message.at <= now {
      toServer.removeFirst()
      server.receive(.text(message.text), at: now)
    }
    while let message = toClient.first, message.at <= now {
      toClient.removeFirst()
      if !isDeaf { client.receive(.text(message.text), at: now) }
    }
  }

  private mutating func collect() {
    for output in client.takeOutputs() {
      if case .send(let text) = output {
        toServer.append((now + Self.delay, text))
      } else {
        clientLog.append(output)
      }
    }
    for output in server.takeOutputs() {
      if case .send(let text) = output {
        toClient.append((now + Self.delay, text))
      } else {
        serverLog.append(output)
      }
    }
  }
}

@Suite struct ConversationTests {
  @Test(arguments: [SocketClusterVersion.v1, .v2])
  func anAppTalksForAnHour(server: SocketClusterVersion) {
    var line = Line(server: server)
    line.run(until: .seconds(1))
    line.client.invoke(event: "login", data: "master", at: line.now)
    line.run(until: .seconds(2))
    line.server.respond(to: 2, data: "respond")
    line.client.subscribe(channel: "respond", at: line.now)
    line.run(until: .seconds(3))
    line.client.transmit(event: "log", data: ["type": "START"])
    line.server.publish(channel: "respond", data: ["type": "START"])
    line.server.publish(channel: "log", data: 1)
    line.run(until: .seconds(3_600))
    line.server.emit(event: "respond", data: 2)
    line.run(until: .seconds(3_601))
    #expect(
      line.serverLog == [
        .invoke(event: "login", data: "master", cid: 2),
        .subscribed(channel: "respond"), .transmit(event: "log", data: ["type": "START"]),
      ])
    #expect(
      line.clientLog == [
        .connected(id: "RaiAsgVCEbXqJXzNAAAA"), .subscribed(channel: "respond"),
        .published(channel: "respond", data: ["type": "START"]),
        .event(name: "respond", data: 2),
      ])
  }

  @Test func bothEndsNoticeThatTheLineIsCut() {
    var line = Line(server: .v2)
    line.run(until: .seconds(10))
    line.isDeaf = true
    line.run(until: .seconds(60))
    #expect(line.clientLog.last == .close(code: 4000, reason: "Server ping timed out"))
    #expect(line.serverLog.last == .close(code: 4001, reason: "Client pong timed out"))
  }
}
