/// One step of an instance's history (Protocol.md §8).
///
/// Records are passed around a lot and have many reference-counted parts, so this is one reference
/// to immutable storage.
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
    /// Read often, so it is stored apart from the large state.
    let base: SequenceNumber?
    let carriesState: Bool
    let movesApp: Bool

    init(_ fields: Fields) {
      base = fields.state.base
      carriesState = fields.state.isCarried
      if case .none = fields.state { movesApp = false } else { movesApp = fields.kind.movesApp }
      self.fields = fields
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

  /// 1, 2, 3 … within the session, without holes, so that missing records can be counted.
  package var sequence: SequenceNumber { storage.fields.sequence }
  package var kind: Kind { storage.fields.kind }
  /// Nanoseconds since 1970-01-01T00:00:00Z, by the app's clock.
  package var wallTime: Int64 { storage.fields.wallTime }
  /// Nanoseconds since the session began, by a monotonic clock.
  package var uptime: UInt64 { storage.fields.uptime }
  /// The record that caused this one; 0 if unknown.
  package var parent: SequenceNumber { storage.fields.parent }
  /// What happened: the action's description, the value's name, or the log message.
  package var name: String { storage.fields.name }
  /// `file:line` of the call, `by` and a viewer's name, or empty.
  package var source: String { storage.fields.source }

  /// The viewer that dispatched the action, if the source is `by ada@desk` (Protocol.md §8).
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
  /// The whole state after this step.
  package var state: RecordState {
    get { storage.fields.state }
    set { change { $0.state = newValue } }
  }
  /// Where the app was before this step; nil if earlier records say. Only if `hasTail`.
  package var grownFrom: GrownFrom? { storage.fields.grownFrom }
  /// How many equal consecutive actions this one combines; the state is that after the last
  /// (Protocol.md §12). 1 for all other kinds.
  package var count: WireCount { storage.fields.count }

  /// The record whose state is the base of this one's delta; nil if the state is not a delta.
  package var base: SequenceNumber? { storage.base }
  /// Whether the state was sent, whole or as a delta.
  package var carriesState: Bool { storage.carriesState }
  /// Octets of the name, the payload and the state: nearly the whole record.
  package var roughSize: Int { detailSize + state.size }
  /// Octets of the name and the payload.
  package var detailSize: Int { name.utf8.count + (payload?.bytes.count ?? 0) }
  /// Whether fields may follow the state (Protocol.md §8.1).
  package var hasTail: Bool { kind == .action || movesApp }
  /// Whether this record puts the app into the state after it (Protocol.md §11.7).
  package var movesApp: Bool { storage.movesApp }

  /// Replaces contents that were deltas by what was built from them.
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

  /// The same record without its state.
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

  /// What happened in a step.
  package enum Kind: Hashable, Sendable {
    /// The store has reduced an action.
    case action
    /// A name outside of the store has a new value.
    case update
    /// A line of the app's log.
    case log(LogLevel)
    /// A point in time to find again.
    case mark
    /// A viewer rewrote the history. The payload describes the result (§11.6).
    case revision
    /// The values of this name and of all names below it are gone (§10.10).
    case remove
    /// A viewer put the app into a state that no row had (§11.4).
    case restored
    /// A kind of a later version; shown, not interpreted.
    case other(UInt8)

    /// Whether a record of this kind that has a state puts the app there (Protocol.md §11.7).
    package var movesApp: Bool {
      switch self {
      case .action, .update, .revision, .mark, .restored: true
      case .log, .remove, .other: false
      }
    }
  }
}

/// How much a log line matters. The numbers are part of the wire format: append only.
package enum LogLevel: UInt8, Sendable, CaseIterable {
  case trace = 1
  case debug, info, warning, error
}

/// Bytes and their media type, such as `application/json`. Nobody re-encodes them on the way.
package struct Content: Hashable, Sendable {
  package var type: String
  package var bytes: [UInt8]

  package init(type: String, bytes: [UInt8]) {
    self.type = type
    self.bytes = bytes
  }
}

/// What a record says about the state.
package enum RecordState: Equatable, Sendable {
  /// This kind of record has no state.
  case none
  /// The whole state.
  case keyframe(Content)
  /// A delta from an earlier record's state. The type is the state's own, the bytes are the delta
  /// (Protocol.md §8.3).
  case delta(Content)
  /// There was a state, and the app did not send it (Protocol.md §8.1).
  case givenUp
  /// The app sent a delta, and this viewer cannot make the state: it does not have what the delta
  /// is from, or the delta is malformed. No app sends this; it is encoded as given up.
  case unmade
  /// A form of a later version, 4 to 15; kept, not interpreted.
  case reserved(form: UInt8, Content)

  package var content: Content? {
    if case .keyframe(let content) = self { content } else { nil }
  }
}

extension RecordState {
  /// How many octets of it the record carries.
  package var size: Int {
    switch self {
    case .keyframe(let content), .delta(let content), .reserved(_, let content):
      content.bytes.count
    case .none, .givenUp, .unmade: 0
    }
  }

  /// Whether the state was sent, whole or as a delta.
  var isCarried: Bool {
    switch self {
    case .keyframe, .delta: true
    case .none, .givenUp, .unmade, .reserved: false
    }
  }

  /// The record whose state is the base of this delta; nil if this is not a delta, or is too short.
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

/// Which of a session's two runs of records one belongs to. Deltas refer to states of their own
/// run.
package enum RecordOrigin: Sendable {
  /// The newest state, and everything after it.
  case live
  case backlog
}

/// A record as a viewer received it. Its state may be a delta from the one before in its run.
package struct ArrivedRecord: Equatable, Sendable {
  package let record: Record
  package let origin: RecordOrigin
  /// Whether the viewer wants it only as the base of the next records' states.
  package let isBase: Bool

  package init(_ record: Record, from origin: RecordOrigin = .live, isBase: Bool = false) {
    self.record = record
    self.origin = origin
    self.isBase = isBase
  }
}
