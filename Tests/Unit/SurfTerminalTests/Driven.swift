import SurfObserver
import SurfTerminal
import SurfTimeline
import SurfWire
import Testing

/// A command's machine and its catalog, driven as an observer drives them: the catalog takes each
/// event first.
struct Driven<Session: CommandSession> {
  private var session: Session
  var catalog = Catalog()

  init(_ session: Session) { self.session = session }

  var deadline: Duration? { session.deadline }

  mutating func receive(_ event: ObserverEvent, at now: Duration) -> [CommandAction] {
    guard let change = catalog.apply(event) else { return [] }
    return session.receive(.change(change), in: catalog, at: now)
  }

  mutating func receive(_ answer: ResetAnswer, at now: Duration) -> [CommandAction] {
    session.receive(.answer(answer), in: catalog, at: now)
  }

  mutating func receive(isSure: Bool, at now: Duration) -> [CommandAction] {
    session.receive(.reply(isSure: isSure), in: catalog, at: now)
  }

  mutating func receive(
    dropped count: Int, in range: ClosedRange<SequenceNumber>, of app: SessionID, at now: Duration
  ) -> [CommandAction] {
    session.receive(.dropped(app, range, count: count), in: catalog, at: now)
  }

  mutating func advance(
    to now: Duration, counters: ViewerCounters = ViewerCounters()
  ) -> [CommandAction] {
    session.receive(.deadline(counters), in: catalog, at: now)
  }

  mutating func resize(columns: Int) { session.resize(columns: columns) }

  /// Each event at one moment.
  mutating func receive(all events: [ObserverEvent], at now: Duration = .zero) -> [CommandAction] {
    events.flatMap { receive($0, at: now) }
  }
}

/// The session that works on a history for a command line.
func history(
  _ line: [String], layout: Layout = Layout()
) throws -> Driven<HistorySession> {
  let command = try ArgumentParser.parse(line).command
  let question = try #require(command as? any HistoryQuestion)
  return Driven(
    HistorySession(
      question.task(layout), Invocation.Common(), end: question.end))
}

extension Command {
  /// Whether another one is the same.
  func equals(_ other: any Command) -> Bool { self == other as? Self }
}

extension Driven<HistorySession> {
  /// The actions for these events, all at about one moment, and for each deadline to the end.
  mutating func run(_ events: [ObserverEvent]) -> [CommandAction] {
    var actions = receive(all: Array(events.prefix(1))) + advance(to: .milliseconds(400))
    actions += receive(all: Array(events.dropFirst()), at: .milliseconds(500))
    while let deadline { actions += advance(to: deadline) }
    return actions.filter { if case .status = $0 { false } else { true } }
  }
}

extension ObserverEvent {
  /// A live record with a whole state.
  static func record(_ session: SessionID, _ record: Record) -> ObserverEvent {
    .record(session, ArrivedRecord(record))
  }
}
