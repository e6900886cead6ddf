internal import FoundationEssentials
internal import SurfNetwork
package import SurfStore
package import SurfValues
internal import SurfWire

/// A record as an app's thread adds it to the mailbox: values copied, nothing described or encoded.
package struct Entry: Sendable {
  let kind: Record.Kind
  /// Its description becomes the record's name.
  let subject: Subject
  var source: CallSite
  var parent: RecordID?
  /// For an action.
  var ancestry = Ancestry.usual
  /// For a restored state: the request that brought it.
  var cause: RequestKey?
  /// For a change without an action.
  var change: Change?
  /// Whether viewers can skip this action alone, so that it needs a record of its own.
  var isForReplay = false
  var payload: Piece { didSet { facts.payload = payload.facts } }
  var state: Piece { didSet { facts.state = state.facts } }
  private(set) var facts: Facts
  /// When it was recorded. The queue sets it, so that times there never decrease.
  package var moment = Moment()

  // The calls of the app pass everything here: an entry that is changed afterwards is copied.

  init(
    kind: Record.Kind, subject: consuming Subject, source: consuming CallSite,
    parent: RecordID? = nil, payload: consuming Piece = .none, state: consuming Piece = .none
  ) {
    facts = Facts(
      kind: kind, subjectSize: subject.size, payload: payload.facts, state: state.facts)
    self.kind = kind
    self.subject = subject
    self.source = source
    self.parent = parent
    self.payload = payload
    self.state = state
  }

  init(
    kind: Record.Kind, subject: any Sendable, source: consuming CallSite,
    parent: RecordID? = nil, payload: consuming Piece = .none, state: consuming Piece = .none
  ) {
    self.init(
      kind: kind, subject: .value(subject), source: source, parent: parent, payload: payload,
      state: state)
  }

  init(
    _ kind: Record.Kind, _ name: String, source: consuming CallSite,
    parent: RecordID? = nil, payload: consuming Piece = .none, state: consuming Piece = .none
  ) {
    self.init(
      kind: kind, subject: .name(name), source: source, parent: parent, payload: payload,
      state: state)
  }

  /// A change without an action.
  init(
    _ change: Change, _ state: any Encodable & Sendable, source: CallSite,
    parent: RecordID? = nil
  ) {
    self.init(.action, change.rawValue, source: source, parent: parent, state: .value(state))
    self.change = change
  }

  /// Which state an entry without an action has. The text is its record's name, if nothing is known
  /// of the difference.
  enum Change: String, Sendable {
    case before = "state before"
    case after = "changed"
  }

  /// A state that no row has, and that a viewer has put the app into.
  init(_ reset: IncomingReset, state: Piece) {
    let viewer = reset.viewerName
    self.init(
      .restored, "\(reset.fileName ?? "a state") from \(viewer)",
      source: .step(ActionSource(viewer: viewer)), state: state)
    cause = RequestKey(reset)
  }

  /// The same with the state as the viewer sent it, marks included.
  init(_ reset: IncomingReset) {
    self.init(
      reset, state: reset.state.map { .bytes($0.bytes, contentType: $0.type) } ?? .none)
  }

  /// For tests: an action with its state in bytes.
  package init(
    action: String, payload: [UInt8]? = nil, state: [UInt8]?, parent: RecordID? = nil
  ) {
    self.init(
      .action, action, source: .none, parent: parent,
      payload: payload.map { .bytes($0, contentType: Piece.json) } ?? .none,
      state: state.map { .bytes($0, contentType: Piece.unknownContentType) } ?? .none)
  }

  /// For tests: an update of the value `word`, or a removal if `word` begins with `-`.
  package init(told word: String, payload: [UInt8]? = nil) {
    let isGone = word.hasPrefix("-")
    self.init(
      isGone ? .remove : .update, isGone ? String(word.dropFirst()) : word, source: .none,
      payload: payload.map { .bytes($0, contentType: Piece.json) } ?? .none)
  }

  /// For tests: the same word; for other records their name.
  package var told: String { (kind == .remove ? "-" : "") + (subject.name ?? "") }

  /// For tests: an action with its state as a value.
  package init(action: String, stateValue: any Encodable & Sendable) {
    self.init(.action, action, source: .none, state: .value(stateValue))
  }

  /// For tests.
  package init(revision: String) { self.init(.revision, revision, source: .none) }

  package var isStateGivenUp: Bool { if case .givenUp = state { true } else { false } }

  /// The sizes and kinds of an entry's parts, before they are encoded. Kept, because each look at a
  /// `Subject` or a `Piece` copies its values.
  struct Facts: Sendable {
    let kind: Record.Kind
    /// Octets; nil if the subject must be described first.
    let subjectSize: Int?
    var payload: Piece.Facts
    var state: Piece.Facts
  }

  /// The name of the record that an entry becomes.
  enum Subject: Sendable {
    case name(String)
    /// The description of this value, made on the encoding thread.
    case value(any Sendable)

    /// Nil if the value must be described first.
    var name: String? {
      switch self {
      case .name(let name): name
      case .value(let value): value as? String
      }
    }

    /// Octets; nil if the value must be described first.
    var size: Int? {
      switch self {
      case .name(let name): name.utf8.count
      case .value: nil
      }
    }
  }
}

/// Where in the source a record was made. It becomes text on the encoding thread.
package enum CallSite: Sendable {
  case none
  case call(file: StaticString, line: UInt)
  /// With `info`, which few steps have.
  indirect case annotated(ActionSource)
  /// From a logger, which reports its callers' places as text.
  case logger(file: String, line: UInt)

  package static func step(_ source: ActionSource) -> CallSite {
    source.info == nil ? .call(file: source.fileName, line: source.line) : .annotated(source)
  }
}

