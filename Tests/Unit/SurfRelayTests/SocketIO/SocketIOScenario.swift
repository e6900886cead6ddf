import SurfRelay
import SurfWeb
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

  func run() -> [[Result]] {
    var application = Application()
    return steps.map { application.take($0.0) }
  }
}

private struct Application {
  var connection = SocketIOServerConnection(
    engine: EngineIOServerSession(sid: "S", transport: .webSocket, now: .zero), now: .zero)
  var now = Duration.zero
  var results: [SocketIOScenario.Result] = []

  init() { _ = connection.takeOutputs() }

  mutating func take(_ input: SocketIOScenario.Input) -> [SocketIOScenario.Result] {
    results = []
    switch input {
    case .text(let text): receive(.text("4" + text))
    case .binary(let bytes): receive(.binary(bytes))
    case .wait(let duration):
      let end = now + duration
      while let deadline = connection.deadline, deadline <= end {
        now = deadline
        connection.advance(to: now)
        handleAll()
      }
      now = end
    }
    return results
  }

  private mutating func receive(_ frame: WebMessage) {
    let now = now
    connection.withEngine(at: now) { $0.receive(frame, at: now) }
    handleAll()
  }

  private mutating func handleAll() {
    while connection.hasOutputs {
      for output in connection.takeOutputs() { handle(output) }
    }
  }

  private mutating func handle(_ output: SocketIOServerConnection.Output) {
    switch output {
    case .transport(.send(.text("2"))): receive(.text("3"))
    case .transport(.send(.text(let text))): results.append(.text(String(text.dropFirst())))
    case .transport: break
    case .connectRequested: connection.accept(sid: "N", at: now)
    case .event(var message):
      message.event = "message-back"
      connection.send(message, at: now)
    case .acknowledged: results.append(.acknowledged)
    case .disconnected: results.append(.disconnected)
    case .closed(let reason): results.append(.close(reason))
    }
  }
}
