import JSONTree
import ReduxDevTools
import SurfRelay
import SurfStreams
import SurfWeb

// Streams that clients open, and our own relays on them.
extension GatewayMachine {
  mutating func handle(
    _ event: InboundStreams.Event, _ stream: StreamID, at now: Duration
  ) {
    switch event {
    case .refused(let refusal):
      if let note = refusals.add(refusal, at: now) { self.note(note) }
    case .request(let request): serve(request, stream, at: now)
    case .message(let message, .cluster):
      cluster.receive(message, from: stream, at: now)
      drainCluster(stream, at: now)
      sendOwed(to: stream, at: now)
    case .message(let message, .engine):
      engines.receive(message, from: stream, at: now)
      drainEngines(at: now)
    case .message(let message, .inspector):
      inspectors?.receive(message, from: stream, at: now)
      drainInspectors(at: now)
    }
  }

  private mutating func serve(_ request: HTTPRequest, _ stream: StreamID, at now: Duration) {
    switch request.path {
    case "/socketcluster/":
      guard inbound.upgrade(request, stream, to: .cluster) else { return }
      let id = "panel-\(String(random(), radix: 16))"
      cluster.open(
        stream, from: inbound.peer(of: stream), isGateway: request.isOfGateway, id: id, at: now)
    case "/socket.io/":
      if let wish = engines.wish(of: request, on: stream) {
        grant(wish, request, stream, at: now)
      }
      drainEngines(at: now)
    case _ where inspectors != nil && WebSocketHandshake.isRequested(by: request):
      inspect(request, stream)
    case _ where GatewayPage.isWanted(by: request):
      inbound.answer(GatewayPage.response, stream)
    default: inbound.answer(HTTPResponse(404, "There is nothing here.\n"), stream)
    }
  }

  private mutating func grant(
    _ wish: EngineIORequest, _ request: HTTPRequest, _ stream: StreamID, at now: Duration
  ) {
    switch wish {
    case .open(.webSocket), .webSocket:
      guard inbound.upgrade(request, stream, to: .engine) else { return }
    case .open(.polling), .poll, .post: break
    }
    engines.grant(
      wish, body: request.body, on: stream, isGateway: request.isOfGateway, at: now)
  }

  /// Notes that a client has read something. One that has caught up is owed the whole history.
  mutating func wasWritten(_ stream: StreamID, unsent: Int, at now: Duration) {
    switch inbound.wasWritten(stream, unsent: unsent) {
    case .cluster: oweAll(at: now)
    case .engine:
      if let sid = engines.monitor(on: stream) { greet(monitor: sid, at: now) }
    case .inspector:
      inspectors?.catchUp(stream)
      drainInspectors(at: now)
    case nil: break
    }
  }

  mutating func closed(_ stream: StreamID, _ end: StreamEnd, at now: Duration) {
    // Process what it sent before it left: that is at most what one read returned.
    while turns.contains(stream) { hear(stream, upTo: .max, at: now) }
    inbound.closed(stream, end)
    scheduleTrim(at: now)
    cluster.closed(stream)
    apps.forget(panel: stream)
    relayed.closed(.cluster(stream))
    drainRelayed(at: now)
    drainCluster(at: now)
    engines.closed(stream, at: now)
    drainEngines(at: now)
    inspectors?.closed(stream)
    drainInspectors(at: now)
  }

  // MARK: Outputs of our relays

  /// - Parameter stream: the client whose session has just run, if any; its output is flushed.
  mutating func drainCluster(_ stream: StreamID? = nil, at now: Duration) {
    for output in cluster.takeOutputs() {
      switch output {
      case .send(let text, let stream): inbound.send(.text(text), to: stream)
      case .close(let stream, let code, let reason):
        inbound.close(stream, code: code, reason: reason)
      case .write(let bytes, let streams):
        for stream in streams { inbound.write(bytes, to: stream) }
      case .told(let frame, let stream):
        relayed.hear(frame, from: .cluster(stream), inbound.address(of: stream), at: now)
        drainRelayed(at: now)
      case .command(let frame, let channel, let stream):
        obey(frame, on: channel, from: stream, at: now)
      case .note(let note): self.note(note)
      }
    }
    if let stream { inbound.flush(stream) }
  }

