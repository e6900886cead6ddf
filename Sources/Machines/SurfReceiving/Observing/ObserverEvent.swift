import SurfTimeline
import SurfWire

/// What an observer reports about a session. The code that finds something out makes the event, and
/// the handler gets it unchanged.
package enum ObserverEvent: Equatable, Sendable {
  /// A new instance was heard.
  ///
  /// Some cases are indirect to keep records small: arrays hold hundreds of thousands of them.
  indirect case appeared(SessionID, Heartbeat, Standing = .plain)
  /// The instance was heard again. This also brings it back after `gone`.
  indirect case heartbeat(SessionID, Heartbeat)
  /// A record of a followed session. Its state may be a delta, which a viewer applies only when
  /// somebody looks at it. Live records arrive in order. Backlog records arrive in order among
  /// themselves, after the newest state.
  case record(SessionID, ArrivedRecord)
  /// The app no longer has these records.
  case lost(SessionID, ClosedRange<SequenceNumber>)
  /// Earlier events about records from this one on were false. Correct ones follow.
  case retracted(SessionID, from: SequenceNumber)
  /// The requested backlog was delivered, as far as it was available.
  case caughtUp(SessionID)
  /// News about the live values of an app, after a request for them.
  indirect case values(SessionID, ValueNews)
  indirect case restored(SessionID, Restored)
  /// The instance said goodbye, or was silent for too long.
  case gone(SessionID, saidGoodbye: Bool)
}
