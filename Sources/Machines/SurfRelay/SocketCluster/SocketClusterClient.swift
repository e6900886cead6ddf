import JSONTree
import SurfBasics

/// The client's side of one SocketCluster connection, for `RelayLink`, over the messages of an open
/// WebSocket (Relay.md, SocketCluster). A new connection needs a new client, and
/// new subscriptions.
package struct SocketClusterClient: Sendable {
  /// What the owner must do, in order.
  package enum Output: Hashable, Sendable {
    /// Send this as a text message; it may be empty.
    case send(text: String)
    /// Close the WebSocket. The last output; later input is ignored.
    case close(code: Int, reason: String)
    /// The handshake is done; the server calls this connection `id`.
    case connected(id: String)
    /// A call failed, for this reason: the server refused it or did not answer in time.
    case failed(String)
    /// The server will send the messages published on `channel`.
    case subscribed(channel: String)
    /// Something was published on a channel subscribed to.
    case published(channel: String, data: JSON?)
    /// A plain event. Servers of version 1 deliver messages as plain events.
    case event(name: String, data: JSON?)
    /// The server ended a subscription.
    case kicked(channel: String, message: String)
  }

  enum State: Equatable {
    case connecting
    case connected(pingTimeout: Duration, lostAt: Duration)
    case closed
  }

  /// A call fails without an answer within this time.
  private static let answerTimeout = Duration.seconds(10)

  /// The channels that this client has subscribed to, confirmed or not.
  package internal(set) var channels: Set<String> = []
  var state = State.connecting
  /// In order. Every call waits equally long, so the first one expires first.
  private var calls: [PendingCall] = []
  private var callCount = 0
  var outputs: [Output] = []

  /// Starts on a connection that opened at `now`; the handshake is the first output. If it fails,
  /// the connection closes.
  package init(now: Duration) { send(.handshake, data: ["authToken": .null], at: now) }

  /// Whether the handshake is done and the connection is open.
  package var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  /// When to call `advance`; nil after closing.
  package var deadline: Duration? {
    switch state {
    case .connecting: calls.first?.deadline
    case .connected(_, let lostAt): min(lostAt, calls.first?.deadline ?? lostAt)
    case .closed: nil
    }
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package mutating func advance(to now: Duration) {
    if case .connected(_, let lostAt) = state, now >= lostAt { return close(.pingTimeout) }
    while let call = calls.first, call.deadline <= now {
      calls.removeFirst()
      let event = call.purpose.event
      fail(call.purpose, "Event response for \"\(event)\" event timed out")
    }
  }
}

extension SocketClusterClient {
  /// Calls `event`. The answer is ignored, unless the call fails. Does nothing unless connected.
  package mutating func invoke(event: String, data: JSON?, at now: Duration) {
    if isConnected { send(.invoke(event: event), data: data, at: now) }
  }

  /// Sends `event` without expecting an answer. Does nothing unless connected.
  package mutating func transmit(event: String, data: JSON?) {
    if isConnected { send(.event(name: event, data: data, cid: nil)) }
  }

  /// Subscribes to `channel`. The output is `subscribed` or `failed`. Does nothing unless
  /// connected.
  package mutating func subscribe(channel: String, at now: Duration) {
    guard isConnected else { return }
    // Already now: a message may be published before the answer is written.
    channels.insert(channel)
    send(.subscribe(channel: channel), data: ["channel": .string(channel)], at: now)
  }

  /// Closes the connection. Nobody hears of pending calls any more.
  mutating func close(_ closure: SocketClusterClosure) {
    guard state != .closed else { return }
    state = .closed
    channels = []
    calls = []
    outputs.append(.close(code: closure.rawValue, reason: closure.reason))
  }

  mutating func fail(_ purpose: PendingCall.Purpose, _ reason: String) {
    switch purpose {
    case .handshake: return close(.handshakeFailed)
    case .subscribe(let channel): channels.remove(channel)
    case .invoke: break
    }
    outputs.append(.failed(reason))
  }

  /// Removes and returns the purpose of the pending call `rid`.
  mutating func takeCall(_ rid: Int) -> PendingCall.Purpose? {
    calls.firstIndex { $0.id == rid }.map { calls.remove(at: $0).purpose }
  }

  mutating func send(_ packet: SocketClusterPacket) {
    outputs.append(.send(text: packet.text))
  }

  private mutating func send(_ purpose: PendingCall.Purpose, data: JSON?, at now: Duration) {
    callCount += 1
    calls.append(
      PendingCall(id: callCount, purpose: purpose, deadline: now + Self.answerTimeout))
    send(.event(name: purpose.event, data: data, cid: callCount))
  }
}
