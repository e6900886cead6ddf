import JSONTree
import SurfRelay
import Testing

/// A named exchange with a Socket.IO server, whose application is that of the reference test suite,
/// as far as the gateway needs it. It grants each connection, and echoes `message` as
/// `message-back`.
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
    case disconnected
    case acknowledged
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
  var session = SocketIOServerSession(now: .zero)
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
    case .connectRequested: session.accept(sid: "N")
    case .event(var message):
      message.event = "message-back"
      try session.send(message)
    case .acknowledged: results.append(.acknowledged)
    case .disconnected: results.append(.disconnected)
    case .close(let reason): results.append(.close(reason))
    }
  }
}

extension JSON {
  /// The reference to an attachment, in arguments.
  static func socketIOPlaceholder(_ index: Int) -> JSON {
    ["_placeholder": true, "num": .number(index)]
  }
}
