/// One step of an instance's history (Protocol.md §8).
///
/// It passes through many hands, and has many reference-counted parts: so it is one reference to
/// all of them, which never change.
package struct Record: Equatable, Sendable {
  private struct Fields: Equatable, Sendable {
    let sequence: SequenceNumber
    let kind: Kind
    let wallTime: Int64
    let uptime: UInt64
    let parent: SequenceNumber
    let name: String
    let source: String
    var payload: Content?
    var payloadIsDelta: Bool
    var state: RecordState
    var grownFrom: GrownFrom?
    var count: WireCount
  }

  private final class Storage: Sendable {
    let fields: Fields
    /// Read at every turn, and kept apart from the state, which is large.
    let base: SequenceNumber?
    let carriesState: Bool
    let movesApp: Bool

    init(_ fields: Fields) {
      self.fields = fields
      base = fields.state.base
      carriesState = fields.state.isCarried
      if case .none = fields.state { movesApp = false } else { movesApp = fields.kind.movesApp }
    }
  }

  private var storage: Storage

  package init(
    sequence: SequenceNumber, kind: Kind, wallTime: Int64 = 0, uptime: UInt64 = 0,
    parent: SequenceNumber = 0, name: String, source: String = "", payload: Content? = nil,
    payloadIsDelta: Bool = false,
    state: RecordState = .none, grownFrom: GrownFrom? = nil, count: WireCount = 1
  ) {
    storage = Storage(
      Fields(
        sequence: sequence, kind: kind, wallTime: wallTime, uptime: uptime, parent: parent,
        name: name, source: source, payload: payload, payloadIsDelta: payloadIsDelta,
        state: state, grownFrom: grownFrom, count: count))
  }

  /// 1, 2, 3 … within the session; dense, so that missing records can be counted.
  package var sequence: SequenceNumber { storage.fields.sequence }
  package var kind: Kind { storage.fields.kind }
  /// Nanoseconds since 1970-01-01T00:00:00Z, by the app's clock.
  package var wallTime: Int64 { storage.fields.wallTime }
  /// Nanoseconds since the session began, by a clock that never goes back.
  package var uptime: UInt64 { storage.fields.uptime }
  /// The record that caused this one; 0 if none is known.
  package var parent: SequenceNumber { storage.fields.parent }
  /// What happened, in words: the action's description, the value's name, the log's message.
  package var name: String { storage.fields.name }
  /// `file:line` of the call, or empty.
  package var source: String { storage.fields.source }

  /// The viewer that dispatched the action, as the source tells it: `by ada@desk` (Protocol.md §8).
  package var dispatcher: String? {
    source.hasPrefix("by ") ? String(source.dropFirst(3)) : nil
  }
  /// Whether the source is a place in the program.
  package var hasPlace: Bool { !source.isEmpty && dispatcher == nil }
  /// The encoded action, the updated value, or the log's attributes.
  package var payload: Content? {
    get { storage.fields.payload }
    set { replace(payload: newValue, state: state) }
  }
  /// Whether the payload's bytes are a delta from an earlier record's payload (Protocol.md §8.4).
  package var payloadIsDelta: Bool { storage.fields.payloadIsDelta }
  /// The whole state after it.
  package var state: RecordState {
    get { storage.fields.state }
    set { change { $0.state = newValue } }
  }
  /// Of a record with a tail: where the app was; nil if that is where the records before put it.
  package var grownFrom: GrownFrom? { storage.fields.grownFrom }
  /// Of an action alone: how many equal ones in a row it stands for; the state is that after the
  /// last (Protocol.md §12).
  package var count: WireCount { storage.fields.count }

  /// The record whose state is the base of this one's; nil if that is not a delta.
  package var base: SequenceNumber? { storage.base }
  /// Whether the state is there, whole or as a delta.
  package var carriesState: Bool { storage.carriesState }
  /// Octets that it takes, but for those of numbers and types, which are few.
  package var roughSize: Int { detailSize + state.size }
  /// Octets of its name and its payload.
  package var detailSize: Int { name.utf8.count + (payload?.bytes.count ?? 0) }
  /// Whether fields may follow its state (Protocol.md §8.1).
  package var hasTail: Bool { kind == .action || movesApp }
  /// Whether the app was in the state after it, and nowhere else (Protocol.md §11.7).
  package var movesApp: Bool { storage.movesApp }

  /// Puts in contents made of deltas.
  package mutating func replace(payload: Content?, state: RecordState) {
    change {
      $0.payload = payload
      $0.payloadIsDelta = false
      $0.state = state
    }
  }

  mutating func add(_ tail: RecordTail) {
    change {
      $0.grownFrom = tail.grownFrom
      $0.count = tail.count
    }
  }

  /// The same record, as one that has no state.
  package var withoutState: Record {
    guard state != .none else { return self }
    var record = self
    record.change { $0.state = .none }
    return record
  }

  private mutating func change(_ change: (inout Fields) -> Void) {
    var fields = storage.fields
    change(&fields)
    storage = Storage(fields)
  }

  package static func == (first: Record, second: Record) -> Bool {
    first.storage === second.storage || first.storage.fields == second.storage.fields
  }

  /// The kind of event in a record.
  package enum Kind: Hashable, Sendable {
    /// An action that the store has reduced.
    case action
    /// A new value under a name, outside of the store.
    case update
    /// A line of the app's log.
    case log(LogLevel)
    /// A point in time to find again.
    case mark
    /// A viewer rewrote the history: the payload says how it stands now (§11.6).
    case revision
    /// The value of this name is gone, and those of all names below it (§10.10).
    case remove
    /// A viewer put the app into a state that no row had (§11.4).
    case restored
    /// A kind that a later version knows; shown, not interpreted.
    case other(UInt8)

    /// Whether the state of such a record is where the app was then (Protocol.md §11.7).
    package var movesApp: Bool {
      switch self {
      case .action, .update, .revision, .mark, .restored: true
      case .log, .remove, .other: false
      }
    }
  }
}

