import JSONTree
import ReduxDevTools
import SocketCluster
import SurfStreams
import SurfWire
import WebSocket

// Our own SocketCluster relay: it does what `@redux-devtools/cli` does, and delivers `sc-<id>`,
// which that has forgotten since its version 2 (reduxjs/redux-devtools#1340).
extension GatewayMachine {
  mutating func drainCluster(_ stream: StreamID, at now: Duration) {
    guard let connection = connections[stream] else { return }
    // What is answered here comes out of the session, too.
    while let outputs = connection.cluster?.takeOutputs(), !outputs.isEmpty {
      for output in outputs { handle(output, connection, stream, at: now) }
    }
    flush(stream)
  }

  private mutating func handle(
    _ output: SocketClusterServerSession.Output, _ connection: Connection, _ stream: StreamID,
    at now: Duration
  ) {
    switch output {
    case .send(let text): connection.socket.sendText(text)
    case .close(let code, let reason):
      closeSocket(stream, code: CloseCode(rawValue: UInt16(clamping: code)), reason: reason)
    case .opened, .unsubscribed: break
    case .invoke("login", let data, let cid): logIn(data, cid, connection)
    // Clients of version 1 number everything that they send.
    case .invoke(let event, let data, _): relay(event, data, from: stream, at: now)
    case .transmit(let event, let data): relay(event, data, from: stream, at: now)
    case .subscribed(let channel):
      if channel == "log" { note(.panelConnected(from: connection.peer, kind: "Redux DevTools")) }
    }
  }

  /// An app logs in as "master", a panel as anything else; each is told which channel to watch, and
  /// the others hear of its end on theirs.
  private func logIn(_ data: JSON?, _ cid: Int, _ connection: Connection) {
    let isApp = data == "master"
    connection.farewellChannel = isApp ? "log" : "respond"
    connection.cluster?.respond(to: cid, data: isApp ? "respond" : "log")
  }

  private mutating func relay(
    _ event: String, _ data: JSON?, from stream: StreamID, at now: Duration
  ) {
    guard let data, let id = connections[stream]?.cluster?.id else { return }
    if event == "log-noid" {
      return publish(["id": .string(id), "data": data], on: "log", except: stream)
    }
    guard event == "log" || event == "respond" || event.hasPrefix("sc-") else {
      return drop("unknown relay event")
    }
    // Also for foreign apps that are connected here.
    publish(data, on: event)
    if event == "respond" { return obeyBroadcast(data, from: stream, at: now) }
    let app = apps.first { event == "sc-\($0.value.connection)" }
    guard let app else { return }
    guard data["instanceId"] == nil || data["instanceId"]?.string == app.value.instance.id else {
      return drop("unknown instance")
    }
    if case .start = PanelCommand(data) { return greet(stream, app.key, at: now) }
    obey(data, app.key, from: stream, at: now)
  }

  mutating func leaveCluster(_ id: String, _ connection: Connection, at now: Duration) {
    if connection.isPanel { note(.panelLeft(connection.peer)) }
    guard let channel = connection.farewellChannel else { return }
    publish(["id": .string(id), "type": "DISCONNECTED"], on: channel)
  }
}
