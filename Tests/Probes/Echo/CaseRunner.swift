import SurfStreams

/// The client side for the suite's server: asks how many cases there are, echoes in each on a
/// connection of its own, and asks for the report.
struct CaseRunner: StreamMachine {
  private enum Step {
    case count
    case run(Int)
    case report
  }

  private let port: UInt16
  private let agent: String
  /// Told once, with what went wrong if something did.
  private let onEnd: @Sendable (String?) -> Void

  private var step = Step.count
  private var caseCount: Int?
  private var connection: EchoConnection?
  private var streamIDs = StreamIDs.connecting
  private var actions: [StreamAction] = []

  init(port: UInt16, agent: String, onEnd: @escaping @Sendable (String?) -> Void) {
    self.port = port
    self.agent = agent
    self.onEnd = onEnd
    connect()
  }

  private var path: String {
    switch step {
    case .count: "/getCaseCount"
    case .run(let number): "/runCase?case=\(number)&agent=\(agent)"
    case .report: "/updateReports?agent=\(agent)"
    }
  }

  private mutating func connect() {
    connection = .client(host: "127.0.0.1:\(port)", path: path)
    actions.append(
      .connect(streamIDs.next(), host: "127.0.0.1", port: port, timeout: .seconds(5)))
  }

  mutating func receive(_ event: StreamEvent, at now: Duration) {
    let stream = event.stream
    switch event {
    case .connected: flush(to: stream)
    case .received(_, let bytes): receive(bytes, on: stream)
    case .ended: actions.append(.closeAfterWriting(stream))
    case .closed(_, let end): finishStep(end)
    case .accepted, .progress, .drained: break
    }
  }

  private mutating func receive(_ bytes: [UInt8], on stream: StreamID) {
    guard var connection else { return }
    self.connection = nil
    let events = connection.receive(bytes)
    if case .run = step { connection.echo(events) }
    if case .count = step, case .text(let number) = events.first { caseCount = Int(number) }
    self.connection = connection
    // The server is the one to close the stream (RFC 6455 §7.1.1): we wait for its end.
    flush(to: stream)
  }

  private mutating func flush(to stream: StreamID) {
    guard let bytes = connection?.takeOutput(), !bytes.isEmpty else { return }
    actions.append(.write(stream, bytes))
  }

  private mutating func finishStep(_ end: StreamEnd) {
    guard let caseCount else { return onEnd("no number of cases: \(end)") }
    switch step {
    case .count: step = .run(1)
    case .run(let number) where number < caseCount: step = .run(number + 1)
    case .run: step = .report
    case .report: return onEnd(nil)
    }
    connect()
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
