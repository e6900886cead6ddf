import SurfReceiving
import SurfTimeline
import SurfWire

/// What has changed in a catalog: only which rows. Their content is read from the catalog.
package enum CatalogChange: Equatable, Sendable {
  /// A new instance. None of its records come unless it is followed.
  case appeared(SessionID)
  /// It was gone, and is heard again.
  case returned(SessionID)
  /// Its heartbeat says something new.
  case heard(SessionID)
  /// New rows, one after the other.
  case rows(SessionID, ClosedRange<SequenceNumber>)
  /// The missing part of a row has come.
  case completed(SessionID, SequenceNumber)
  case lost(SessionID, ClosedRange<SequenceNumber>)
  case retracted(SessionID, from: SequenceNumber)
  case caughtUp(SessionID)
  /// All values that are live in the app are known. Later ones come as rows.
  case values(SessionID)
  case moved(SessionID, Marker)
  case gone(SessionID, saidGoodbye: Bool)
}

extension Catalog {
  /// Keeps what an event tells.
  ///
  /// - Returns: what changed; nil if nothing worth telling did.
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

  /// - Parameter standing: of one that is new to the observer, which forgets instances that are
  ///   gone for long, and does not follow one that it does not know.
  private mutating func apply(
    _ heartbeat: Heartbeat, of session: SessionID, newly standing: Standing?
  ) -> CatalogChange? {
    let before = self[session].map { (status: $0.status, word: Word(of: $0)) }
    guard hear(session, heartbeat, as: standing) else { return nil }
    guard let before, before.status == .live else {
      return before == nil || standing != nil ? .appeared(session) : .returned(session)
    }
    return self[session].map(Word.init) == before.word ? nil : .heard(session)
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
    case .again(_, state: .some): .completed(session, number)
    case .again, .none: nil
    }
  }
}

/// What heartbeats have told of an instance that a viewer acts on. Most say again how far the
/// records are that have come: a viewer that drew for these would be busy when the next row comes.
private struct Word: Equatable {
  private var heartbeat: Heartbeat
  private let newest: SequenceNumber
  private let position: Position

  init(of instance: Instance) {
    heartbeat = instance.heartbeat
    heartbeat.uptime = 0
    heartbeat.progress = StreamProgress()
    // Reports overtake each other: the timeline knows which is the newest.
    (heartbeat.position, heartbeat.stamp) = (.initial, PositionStamp())
    newest = instance.timeline.newestNumber
    position = instance.timeline.position
  }
}
