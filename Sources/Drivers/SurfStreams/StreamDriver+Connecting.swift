import SurfSockets

/// Connects streams for the machine.
extension StreamDriver {
  func connect(_ id: StreamID, _ host: String, _ port: UInt16, _ timeout: Duration) {
    guard connectionsByID[id] == nil else { return }
    let target =
      host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    let connection = StreamConnection(id, .resolving, target: target)
    let isFull = connectionsByID.count >= limits.streamsMax
    add(connection)
    guard !isFull else {
      let reason = "there are \(limits.streamsMax) connections already"
      return close(connection, .failed("cannot connect to \(target): \(reason)"))
    }
    connection.giveUpAt = now + min(max(timeout, .zero), .seconds(86_400))
    connection.deadline = connection.giveUpAt
    resolver.resolve(host, port: port) { [inbox] in inbox.append(.answer(id, $0)) }
  }

  func hostFound(_ id: StreamID, _ answer: Result<[TCPAddress], ResolveError>) {
    guard let connection = connectionsByID[id], case .resolving = connection.phase else { return }
    switch answer {
    case .success(let addresses): tryNext(connection, addresses[...], "it has no address")
    case .failure(let error): close(connection, .failed("\(error)"))
    }
  }

  /// Connects to the first address that does not fail immediately. `problem` is the last error.
  private func tryNext(
    _ connection: StreamConnection, _ addresses: ArraySlice<TCPAddress>, _ problem: String
  ) {
    var rest = addresses
    var problem = problem
    while let address = rest.popFirst() {
      do throws(SocketError) {
        let stream = try TCPStream(connectingTo: address)
        connection.phase = .connecting(stream, rest: rest)
        // An unresponsive address must leave time for the others.
        let now = now
        connection.deadline = now + (connection.giveUpAt - now) / (rest.count + 1)
        return
      } catch {
        problem = "\(error)"
      }
    }
    close(connection, .failed(problem))
  }

  func finishConnecting(
    _ connection: StreamConnection, _ stream: TCPStream, _ rest: ArraySlice<TCPAddress>
  ) {
    do throws(SocketError) {
      guard try stream.finishConnecting() else { return }
      connection.phase = .open(stream)
      connection.deadline = connection.isClosing ? now + limits.closingMax : nil
      tell(.connected(connection.id, peer: stream.peer))
    } catch {
      tryNext(connection, rest, "\(error)")
    }
  }

  func attemptTimedOut(_ connection: StreamConnection, _ rest: ArraySlice<TCPAddress>) {
    tryNext(connection, rest, "cannot connect to \(connection.target): no answer in time")
  }
}
