/// One step of an instance's history (Protocol.md §8).
package struct Record: Equatable, Sendable {
  /// 1, 2, 3 … within the session; dense, so that what is missing can be counted.
  package var sequence: UInt64
  package var kind: Kind
  /// Nanoseconds since 1970-01-01T00:00:00Z, by the app's clock.
  package var wallTime: Int64
  /// Nanoseconds since the session began, by a clock that never goes back.
  package var uptime: UInt64
  /// The record that caused this one; 0 if none is known.
  package var parent: UInt64
  /// What happened, in words: the action's description, the value's name, the log's message.
  package var name: String
  /// `file:line` of the call, or empty.
  package var source: String
  /// What came with it: the encoded action, the updated value, the log's attributes.
  package var payload: Content?
  /// The whole state after it.
  package var state: RecordState

  package init(
    sequence: UInt64, kind: Kind, wallTime: Int64 = 0, uptime: UInt64 = 0, parent: UInt64 = 0,
    name: String, source: String = "", payload: Content? = nil, state: RecordState = .none
  ) {
    self.sequence = sequence
    self.kind = kind
    self.wallTime = wallTime
    self.uptime = uptime
    self.parent = parent
    self.name = name
    self.source = source
    self.payload = payload
    self.state = state
  }

  /// What a record tells of.
  package enum Kind: Hashable, Sendable {
    /// An action that the store has reduced.
    case action
    /// A new value under a name, outside of the store.
    case update
    /// A line of the app's log.
    case log(LogLevel)
    /// A point in time that somebody wants to find again.
    case mark
    /// Somebody rewrote the history: the payload says how it stands now (§11.6).
    case revision
    /// A kind that a later version knows; shown, not interpreted.
    case other(UInt8)
  }
}

/// How much a log line matters. The numbers are the wire's: append only.
package enum LogLevel: UInt8, Sendable, CaseIterable {
  case trace = 1
  case debug, info, warning, error
}

/// Bytes and what they are, by a media type such as `application/json`. Never re-encoded on the
/// way.
package struct Content: Hashable, Sendable {
  package var type: String
  package var bytes: [UInt8]

  package init(type: String, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }
}

/// What a record says of the state.
package enum RecordState: Hashable, Sendable {
  /// Nothing: the kind of record has no state.
  case none
  /// All of it.
  case whole(Content)
  /// There was one, and the app was too busy to send it.
  case givenUp
  /// A form that this version reserves (2: a difference from another state); kept, not understood.
  case reserved(form: UInt8, Content)

  package var content: Content? {
    if case .whole(let content) = self { content } else { nil }
  }
}
