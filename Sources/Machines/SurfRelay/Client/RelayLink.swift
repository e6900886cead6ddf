import JSONTree
import SurfWeb

/// One app's connection to a relay: from the first byte of the handshake to the last close frame,
/// over a byte stream that the driver owns.
///
/// It acts as an app among SocketCluster or Socket.IO clients, and does not interpret the frames
/// that it passes in and out.
package struct RelayLink: Sendable {
  package enum Output: Equatable, Sendable {
    /// Write these bytes to the stream.
    case write([UInt8])
    /// Close the stream once all is written.
    case close
    /// The relay knows us under this id: frames may be sent.
    case ready(id: String)
    /// A panel's frame. `isForAll`: it came by a broadcast, and may be meant for another app.
    case frame(JSON, isForAll: Bool)
    /// The same from a relay that waits for our answer, by `acknowledge`.
    case question(JSON, id: Int)
    /// The relay refused us, broke the protocol or left; in words. The last output.
    case lost(String)
  }

  /// For apps that a gateway has from its network: another gateway announces them to nobody.
  package static let gatewayAgent = "StateSurf-Gateway"

  private enum Phase {
    case handshake(WebSocketHandshake.ClientHandshake, HTTPResponseParser)
    case open
    case over
  }

  /// How far the app has got in joining the relay.
  private struct ClusterEntry {
    var id = ""
    /// Channels without a confirmation yet: START must come after, or its answer is missed.
    var missing: Set<String> = []
    var isDone = false
  }

  private var phase: Phase
  // While open. Not in the phase, so that their contents change in place: a large message comes in
  // many pieces, and a copy for each would cost the square of its size.
  private var socket: WebSocketConnection
  private var cluster: SocketClusterClient?
  private var entry = ClusterEntry()
  private var socketIO: SocketIOClient?
  private var outputs: [Output] = []
  /// Nil until the first `advance`, which tells when the stream connected.
  private var handshakeDeadline: Duration?
  private let address: RelayAddress

  /// Bytes of one message from a relay: a file that a person imports may be large.
  private static let messageSizeMax = 64 * 1_024 * 1_024
  /// For the answer to the handshake, which no other clock limits.
  private static let handshakeTimeout = Duration.seconds(10)

  /// For a stream that has just connected; the handshake is the first output.
  ///
  /// - Parameters:
  ///   - agent: the name under which it asks to be let in.
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
    // In the head, which no proxy writes into a journal as it does with URLs.
    var headers = HTTPHeaders()
    headers["Authorization"] = address.token.map { "Bearer \($0)" }
    headers["User-Agent"] = agent
    let handshake = WebSocketHandshake.ClientHandshake(
      host: address.authority, path: address.path, key: key, extraHeaders: headers)
    phase = .handshake(handshake, HTTPResponseParser())
    outputs = [.write(handshake.request.encoded())]
  }

  package mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  /// When `advance` must be called; nil once the link is over. Due at once at first, to set the
  /// clock.
  package var deadline: Duration? {
    switch phase {
    case .handshake: handshakeDeadline ?? .zero
    case .open: cluster?.deadline ?? socketIO?.deadline
    case .over: nil
    }
  }

  /// Does what came due by `now`.
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

  /// Bytes came from the relay.
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
        lose("its answer is no HTTP: \(error)")
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
    case .text(let text): receive(text: text, at: now)
    case .binary(let bytes): receive(binary: bytes, at: now)
    case .ping, .pong: break
    case .closed(let code, let reason):
      lose("it closed: \(reason.isEmpty ? "code \(code?.rawValue ?? 1005)" : reason)")
    case .failed(_, let reason): lose("it broke the protocol: \(reason)")
    }
  }

  private mutating func receive(text: String, at now: Duration) {
    cluster?.receive(text: text, at: now)
    socketIO?.webSocketText(text, at: now)
    drain(at: now)
  }

  private mutating func receive(binary: [UInt8], at now: Duration) {
    cluster?.receive(binary: binary, at: now)
    socketIO?.webSocketBinary(binary, at: now)
    drain(at: now)
  }

  /// The stream is gone.
  package mutating func streamClosed() {
    if case .over = phase { return }
    lose("the connection ended")
  }

  /// Sends a frame to the panels; nothing before `ready` or after `lost`.
  ///
  /// - Returns: why the relay would not take the frame, which was not sent; nil if it was.
  @discardableResult
  package mutating func send(_ frame: JSON, at now: Duration) -> Excess? {
    guard case .open = phase else { return nil }
    if entry.isDone { cluster?.transmit(event: "log", data: frame) }
    defer { drain(at: now) }
    guard socketIO?.isConnected == true else { return nil }
    do throws(SocketIOError) {
      try socketIO?.send(SocketIOMessage(event: "log", arguments: [frame]))
    } catch .messageTooLarge(let size, let max) {
      return Excess(size: size, sizeMax: max)
    } catch {
      socketIO?.close()
    }
    return nil
  }

  /// Answers a question of the relay's (Protocol.md §B.4).
  package mutating func acknowledge(_ id: Int, _ answer: JSON, at now: Duration) {
    guard case .open = phase, socketIO?.isConnected == true else { return }
    do throws(SocketIOError) {
      try socketIO?.acknowledge(id, SocketIOReply(arguments: [answer]))
    } catch {
      socketIO?.close()
    }
    drain(at: now)
  }

  /// A message that is larger than the relay takes, in octets.
  package struct Excess: Equatable, Sendable {
    package let size: Int
    package let sizeMax: Int
  }

  /// Says goodbye; then the stream closes.
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
    case .send(let text): socket.sendText(text)
    case .close(let code, let reason):
      socket.close(code: CloseCode(rawValue: UInt16(clamping: code)), reason: reason)
      lose(reason)
    case .connected(let id): enter(as: id, at: now)
    case .subscribed(let channel): confirm(channel)
    case .published(let channel, let data?):
      outputs.append(.frame(data, isForAll: channel == "respond"))
    // Relays before version 2 of the protocol use this event for frames to one app. They bring the
    // same on `sc-<id>`, and no command may run twice.
    case .event("respond", let data?) where entry.missing.contains("sc-\(entry.id)"):
      outputs.append(.frame(data, isForAll: true))
    case .failed(_, let error): fail(error)
    case .kicked(let channel, let message): part("it ended '\(channel)': \(message)")
    case .answered, .published, .event: break
    }
  }

  /// An app logs in as "master", so that panels learn when it goes, and watches both channels: the
  /// relay delivers frames for one app on `sc-<id>` alone, whatever its own client expects
  /// (reduxjs/redux-devtools#1340).
  private mutating func enter(as id: String, at now: Duration) {
    entry = ClusterEntry(id: id, missing: ["respond", "sc-\(id)"])
    _ = cluster?.invoke(event: "login", data: "master", at: now)
    for channel in ["respond", "sc-\(id)"] { _ = cluster?.subscribe(channel: channel, at: now) }
  }

  private mutating func confirm(_ channel: String) {
    guard entry.missing.remove(channel) != nil, entry.missing.isEmpty else { return }
    entry.isDone = true
    outputs.append(.ready(id: entry.id))
  }

  private mutating func handle(_ output: SocketIOClient.Output) {
    switch output {
    case .sendText(let text): socket.sendText(text)
    case .sendBinary(let bytes): socket.sendBinary(bytes)
    case .connected(let sid): outputs.append(.ready(id: sid))
    case .event(let message, let id) where message.event == "dispatch":
      guard let frame = message.filled.first else { break }
      outputs.append(id.map { .question(frame, id: $0) } ?? .frame(frame, isForAll: true))
    // The reason follows.
    case .closeWebSocket: socket.close(code: .normal)
    case .closed(let reason): lose("the session ended: \(reason)")
    case .event, .acknowledged: break
    }
  }

  private mutating func fail(_ error: SocketClusterError) {
    // The session fails what is pending before it says why it closes.
    if cluster?.isConnected == true { part("it refused a call: \(error.message)") }
  }

  /// Leaves a relay that is not usable.
  private mutating func part(_ reason: String) {
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
