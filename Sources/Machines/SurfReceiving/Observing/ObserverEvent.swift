import SurfBasics
import SurfTimeline
import SurfWire

/// An observer's report about a session. The code that finds something out makes the event, and the
/// handler gets it unchanged.
package enum ObserverEvent: Equatable, Sendable {
  /// A new instance was heard.
  ///
  /// Some cases are indirect to keep records small: arrays hold hundreds of thousands of them.
  indirect case appeared(SessionID, Heartbeat, Standing = .plain)
  /// The instance was heard again. This also revives it after `gone`.
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

/// Where an observer's receivers write what they find out, in order, until the driver takes it.
package final class EventSink {
  var events: [ObserverEvent] = []

  package init() {}

  func append(_ event: ObserverEvent) { events.append(event) }

  package func take() -> [ObserverEvent] { events.takeAll() }

  /// Removes all reports of a session's receiver about the stream.
  func disown(_ session: SessionID) {
    events.removeAll { event in
      switch event {
      case .record(session, _), .lost(session, _), .caughtUp(session), .values(session, _),
        .restored(session, _):
        true
      default: false
      }
    }
  }
}

/// A call of `Observer`, on its way to the observer's thread.
package enum ObserverCommand: Sendable {
  case follow(SessionID, HistoryRequest)
  case refetch(SessionID, ClosedRange<SequenceNumber>)
  case values(SessionID)
  case request(ObserverRequest)
}

/// A state or a command for an app.
package struct ObserverRequest: Sendable {
  let session: SessionID
  let target: Position
  /// The name of the file that the state is from.
  let fileName: String?
  package let content: Content?
  /// The delta from a state that the app has sent; nil to send the whole state.
  let delta: Delta?
  let isCommand: Bool
  let timeout: Duration
  package let completion: @Sendable (ResetAnswer) -> Void

  package init(
    session: SessionID, target: Position, fileName: String? = nil, content: Content?,
    delta: Delta? = nil, isCommand: Bool, timeout: Duration,
    completion: @escaping @Sendable (ResetAnswer) -> Void
  ) {
    self.session = session
    self.target = target
    self.fileName = fileName
    self.content = content
    self.delta = delta
    self.isCommand = isCommand
    self.timeout = timeout
    self.completion = completion
  }
}
