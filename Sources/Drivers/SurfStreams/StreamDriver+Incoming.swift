import SurfSockets

/// Accepts connections, and reads bytes.
extension StreamDriver {
  func accept(_ readable: Set<Int32>) {
    let known = connections.count
    for listener in listeners where readable.contains(listener.fileDescriptor) {
      for _ in 0..<Self.acceptsPerTurn {
        guard takeOne(from: listener) else { break }
      }
    }
    guard connections.count > known else { return }
    // Most clients have sent their request by now, so do not let them wait for the next turn. The
    // machine acts first, because it may hold the stream.
    for action in machine.takeActions() { perform(action) }
    for connection in connections[known...] where connection.readableDescriptor != nil {
      _ = read(connection)
    }
  }

  /// - Returns: whether another connection may be waiting.
  private func takeOne(from listener: TCPListener) -> Bool {
    switch listener.accept() {
    case .accepted(let stream):
      admit(stream, listener.address)
      return true
    case .lost:
      return true
    case .nobody:
      return false
    case .noRoom:
      counters.acceptPauses += 1
      acceptsAgainAt = now + limits.acceptPause
      return false
    }
  }

  private func admit(_ stream: TCPStream, _ local: TCPAddress) {
    guard connectionsByID.count < limits.streamsMax else {
      counters.turnedAway += 1
      return
    }
    counters.accepted += 1
    let connection = StreamConnection(ids.next(), .open(stream), target: "\(stream.peer)")
    add(connection)
    tell(.accepted(connection.id, peer: stream.peer, local: local))
  }

  /// Reads once from each readable stream. If the turn's budget runs out, the next turn continues
  /// from there.
  func read(_ readable: Set<Int32>) {
    guard !readable.isEmpty, !connections.isEmpty else { return }
    var budget = max(1, limits.turnReadSize)
    let count = connections.count
    let start = readStart < count ? readStart : 0
    for step in 0..<count {
      let index = (start + step) % count
      guard let descriptor = connections[index].readableDescriptor, readable.contains(descriptor)
      else { continue }
      guard budget > 0 else {
        readStart = index
        return
      }
      budget -= read(connections[index])
    }
  }

  /// - Returns: the number of bytes.
  private func read(_ connection: StreamConnection) -> Int {
    guard let stream = connection.stream else { return 0 }
    do throws(SocketError) {
      switch try fill(from: stream) {
      case .bytes(let size):
        if !connection.isClosing {
          tell(.received(connection.id, Array(readBuffer[..<size])))
        }
        return size
      case .nothing: return 0
      case .end: peerEnded(connection)
      }
    } catch {
      broken(connection, error)
    }
    return 0
  }

  func fill(from stream: TCPStream) throws(SocketError) -> TCPStream.ReadOutcome {
    let outcome = readBuffer.withUnsafeMutableBytes {
      buffer -> Result<TCPStream.ReadOutcome, SocketError> in
      do throws(SocketError) {
        return .success(try stream.read(into: buffer))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  private func peerEnded(_ connection: StreamConnection) {
    connection.hasPeerEnded = true
    if case .lingering = connection.phase { return close(connection, .byUs) }
    guard !connection.isClosing else { return }
    connection.isEndedByPeer = true
    connection.deadline = now + limits.halfOpenMax
    tell(.ended(connection.id))
  }

  func broken(_ connection: StreamConnection, _ error: SocketError) {
    // All bytes are sent and our side is shut down, so the peer's error does not matter.
    if case .lingering = connection.phase { return close(connection, .byUs) }
    close(connection, .failed("the connection to \(connection.target) broke: \(error)"))
  }
}
