import SurfStreams

/// Answers each connection with what it says.
struct EchoServer: StreamMachine {
  private var connections: [StreamID: EchoConnection] = [:]
  private var actions: [StreamAction] = []

  mutating func receive(_ event: StreamEvent, at now: Duration) {
    let stream = event.stream
    switch event {
    case .accepted: connections[stream] = .server()
    case .received(_, let bytes): receive(bytes, on: stream)
    case .ended: actions.append(.closeAfterWriting(stream))
    case .closed: connections[stream] = nil
    case .connected, .progress, .drained: break
    }
  }

  private mutating func receive(_ bytes: [UInt8], on stream: StreamID) {
    guard var connection = connections.removeValue(forKey: stream) else { return }
    let events = connection.receive(bytes)
    connection.echo(events)
    let answer = connection.takeOutput()
    if !answer.isEmpty { actions.append(.write(stream, answer)) }
    if connection.isOver {
      actions.append(.closeAfterWriting(stream))
    } else {
      connections[stream] = connection
    }
  }

  typealias Input = Never
  mutating func receive(_ input: Never, at now: Duration) {}
  mutating func advance(to now: Duration) {}
  var deadline: Duration? { nil }

  mutating func takeActions() -> [StreamAction] {
    defer { actions = [] }
    return actions
  }
}
