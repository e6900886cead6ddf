import SurfReceiving
import SurfTimeline
import SurfWire

/// Which rows of a catalog have changed, for its readers. They read the content from the catalog.
package enum CatalogChange: Equatable, Sendable {
  /// A new instance. The observer delivers its records only if it is followed.
  case appeared(SessionID)
  /// An instance that was gone is heard again.
  case returned(SessionID)
  /// A heartbeat with news.
  case heard(SessionID)
  /// New rows, in order.
  case rows(SessionID, ClosedRange<SequenceNumber>)
  /// The missing part of an earlier row has arrived.
  case completed(SessionID, SequenceNumber)
  case lost(SessionID, ClosedRange<SequenceNumber>)
  case retracted(SessionID, from: SequenceNumber)
  case caughtUp(SessionID)
  /// All live values of the app are known. Later ones arrive as rows.
  case values(SessionID)
  case moved(SessionID, Marker)
  case gone(SessionID, saidGoodbye: Bool)
}

extension Catalog {
  /// Stores the content of an event.
  ///
  /// - Returns: What changed; nil if nothing that a reader needs to know.
  package mutating func apply(_ event: ObserverEvent) -> CatalogChange? {
    switch event {
    case .appeared(let session, let heartbeat, let standing):
      apply(heartbeat, of: session, newly: standing)
    case .heartbeat(let session, let heartbeat): apply(heartbeat, of: session, newly: nil)
    case .record(let session, let record): apply(record, of: session)
    case .lost(let session, let range):
      lose(range, of: session) ? .lost(session, range) : nil
    case .retracted(let session, let first):
      retract(from: first, of: session) ? .retracted(session, from: first) : nil
    case .caughtUp(let session): self[session] == nil ? nil : .caughtUp(session)
    case .values(let session, let news): apply(news, of: session)
    case .restored(let session, let restored):
      note(restored, by: session).map { .moved(session, $0) }
    case .gone(let session, let saidGoodbye):
      leave(session, saidGoodbye: saidGoodbye) ? .gone(session, saidGoodbye: saidGoodbye) : nil
    }
  }

  /// - Parameter standing: Set if the instance is new to the observer. The observer forgets
  ///   instances that are gone for long, and follows none that it does not know.
  private mutating func apply(
    _ heartbeat: Heartbeat, of session: SessionID, newly standing: Standing?
  ) -> CatalogChange? {
    let before = self[session].map { (status: $0.status, facts: ShownFacts(of: $0)) }
    guard hear(session, heartbeat, as: standing) else { return nil }
    guard let before, before.status == .live else {
      return before == nil || standing != nil ? .appeared(session) : .returned(session)
    }
    return self[session].map(ShownFacts.init) == before.facts ? nil : .heard(session)
  }

  private mutating func apply(_ news: ValueNews, of session: SessionID) -> CatalogChange? {
    update(session) { instance -> CatalogChange? in
      switch news {
      case .asked: instance.values.begin()
      case .value(let record): instance.values.add(answer: record)
      case .complete(let horizon, let leftOut):
        instance.values.complete(horizon: horizon, leftOut: leftOut)
        return .values(session)
      }
      return nil
    } ?? nil
  }

  private mutating func apply(
    _ arrived: ArrivedRecord, of session: SessionID
  ) -> CatalogChange? {
    let number = arrived.record.sequence
    return switch add(arrived, to: session) {
    case .row: .rows(session, number...number)
    case .again(_, let state, let isCompleted):
      state != nil || isCompleted ? .completed(session, number) : nil
    case .none: nil
    }
  }
}

/// What viewers show of an instance's heartbeats. Most heartbeats only repeat how far the records
/// have come; a viewer that redrew for those would be busy when the next row arrives.
private struct ShownFacts: Equatable {
  private var heartbeat: Heartbeat
  private let newest: SequenceNumber
  private let position: Position

  init(of instance: Instance) {
    heartbeat = instance.heartbeat
    heartbeat.uptime = 0
    heartbeat.progress = StreamProgress()
    // Reports overtake each other, and the timeline knows the newest.
    (heartbeat.position, heartbeat.stamp) = (.initial, PositionStamp())
    newest = instance.timeline.newestNumber
    position = instance.timeline.position
  }
}
