import SurfSockets

/// Performs the machine's actions, and handles timeouts.
extension StreamDriver {
  func perform(_ action: StreamAction) {
    switch action {
    case .connect(let id, let host, let port, let timeout): connect(id, host, port, timeout)
    case .write(let id, let bytes):
      if let connection = connectionsByID[id] { write(bytes, connection) }
    case .closeAfterWriting(let id):
      if let connection = connectionsByID[id] { beginClosing(connection) }
    case .abort(let id):
      if let connection = connectionsByID[id] { abort(connection, .byUs) }
    case .hold(let id): connectionsByID[id]?.isHeld = true
    case .release(let id): connectionsByID[id]?.isHeld = false
    }
  }

  private func write(_ bytes: [UInt8], _ connection: StreamConnection) {
    guard !connection.isClosing else { return }
    connection.unsent.append(bytes)
    if connection.unsent.count > limits.unsentMax {
      flush(connection)
      if connection.unsent.count > limits.unsentMax { abortSlow(connection) }
    }
    // A stream within its share of the sum is not worth a check.
    if connection.unsent.count > limits.unsentSumMax / limits.streamsMax { boundSum() }
  }

  private func boundSum() {
    let unsent = connectionsByID.values.map(\.unsent.count)
    guard unsent.reduce(0, +) > limits.unsentSumMax,
      let most = connectionsByID.values.max(by: { $0.unsent.count < $1.unsent.count })
    else { return }
    abortSlow(most)
  }

  private func abortSlow(_ connection: StreamConnection) {
    let rest = connection.unsent.count
    abort(connection, .failed("too slow: \(rest) bytes wait to be sent to \(connection.target)"))
  }

  /// A connecting stream keeps its deadline, and closes once it is connected and all bytes are
  /// sent.
  private func beginClosing(_ connection: StreamConnection) {
    guard !connection.isClosing else { return }
    connection.isClosing = true
    if case .open = connection.phase { connection.deadline = now + limits.closingMax }
  }

  /// Writes as much as the kernel takes now. Shuts down a closing stream once nothing is left.
  func flush(_ connection: StreamConnection) {
    guard case .open(let stream) = connection.phase else { return }
    do throws(SocketError) {
      let sent = try send(connection, stream)
      if sent > 0 { noteProgress(connection, sent) }
    } catch {
      return broken(connection, error)
    }
    if connection.isClosing, connection.unsent.isEmpty { endWriting(connection, stream) }
  }

  private func send(
    _ connection: StreamConnection, _ stream: TCPStream
  ) throws(SocketError) -> Int {
    var sent = 0
    while !connection.isBlocked, !connection.unsent.isEmpty, sent < Self.flushSize {
      let taken = try connection.unsent.withFront { bytes throws(SocketError) in
        try stream.write(bytes)
      }
      connection.unsent.drop(taken)
      connection.isBlocked = taken == 0
      sent += taken
    }
    counters.sent += sent
    if connection.unsent.count > limits.lowWater { connection.isCongested = true }
    return sent
  }

  private func noteProgress(_ connection: StreamConnection, _ sent: Int) {
    if connection.isClosing {
      connection.deadline = now + limits.closingMax
      return
    }
    if connection.hasPeerEnded { connection.deadline = now + limits.halfOpenMax }
    let rest = connection.unsent.count
    if connection.isCongested, rest <= limits.lowWater {
      connection.isCongested = false
      tell(.progress(connection.id, unsent: rest))
    }
    if rest == 0 { tell(.drained(connection.id)) }
  }

  private func endWriting(_ connection: StreamConnection, _ stream: TCPStream) {
    guard !connection.hasPeerEnded else {
      return close(connection, connection.isEndedByPeer ? .byPeer : .byUs)
    }
    stream.shutDownWriting()
    connection.phase = .lingering(stream)
    connection.deadline = now + limits.lingerMax
  }

  func expire() {
    let now = now
    for connection in connections {
      guard let deadline = connection.deadline, deadline <= now else { continue }
      patienceEnded(connection)
    }
  }

  private func patienceEnded(_ connection: StreamConnection) {
    switch connection.phase {
    case .resolving: attemptTimedOut(connection, [])
    case .connecting(_, let rest): attemptTimedOut(connection, rest)
    case .open where connection.isClosing:
      let rest = connection.unsent.count
      abort(connection, .failed("too slow: \(rest) bytes could not be sent before closing"))
    case .open: abort(connection, .byPeer)
    case .lingering: close(connection, .byUs)
    case .closed: break
    }
  }
}
