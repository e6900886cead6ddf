import SurfTimeline
import SurfWire

/// What an observer tells of a session. Whoever learns it makes the event, down to the code that
/// puts a record together, and the handler gets it as it is.
package enum ObserverEvent: Equatable, Sendable {
  /// An instance was heard of for the first time.
  ///
  /// Indirect, as others are, to keep records small: they come by the hundred thousand, and lie in
  /// arrays.
  indirect case appeared(SessionID, Heartbeat, Standing = .plain)
  /// It was heard of again; also brings it back after `gone`.
  indirect case heartbeat(SessionID, Heartbeat)
  /// A record of a followed session. Its state may be a delta: a viewer makes it whole when
  /// somebody looks. Live ones come in order; the backlog's come in order among themselves, after
  /// the newest state.
  case record(SessionID, ArrivedRecord)
  /// These records are no longer available from the app.
  case lost(SessionID, ClosedRange<SequenceNumber>)
  /// Earlier events about records from this one on were not the app's word: the truth follows.
  case retracted(SessionID, from: SequenceNumber)
  /// All that was available of the requested backlog was delivered.
  case caughtUp(SessionID)
  /// Of the live values of an app that was asked for them.
  indirect case values(SessionID, ValueNews)
  indirect case restored(SessionID, Restored)
  /// It said goodbye, or was silent for too long.
  case gone(SessionID, saidGoodbye: Bool)
}