/// The payload or state of an entry.
enum Piece: Sendable {
  case none
  /// To be encoded as JSON.
  case value(any Encodable & Sendable)
  /// An action: to be encoded as JSON if it is `Encodable`, otherwise by reflection.
  case action(any Sendable)
  /// To be turned into JSON by reflection.
  case reflection(any Sendable)
  /// Sent as they are, but for values at redacted paths.
  case bytes([UInt8], contentType: String)
  /// Sent as they are, but not yet copied out of Foundation's type.
  case data(Data, contentType: String)
  /// Made when the sequences of earlier records are known.
  case report(@Sendable (SequenceTable) throws -> Content)
  /// A state that did not fit.
  case givenUp

  /// RFC 2046 §4.5.1: bytes of unknown type.
  static let unknownContentType = "application/octet-stream"
  static let json = "application/json"

  /// The size and the kind of a piece, before it is encoded.
  struct Facts: Sendable {
    /// Octets; nil if only encoding shows them.
    var size: Int? = 0
    /// Whether there is a content.
    var isHeld = true
    /// Whether it is a new state of the app, even if given up. A report describes the current one.
    var isNews = true
    /// Whether the app's author supplied the octets, which may be anything.
    var isForeign = false
  }

  var facts: Facts {
    switch self {
    case .none: Facts(isHeld: false, isNews: false)
    case .givenUp: Facts(isHeld: false)
    case .report: Facts(size: nil, isNews: false)
    case .value, .action, .reflection: Facts(size: nil)
    case .bytes(let bytes, _): Facts(size: bytes.count, isForeign: true)
    case .data(let data, _): Facts(size: data.count, isForeign: true)
    }
  }
}

/// A point in time by both clocks of a record.
package struct Moment: Equatable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  package var wallTime: Int64 = 0
  /// Nanoseconds since the session began.
  package var uptime: UInt64 = 0

  package init(wallTime: Int64 = 0, uptime: UInt64 = 0) {
    self.wallTime = wallTime
    self.uptime = uptime
  }
}

/// Caches the texts of the source places that record: few, and used again and again.
struct SourceTexts {
  private struct Key: Hashable {
    /// The address of the file's name, which is constant while the program runs.
    var file: UInt
    var line: UInt
  }

  /// More than a large program has. When full, the cache is emptied.
  private static let countMax = 4_096

  private var texts: [Key: String] = [:]
  private var latest: (key: Key, text: String)?

  mutating func text(of site: CallSite) -> String {
    switch site {
    case .none: ""
    case .annotated(let source): source.description
    case .call(let file, let line): text(of: file, line)
    case .logger(let file, let line): "\(file):\(line)"
    }
  }

  private mutating func text(of file: StaticString, _ line: UInt) -> String {
    guard file.hasPointerRepresentation else { return Self.describe(file, line) }
    let key = Key(file: UInt(bitPattern: file.utf8Start), line: line)
    if let latest, latest.key == key { return latest.text }
    if texts[key] == nil, texts.count >= Self.countMax { texts = [:] }
    let text = texts[key] ?? Self.describe(file, line)
    texts[key] = text
    latest = (key, text)
    return text
  }

  private static func describe(_ file: StaticString, _ line: UInt) -> String {
    ActionSource(file: file, line: line).description
  }
}

/// The app's position after all records that have left the queue, so that `RecordWriter` can say
/// what each action grew from (Protocol.md §8.1). It counts moves as the broadcaster does, which
/// sees the same ones (§11.7).
struct Lineage: Sendable {
  /// An effect that a restore led to may answer late; few restores lead to anything at all.
  private static let restoreCountMax = 1_024

  private var position = Position.initial
  /// The app's position according to the records alone.
  private var recorded = Position.initial
  private var moveCount: WireCount = 0
  private var restores: [(request: UInt64, move: WireCount)] = []

  /// What an action recorded now grew from; nil if that is the record before it.
  func grownFrom(of ancestry: Ancestry) -> GrownFrom? {
    switch ancestry {
    case .usual: grownFrom(from: position)
    case .beginning(let start): grownFrom(from: start)
    case .restore(let request):
      restores.last { $0.request == request }.map { GrownFrom(from: position, move: $0.move) }
        ?? grownFrom(from: position)
    }
  }

  private func grownFrom(from origin: Position) -> GrownFrom? {
    origin == recorded ? nil : GrownFrom(from: origin)
  }

  /// Notes a record that has left.
  mutating func note(_ record: Record) {
    guard record.movesApp else { return }
    recorded = .record(record.sequence)
    position = recorded
  }

  /// Notes that the app is in a state that no record contains.
  mutating func leaveRecords() {
    position = .elsewhere
    moveCount.add(1)
  }

  /// Notes the app's answer to a request.
  mutating func note(_ reset: IncomingReset, _ result: Outcome.Result) {
    guard !reset.isCommand else { return }
    moveCount.add(1)
    guard result == .applied else { return }
    position = reset.position
    if restores.count == Self.restoreCountMax { restores.removeFirst() }
    restores.append((reset.request, moveCount))
  }
}

/// The origin of an action, if the order of the records does not show it. Most actions have the
/// first case, which `indirect` keeps small.
indirect enum Ancestry: Sendable {
  case usual
  /// A viewer's restore led to the action.
  case restore(request: UInt64)
  /// The action is the first of an imported history, which begins at this position.
  case beginning(Position)
}