/// How much a log line matters. The numbers are the wire's: append only.
package enum LogLevel: UInt8, Sendable, CaseIterable {
  case trace = 1
  case debug, info, warning, error
}

/// Bytes and their media type, such as `application/json`. Never re-encoded on the way.
package struct Content: Hashable, Sendable {
  package var type: String
  package var bytes: [UInt8]

  package init(type: String, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }

  /// Of a state as reflection saw it (Protocol.md §8.2): to look at, and not to be sent back.
  package static let reflectionType = "application/vnd.statesurf.reflection+json"

  /// Whether an app can be put into this state, as far as its type tells.
  package var isRestorable: Bool { type != Self.reflectionType }
}

/// A record's statement of the state.
package enum RecordState: Hashable, Sendable {
  /// Nothing: the kind of record has no state.
  case none
  /// All of it.
  case keyframe(Content)
  /// A delta from the state of an earlier record: the type is the state's own, the bytes are the
  /// delta (Protocol.md §8.3).
  case delta(Content)
  /// There was one, and the app did not send it (Protocol.md §8.1).
  case givenUp
  /// A form of a later version, 4 to 15; kept, not understood.
  case reserved(form: UInt8, Content)

  package var content: Content? {
    if case .keyframe(let content) = self { content } else { nil }
  }
}

extension RecordState {
  /// Octets of it that a record carries.
  package var size: Int {
    switch self {
    case .keyframe(let content), .delta(let content), .reserved(_, let content):
      content.bytes.count
    case .none, .givenUp: 0
    }
  }

  /// Whether the state is there, whole or as a delta.
  var isCarried: Bool {
    switch self {
    case .keyframe, .delta: true
    case .none, .givenUp, .reserved: false
    }
  }

  /// The record whose state is this delta's base; nil if this is not a delta, or too short to be
  /// one.
  package var base: SequenceNumber? {
    guard case .delta(let content) = self else { return nil }
    return content.bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      do throws(WireError) {
        return SequenceNumber(try reader.number("base"))
      } catch {
        return nil
      }
    }
  }
}

/// The run of a session's records in which one came. The states of each run are made one of
/// another.
package enum RecordOrigin: Sendable {
  /// The newest state, and what comes after it.
  case live
  case backlog
}

/// A record as a viewer received it: its state may be a delta from the one before in its run.
package struct ArrivedRecord: Equatable, Sendable {
  package let record: Record
  package let origin: RecordOrigin
  /// The viewer did not ask for it, but the states of the next ones are made of its state.
  package let isBase: Bool

  package init(_ record: Record, from origin: RecordOrigin = .live, isBase: Bool = false) {
    self.record = record
    self.origin = origin
    self.isBase = isBase
  }
}
