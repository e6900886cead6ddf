import JSONTree
import SurfRelay
import Testing

/// A named exchange with a Socket.IO server, whose application is that of the reference test suite.
/// It grants each connection, sends the client's data back as `auth`, echoes `message` as
/// `message-back`, and answers `message-with-ack`.
struct SocketIOScenario: Sendable, CustomTestStringConvertible {
  enum Input: Sendable {
    /// An Engine.IO message, and so without the `4` in front.
    case text(String)
    case binary([UInt8])
    case wait(Duration)
  }

  enum Result: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    case disconnected(String)
    case acknowledged(Int)
    case close(SocketIOClosing)
  }

  let name: String
  let steps: [(Input, [Result])]

  init(_ name: String, _ steps: [(Input, [Result])]) {
    self.name = name
    self.steps = steps
  }

  var testDescription: String { name }

  func run() throws -> [[Result]] {
    var application = Application()
    return try steps.map { try application.take($0.0) }
  }
}

private struct Application {
  var session = SocketIOServerSession(namespaces: ["/", "/custom"], now: .zero)
  var now = Duration.zero
  var results: [SocketIOScenario.Result] = []

  mutating func take(_ input: SocketIOScenario.Input) throws -> [SocketIOScenario.Result] {
    switch input {
    case .text(let text): session.receive(.text(text), at: now)
    case .binary(let bytes): session.receive(.binary(bytes), at: now)
    case .wait(let duration):
      now += duration
      session.advance(to: now)
    }
    results = []
    while case let outputs = session.takeOutputs(), !outputs.isEmpty {
      for output in outputs { try handle(output) }
    }
    return results
  }

  private mutating func handle(_ output: SocketIOServerSession.Output) throws {
    switch output {
    case .send(.text(let text)): results.append(.text(text))
    case .send(.binary(let bytes)): results.append(.binary(bytes))
    case .connectRequested(let namespace, let authentication):
      session.accept(namespace, sid: "N")
      let message = SocketIOMessage(event: "auth", arguments: [authentication ?? [:]])
      try session.send(message, to: namespace)
    case .event(let namespace, let message, let id): try react(to: message, id, in: namespace)
    case .acknowledged(_, _, let id): results.append(.acknowledged(id))
    case .disconnected(let namespace): results.append(.disconnected(namespace))
    case .close(let reason): results.append(.close(reason))
    }
  }

  private mutating func react(
    to message: SocketIOMessage, _ id: Int?, in namespace: String
  ) throws {
    if message.event == "message-with-ack", let id {
      let reply = SocketIOReply(arguments: message.arguments, attachments: message.attachments)
      try session.acknowledge(id, reply, to: namespace)
    } else {
      var answer = message
      answer.event = "message-back"
      try session.send(answer, to: namespace)
    }
  }
}
