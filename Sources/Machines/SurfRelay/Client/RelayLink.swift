import JSONTree
import SurfBasics
import SurfWeb

/// One app's connection to a relay, for the gateway and `DevTools`, over a byte stream that the
/// driver owns. It lasts from the first byte of the handshake to the last close frame.
///
/// It acts as an app among SocketCluster or Socket.IO clients, and passes frames on uninterpreted.
package struct RelayLink: Sendable {
  package enum Output: Equatable, Sendable {
    /// Write these bytes to the stream.
    case write([UInt8])
    case close
    /// The relay has given us this id, and frames may be sent.
    case ready(id: String)
    /// A panel's frame. If `isForAll`, it was broadcast, and may be meant for another app.
    case frame(JSON, isForAll: Bool)
    /// The same, from a relay that awaits our answer by `acknowledge`.
    case question(JSON, id: Int)
    /// The last output: the relay refused us, broke the protocol or left, for this reason.
    case lost(String)
  }

  /// The `User-Agent` for apps of a gateway's network: another gateway does not announce them.
  package static let gatewayAgent = "StateSurf-Gateway"

  private enum Phase {
    case handshake(WebSocketHandshake.ClientHandshake, HTTPResponseParser)
    case open
    case over
  }

  /// Progress in joining a SocketCluster relay.
  private struct ClusterJoin {
    var id = ""
    /// Channels without a confirmation: START must not be sent before, or its answer is missed.
    var missing: Set<String> = []
    var isDone = false
  }

  private var phase: Phase
  // Used while open. Kept outside of the phase, so that they change in place: copying a large
  // message for each piece of it would cost the square of its size.
  private var socket: WebSocketConnection
  private var cluster: SocketClusterClient?
  private var joining = ClusterJoin()
  private var socketIO: SocketIOClient?
  private var outputs: [Output] = []
  /// Nil until the first `advance`, which starts the clock.
  private var handshakeDeadline: Duration?
  private let address: RelayAddress

  /// Bytes of one message from a relay; large, because a person may import a file.
  private static let messageSizeMax = 64 * 1_024 * 1_024
  /// How long the relay may take to answer the handshake.
  private static let handshakeTimeout = Duration.seconds(10)

  /// Starts on a stream that has just connected; the handshake is the first output.
  ///
  /// - Parameters:
  ///   - agent: the `User-Agent` to send.
  ///   - random: unpredictable numbers (RFC 6455 §5.3).
  package init(
    to address: RelayAddress, agent: String? = nil, random: @escaping @Sendable () -> UInt64
  ) {
    self.address = address
    socket = WebSocketConnection(
      role: .client { UInt32(truncatingIfNeeded: random()) },
      limits: WebSocketLimits(messageBytes: Self.messageSizeMax))
    var key = SIMD16<UInt8>()
    for index in key.indices { key[index] = UInt8(truncatingIfNeeded: random()) }
    // In the head, because proxies log URLs.
    var headers = HTTPHeaders()
    headers["Authorization"] = address.token.map { "Bearer \($0)" }
    headers["User-Agent"] = agent
    let handshake = WebSocketHandshake.ClientHandshake(
      host: address.authority, path: address.path, key: key, extraHeaders: headers)
    phase = .handshake(handshake, HTTPResponseParser())
    outputs = [.write(handshake.request.encoded())]
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  /// When to call `advance`; nil once the link is over. The first call is due immediately, to start
  /// the clock.
  package var deadline: Duration? {
    switch phase {
    case .handshake: handshakeDeadline ?? .zero
    case .open: cluster?.deadline ?? socketIO?.deadline
    case .over: nil
    }
  }

  package mutating func advance(to now: Duration) {
    switch phase {
    case .handshake:
      let deadline = handshakeDeadline ?? now + Self.handshakeTimeout
      handshakeDeadline = deadline
      if now >= deadline { lose("it did not answer the handshake") }
    case .open:
      cluster?.advance(to: now)
      socketIO?.advance(to: now)
      drain(at: now)
    case .over: break
    }
  }

  package mutating func receive(_ bytes: [UInt8], at now: Duration) {
    switch phase {
    case .handshake(let handshake, var parser):
      phase = .over
      do throws(HTTPError) {
        try parser.receive(bytes)
        guard let response = try parser.next() else {
          phase = .handshake(handshake, parser)
          return
        }
        open(handshake, response, parser.takeRemaining(), at: now)
      } catch {
        lose("its answer is not HTTP: \(error)")
      }
    case .open: receiveFrames(bytes, at: now)
    case .over: break
    }
  }

  private mutating func open(
    _ handshake: WebSocketHandshake.ClientHandshake, _ response: HTTPResponse, _ rest: [UInt8],
    at now: Duration
  ) {
    do throws(HandshakeError) {
      try handshake.check(response)
    } catch {
      let shown = address.token == nil ? "none was" : "a wrong one was"
      return lose(
        error == .refused(status: 401)
          ? "it asks for a token, and \(shown) shown"
          : "it does not speak WebSocket at \(address.shownPath): \(error)")
    }
    phase = .open
    switch address.kind {
    case .socketCluster: cluster = SocketClusterClient(now: now)
    case .socketIO: socketIO = SocketIOClient(now: now)
    }
    drain(at: now)
    if !rest.isEmpty { receiveFrames(rest, at: now) }
  }

  private mutating func receiveFrames(_ bytes: [UInt8], at now: Duration) {
    for event in socket.receive(bytes) { handle(event, at: now) }
    flush()
  }

  private mutating func handle(_ event: WebSocketConnection.Event, at now: Duration) {
    guard case .open = phase else { return }
    switch event {
    case .text(let text): receive(.text(text), at: now)
    case .binary(let bytes): receive(.binary(bytes), at: now)
    case .ping, .pong: break
    case .closed(let code, let reason):
      lose("it closed: \(reason.isEmpty ? "code \(code?.rawValue ?? 1005)" : reason)")
    case .failed(_, let reason): lose("it broke the protocol: \(reason)")
    }
  }

  private mutating func receive(_ message: WebMessage, at now: Duration) {
    cluster?.receive(message, at: now)
    socketIO?.receive(message, at: now)
    drain(at: now)
  }

  package mutating func streamClosed() {
    if case .over = phase { return }
    lose("the connection ended")
  }

  /// Sends a frame to the panels. Does nothing before `ready` or after `lost`.
  ///
  /// - Returns: nil, unless the frame is too large for the relay and was not sent.
  @discardableResult
  package mutating func send(_ frame: JSON, at now: Duration) -> SocketIOClient.Excess? {
    guard case .open = phase else { return nil }
    if joining.isDone { cluster?.transmit(event: "log", data: frame) }
    defer { drain(at: now) }
    return socketIO?.send(.event(SocketIOMessage(event: "log", arguments: [frame]), id: nil))
  }

  /// Answers a `question` (Relay.md, Socket.IO).
  package mutating func acknowledge(_ id: Int, _ answer: JSON, at now: Duration) {
    guard case .open = phase else { return }
    if socketIO?.send(.acknowledgement([answer], id: id)) != nil { socketIO?.close() }
    drain(at: now)
  }

  /// Says goodbye, and closes the stream.
  package mutating func leave() {
    if case .over = phase { return }
    if case .open = phase {
      socket.close(code: .goingAway)
      flush()
    }
    phase = .over
    outputs.append(.close)
  }
}

extension RelayLink {
  /// Handles the session's outputs until there are no more.
  private mutating func drain(at now: Duration) {
    while case .open = phase {
      let clusterNews = cluster?.takeOutputs() ?? []
      let socketIONews = socketIO?.takeOutputs() ?? []
      if clusterNews.isEmpty, socketIONews.isEmpty { break }
      // The first output that ends the link is the last one handled.
      for output in clusterNews where isOpen { handle(output, at: now) }
      for output in socketIONews where isOpen { handle(output) }
    }
    flush()
  }

  private mutating func handle(_ output: SocketClusterClient.Output, at now: Duration) {
    switch output {
    case .send(let text): socket.send(.text(text))
    case .close(let code, let reason):
      socket.close(code: CloseCode(rawValue: UInt16(clamping: code)), reason: reason)
      lose(reason)
    case .connected(let id): join(as: id, at: now)
    case .subscribed(let channel): confirm(channel)
    case .published(let channel, let data?):
      outputs.append(.frame(data, isForAll: channel == "respond"))
    // Relays before version 2 of the protocol send frames for one app as this event. They send the
    // same on `sc-<id>`, and no command may run twice.
    case .event("respond", let data?) where joining.missing.contains("sc-\(joining.id)"):
      outputs.append(.frame(data, isForAll: true))
    case .failed(let reason): hangUp("it refused a call: \(reason)")
    case .kicked(let channel, let message): hangUp("it ended '\(channel)': \(message)")
    case .published, .event: break
    }
  }

  /// Logs in as "master", so that panels learn when the app leaves, and subscribes to both
  /// channels. The relay delivers frames for one app only on `sc-<id>`, whatever its own client
  /// expects (reduxjs/redux-devtools#1340).
  private mutating func join(as id: String, at now: Duration) {
    joining = ClusterJoin(id: id, missing: ["respond", "sc-\(id)"])
    cluster?.invoke(event: "login", data: "master", at: now)
    for channel in ["respond", "sc-\(id)"] { cluster?.subscribe(channel: channel, at: now) }
  }

  private mutating func confirm(_ channel: String) {
    guard joining.missing.remove(channel) != nil, joining.missing.isEmpty else { return }
    joining.isDone = true
    outputs.append(.ready(id: joining.id))
  }

  private mutating func handle(_ output: SocketIOClient.Output) {
    switch output {
    case .send(let frame): socket.send(frame)
    case .connected(let sid): outputs.append(.ready(id: sid))
    case .event(let message, let id) where message.event == "dispatch":
      guard let frame = message.arguments.first else { break }
      outputs.append(id.map { .question(frame, id: $0) } ?? .frame(frame, isForAll: true))
    // The reason follows.
    case .closeWebSocket: socket.close(code: .normal)
    case .closed(let reason): lose("the session ended: \(reason)")
    case .event: break
    }
  }

  /// Disconnects from an unusable relay.
  private mutating func hangUp(_ reason: String) {
    socket.close(code: .normal)
    lose(reason)
  }

  private var isOpen: Bool {
    if case .open = phase { true } else { false }
  }

  private mutating func lose(_ reason: String) {
    flush()
    phase = .over
    outputs += [.close, .lost(reason)]
  }

  private mutating func flush() {
    let bytes = socket.takeOutput()
    if !bytes.isEmpty { outputs.append(.write(bytes)) }
  }
}
