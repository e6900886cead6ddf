import SurfDelta
import SurfWire

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
