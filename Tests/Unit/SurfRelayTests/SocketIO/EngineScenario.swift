import SurfRelay
import SurfWeb
import Testing

/// A named exchange with a server session: inputs, each with all the outputs it must have.
struct EngineScenario: Sendable, CustomTestStringConvertible {
  enum Input: Sendable {
    case poll
    case post(String)
    case webSocketOpened
    case text(String)
    case binary([UInt8])
    case webSocketClosed
    case pollCancelled
    case send(WebMessage)
    case close
    /// Time passes, and the session is advanced at each of its deadlines.
    case wait(Duration)
  }

  typealias Step = (Input, [EngineIOServerSession.Output])

  let name: String
  let transport: EngineIOTransport
  let steps: [Step]

  init(_ name: String, _ transport: EngineIOTransport, _ steps: [Step]) {
    self.name = name
    self.transport = transport
    self.steps = steps
  }

  var testDescription: String { name }

  /// The times of the reference test suite.
  static let configuration = {
    var configuration = EngineIOConfiguration()
    configuration.pingInterval = .milliseconds(300)
    configuration.pingTimeout = .milliseconds(200)
    configuration.maxPayload = 100
    configuration.upgradeTimeout = .milliseconds(100)
    configuration.queueSizeMax = 1000
    return configuration
  }()

  /// What each step did, after the open packet was taken.
  func run() -> [[EngineIOServerSession.Output]] {
    var session = EngineIOServerSession(
      sid: "S", configuration: Self.configuration, transport: transport, now: .zero)
    _ = session.takeOutputs()
    var now = Duration.zero
    return steps.map { input, _ in
      Self.apply(input, to: &session, now: &now)
      return session.takeOutputs()
    }
  }

  static func apply(
    _ input: Input, to session: inout EngineIOServerSession, now: inout Duration
  ) {
    switch input {
    case .poll: session.poll(at: now)
    case .post(let body): session.post(Array(body.utf8), at: now)
    case .webSocketOpened: session.webSocketOpened(at: now)
    case .text(let text): session.receive(.text(text), at: now)
    case .binary(let bytes): session.receive(.binary(bytes), at: now)
    case .webSocketClosed: session.webSocketClosed(at: now)
    case .pollCancelled: session.pollCancelled(at: now)
    case .send(let message): session.send(message)
    case .close: session.close()
    case .wait(let duration):
      let end = now + duration
      while let deadline = session.deadline, deadline <= end {
        session.advance(to: deadline)
        // A session that ignores its deadline would keep the test here forever.
        guard session.deadline != deadline else { break }
      }
      now = end
    }
  }
}

extension EngineIOServerSession.Output {
  /// A poll's answer, written as text.
  static func respond(_ body: String) -> Self { .respondPoll(Array(body.utf8)) }
}
