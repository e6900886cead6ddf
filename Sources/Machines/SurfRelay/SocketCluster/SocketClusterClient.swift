import JSONTree
import SurfBasics

/// The client's side of one SocketCluster connection, for `RelayLink`, over the messages of an open
/// WebSocket (ReduxDevTools.md, SocketCluster). A new connection needs a new client, and
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
    /// The answer to the call `cid`.
    case answered(cid: Int, data: JSON?)
    /// The call `cid` failed, or the server did not answer in time.
    case failed(cid: Int, SocketClusterError)
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

  /// Calls that may await an answer at the same time.
  package static let callsMax = 1024

  /// The channels that this client has subscribed to, confirmed or not.
  package internal(set) var channels: Set<String> = []
  /// Messages and packets ignored because they made no sense.
  package internal(set) var garbageCount = 0

  private let version: SocketClusterVersion
  private let answerTimeout: Duration
  var state = State.connecting
  var calls = PendingCalls()
  var outputs: [Output] = []

  /// Starts on a connection that opened at `now`; the handshake is the first output. A call fails
  /// without an answer within `answerTimeout`. If the handshake fails, the connection closes.
  package init(
    protocolVersion: SocketClusterVersion = .v2, answerTimeout: Duration = .seconds(10),
    now: Duration
  ) {
    version = protocolVersion
    self.answerTimeout = answerTimeout
    send(.handshake, data: ["authToken": .null], at: now)
  }

  /// Whether the handshake is done and the connection is open.
  package var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  /// When to call `advance`; nil after closing.
  package var deadline: Duration? {
    switch state {
    case .connecting: calls.deadline
    case .connected(_, let lostAt): min(lostAt, calls.deadline ?? lostAt)
    case .closed: nil
    }
  }

  package mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  package mutating func advance(to now: Duration) {
    if case .connected(_, let lostAt) = state, now >= lostAt { return close(.pingTimeout) }
    while let (cid, purpose) = calls.takeExpired(at: now) {
      fail(cid, purpose, .timedOut(purpose.event))
    }
  }
}

extension SocketClusterClient {
  /// Calls `event`, and returns the id that `answered` or `failed` will have. Fails immediately if
  /// not connected, or if `callsMax` calls are pending.
  package mutating func invoke(event: String, data: JSON?, at now: Duration) -> Int {
    call(.invoke(event: event), data: data, at: now)
  }

  /// Sends `event` without expecting an answer. Does nothing unless connected.
  package mutating func transmit(event: String, data: JSON?) {
    if isConnected { send(.event(name: event, data: data, cid: nil)) }
  }

  /// Subscribes to `channel`. The output is `subscribed`, or `failed` with the returned id.
  @discardableResult
  package mutating func subscribe(channel: String, at now: Duration) -> Int {
    // Already now: a message may be published before the answer is written.
    if isConnected { channels.insert(channel) }
    return call(.subscribe(channel: channel), data: ["channel": .string(channel)], at: now)
  }

  /// Closes the connection; the reason may have 123 octets (RFC 6455 §5.5). Pending calls fail. To
  /// a server of version 1 it also sends `#disconnect`.
  package mutating func close(code: Int = 1000, reason: String = "") {
    guard state != .closed else { return }
    if isConnected, version == .v1 {
      send(.event(name: "#disconnect", data: ["code": .number(code)], cid: nil))
    }
    state = .closed
    channels = []
    for (cid, purpose) in calls.takeAll() where purpose != .handshake {
      outputs.append(.failed(cid: cid, .badConnection(purpose.event)))
    }
    outputs.append(.close(code: code, reason: reason))
  }

  mutating func close(_ closure: SocketClusterClosure) {
    close(code: closure.rawValue, reason: closure.reason)
  }

  mutating func fail(_ cid: Int, _ purpose: PendingCalls.Purpose, _ error: SocketClusterError) {
    switch purpose {
    case .handshake: return close(.handshakeFailed)
    case .subscribe(let channel): channels.remove(channel)
    case .invoke: break
    }
    outputs.append(.failed(cid: cid, error))
  }

  mutating func send(_ packet: SocketClusterPacket) {
    outputs.append(.send(text: packet.text))
  }

  private mutating func call(
    _ purpose: PendingCalls.Purpose, data: JSON?, at now: Duration
  ) -> Int {
    guard isConnected, calls.count < Self.callsMax else {
      let cid = calls.takeNumber()
      let event = purpose.event
      fail(cid, purpose, isConnected ? .tooManyCalls(event) : .badConnection(event))
      return cid
    }
    return send(purpose, data: data, at: now)
  }

  @discardableResult
  private mutating func send(
    _ purpose: PendingCalls.Purpose, data: JSON?, at now: Duration
  ) -> Int {
    let cid = calls.add(purpose, deadline: now + answerTimeout)
    send(.event(name: purpose.event, data: data, cid: cid))
    return cid
  }
}

extension Duration {
  /// Whole milliseconds, rounded towards zero and clamped to the range of the result.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflowToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflow || overflowToo ? (seconds < 0 ? .min : .max) : sum
  }
}