  private mutating func obey(
    _ frame: JSON, on channel: String, from stream: StreamID, at now: Duration
  ) {
    if channel == "respond" { return obeyBroadcast(frame, from: stream, at: now) }
    guard channel.hasPrefix("sc-"), let app = apps.app(on: String(channel.dropFirst(3))),
      apps.isFor(app, frame)
    else { return }
    if case .start = PanelCommand(frame) { return greet(stream, app.session, at: now) }
    apps.obey(
      frame, app.session, from: stream, hasRead: cluster.hasRead(stream), at: now)
    drainApps(at: now)
  }

  /// Carries out a panel's frame that no channel addresses; `START` asks all apps to begin.
  private mutating func obeyBroadcast(_ frame: JSON, from stream: StreamID?, at now: Duration) {
    if frame["type"]?.string == "START" {
      guard let stream else { return }
      for session in apps.sessions { greet(stream, session, at: now) }
    } else {
      let hasRead = stream.map(cluster.hasRead) ?? true
      apps.obeyBroadcast(frame, from: stream, hasRead: hasRead, at: now)
      drainApps(at: now)
    }
  }

  mutating func drainEngines(at now: Duration) {
    for output in engines.takeOutputs() {
      switch output {
      case .answer(let response, let stream): inbound.answer(response, stream)
      case .send(let message, let stream):
        inbound.send(message, to: stream)
        inbound.flush(stream)
      case .close(let stream, let code, let reason):
        inbound.close(stream, code: code, reason: reason)
      case .joined(let sid): greet(monitor: sid, at: now)
      case .dispatch(let frame, let stream): obeyBroadcast(frame, from: stream, at: now)
      case .told(let frame, let sid, let stream):
        relayed.hear(
          frame, from: .engine(sid: sid), stream.flatMap(inbound.address(of:)), at: now)
        drainRelayed(at: now)
      case .acknowledged(let answer, let sid):
        relayed.acknowledge(answer, from: .engine(sid: sid))
        drainRelayed(at: now)
      case .left(let sid):
        relayed.closed(.engine(sid: sid))
        drainRelayed(at: now)
      case .note(let note): self.note(note)
      }
    }
  }

  mutating func drainRelayed(at now: Duration) {
    for output in relayed.takeOutputs() {
      switch output {
      case .request(let request): requests.append(request)
      case .send(let frame, .cluster(let stream), let isAsked):
        cluster.tell(frame, to: stream)
        // Not every app reports the result of a command unasked.
        if isAsked { cluster.tell(["type": "UPDATE"], to: stream) }
        drainCluster(stream, at: now)
      case .send(let frame, .engine(let sid), let isAsked):
        engines.tell(frame, to: sid, isAsked: isAsked, at: now)
        drainEngines(at: now)
      }
    }
  }
}

extension HTTPRequest {
  /// Whether another gateway opened the stream, for an app on its network.
  fileprivate var isOfGateway: Bool { headers["User-Agent"] == RelayLink.gatewayAgent }
}

/// The page for a person who opens the gateway's address in a browser. It shows nothing of any app.
/// A token arrives in the URL's fragment, which browsers do not send (RFC 3986 §3.5).
enum GatewayPage {
  static func isWanted(by request: HTTPRequest) -> Bool {
    request.path == "/" && ["GET", "HEAD"].contains(request.method)
      && !WebSocketHandshake.isRequested(by: request)
  }

  static var response: HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(text.utf8))
  }

  /// A panel builds its URL from host, colon, port and path, so the host must include the token.
  private static let text = """
    <!doctype html>
    <meta charset="utf-8">
    <title>StateSurf gateway</title>
    <h1>StateSurf gateway</h1>
    <p>Redux DevTools: Settings, Connection, "use local (custom) server", then Connect.</p>
    <p>Host: <code id="host">this one</code><br>Port: <code id="port">this one</code></p>
    <p>Socket.IO v4: <code id="url">this address</code>; it sends 'log' and takes 'dispatch'.</p>
    <script>
      const token = new URLSearchParams(location.hash.slice(1)).get("token");
      const query = token ? "?token=" + encodeURIComponent(token) : "";
      const secure = location.protocol === "https:";
      const show = (id, text) => { document.getElementById(id).textContent = text; };
      show("host", query ? location.host + "/socketcluster/" + query + "&" : location.hostname);
      show("port", (location.port || (secure ? 443 : 80)) + (secure ? ", secure" : ""));
      show("url", location.origin + "/" + query);
    </script>

    """
}
