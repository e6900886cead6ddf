import SurfSockets

/// The end: what is unsent gets a last chance.
extension StreamDriver {
  func finish() {
    let until = now + limits.stopMax
    takeLastInputs()
    for connection in connections where !isWorthWaitingFor(connection) { close(connection, .byUs) }
    sweep()
    while !connections.isEmpty, now < until {
      let writing = connections.compactMap(\.writableDescriptor)
      noteRoom(Set(wait([], writing, until: until).writable))
      for connection in connections { flush(connection) }
      for connection in connections where connection.unsent.isEmpty { sayGoodbye(connection) }
      sweep()
    }
    for connection in connections { abort(connection, .byUs) }
    sweep()
    inbox.report(counters)
  }

  /// What was sent in before `stop` is still done.
  private func takeLastInputs() {
    let now = now
    for case .input(let input) in inbox.take() { machine.receive(input, at: now) }
    machine.advance(to: now)
    for action in machine.takeActions() { perform(action) }
    for connection in connections { flush(connection) }
    for connection in connections where connection.unsent.isEmpty { sayGoodbye(connection) }
    sweep()
  }

  private func isWorthWaitingFor(_ connection: StreamConnection) -> Bool {
    if case .open = connection.phase { true } else { false }
  }

  /// Closes without a reset, as far as possible without waiting: unread bytes would cause one, and
  /// the peer might lose what it has not read yet.
  private func sayGoodbye(_ connection: StreamConnection) {
    guard let stream = connection.stream else { return close(connection, .byUs) }
    stream.shutDownWriting()
    discardInput(of: stream)
    close(connection, .byUs)
  }

  private func discardInput(of stream: TCPStream) {
    var budget = limits.turnReadSize
    while budget > 0 {
      do throws(SocketError) {
        guard case .bytes(let size) = try fill(from: stream) else { return }
        budget -= size
      } catch {
        return
      }
    }
  }
}
