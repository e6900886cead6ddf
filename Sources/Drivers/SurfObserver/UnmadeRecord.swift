import SurfReceiving
import SurfWire

/// Which of a session's two streams a record came in.
package typealias RecordOrigin = SurfReceiving.RecordOrigin

/// A record as it came: its state may still be a difference from the one before.
///
/// Whoever cannot take records at once keeps them like this. A thousand states of a megabyte that
/// differ by little are a thousand megabytes once they are made.
package struct UnmadeRecord: Sendable {
  package let session: SessionID
  package var record: Record
  package let origin: RecordOrigin
  /// False for one that nobody asked for, but of whose state the next ones are made.
  package let isTold: Bool

  package init(
    session: SessionID, record: Record, origin: RecordOrigin = .live, isTold: Bool = true
  ) {
    self.session = session
    self.record = record
    self.origin = origin
    self.isTold = isTold
  }
}

/// What an observer tells somebody who makes the states himself.
package enum ObserverPart: Sendable {
  /// Anything but a record.
  case event(ObserverEvent)
  case record(UnmadeRecord)
}

extension ObserverPart {
  /// What a receiver has brought; nil for what nobody is told.
  init?(_ output: Receiver.Output, of session: SessionID) {
    switch output {
    case .record(let record, let origin):
      self = .record(UnmadeRecord(session: session, record: record, origin: origin))
    case .base(let record, let origin):
      self = .record(UnmadeRecord(session: session, record: record, origin: origin, isTold: false))
    case .restored(let restored): self = .event(.restored(session, restored))
    case .lost(let range): self = .event(.lost(session, range))
    case .retracted(let first): self = .event(.retracted(session, from: first))
    case .caughtUp: self = .event(.caughtUp(session))
    case .gone(let saidGoodbye): self = .event(.gone(session, saidGoodbye: saidGoodbye))
    case .returned: return nil
    }
  }
}

/// Makes the states of the records of many sessions, in the order in which they were told.
package struct StateMakers: Sendable {
  private var makers: [SessionID: StateMaker] = [:]

  /// As many as an observer keeps track of. Beyond, all begin anew with their next whole state: a
  /// flood of invented sessions takes no more memory than this.
  private static let countMax = 256

  package init() {}

  /// States that could not be made, because one that they differ from is missing or wrong.
  package var failureCount: Int { makers.values.reduce(0) { $0 + $1.failureCount } }

  /// Gives the record a whole state, or none if it cannot be made.
  package mutating func make(_ unmade: inout UnmadeRecord) {
    if makers[unmade.session] == nil, makers.count >= Self.countMax { makers = [:] }
    makers[unmade.session, default: StateMaker()].resolve(&unmade.record, from: unmade.origin)
  }
}
