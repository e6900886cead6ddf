internal import FoundationEssentials
internal import SurfNetwork
internal import SurfStore
internal import SurfWire

/// A record as the app's thread leaves it: values copied, nothing described or encoded yet.
package struct Entry: Sendable {
  var kind: Record.Kind
  /// Its description becomes the record's name.
  var subject: Subject
  var source: CallSite
  var parent: RecordID?
  /// Of an action.
  var ancestry = Ancestry.usual
  /// Of a restored state: the request that put the app into it.
  var cause: RequestKey?
  /// Whether a viewer can leave out this action alone, so that it needs a record of its own.
  var isForReplay = false
  var payload = Piece.none
  var state = Piece.none
  /// When it was recorded; set as it enters the queue, so that times do not run backwards there.
  package var moment = Moment()

  init(kind: Record.Kind, subject: Subject, source: CallSite, parent: RecordID? = nil) {
    self.kind = kind
    self.subject = subject
    self.source = source
    self.parent = parent
  }

  init(
    kind: Record.Kind, subject: any Sendable, source: CallSite, parent: RecordID? = nil
  ) {
    self.init(kind: kind, subject: .value(subject), source: source, parent: parent)
  }

  init(_ kind: Record.Kind, _ name: String, source: CallSite, parent: RecordID? = nil) {
    self.init(kind: kind, subject: .name(name), source: source, parent: parent)
  }

  /// A state that no row had, into which a viewer has put the app.
  init(_ reset: IncomingReset, state: Piece) {
    let viewer = reset.viewerName
    self.init(
      .restored, "\(reset.fileName ?? "a state") from \(viewer)",
      source: .step(ActionSource(viewer: viewer)))
    cause = RequestKey(reset)
    self.state = state
  }

  /// The same as the viewer brought it: with marks where there were some.
  init(_ reset: IncomingReset) {
    self.init(
      reset, state: reset.state.map { .bytes($0.bytes, contentType: $0.type) } ?? .none)
  }

  /// An action with its state in bytes, for tests of the queue.
  package init(
    action: String, payload: [UInt8]? = nil, state: [UInt8]?, parent: RecordID? = nil
  ) {
    self.init(.action, action, source: .none, parent: parent)
    self.payload = payload.map { .bytes($0, contentType: Piece.json) } ?? .none
    self.state = state.map { .bytes($0, contentType: Piece.unknownContentType) } ?? .none
  }

  /// A value's word, or, behind a `-`, the word that it is gone, for the same tests.
  package init(told word: String, payload: [UInt8]? = nil) {
    let isGone = word.hasPrefix("-")
    self.init(isGone ? .remove : .update, isGone ? String(word.dropFirst()) : word, source: .none)
    self.payload = payload.map { .bytes($0, contentType: Piece.json) } ?? .none
  }

  /// That word; for other records their name.
  package var told: String { (kind == .remove ? "-" : "") + (subject.name ?? "") }

  /// The same with a value.
  package init(action: String, stateValue: any Encodable & Sendable) {
    self.init(.action, action, source: .none)
    state = .value(stateValue)
  }

  /// A revision, for the same tests.
  package init(revision: String) { self.init(.revision, revision, source: .none) }

  /// Whether it lost its state.
  package var isStateGivenUp: Bool { if case .givenUp = state { true } else { false } }

  /// What decides whether an entry finds room: its kind, and octets of what it carries, nil where
  /// only encoding shows them.
  package struct Sizes: Sendable {
    let kind: Record.Kind
    let subject: Int?
    let payload: Int?
    private(set) var state: Int?
    /// Whether there is a state that can be given up.
    private(set) var holdsState: Bool

    init(of entry: borrowing Entry) {
      kind = entry.kind
      subject = entry.subject.size
      payload = entry.payload.size
      state = entry.state.size
      holdsState = entry.state.isHeld
    }

    mutating func forgetState() { (state, holdsState) = (0, false) }
  }

  /// The name of the record that an entry becomes.
  enum Subject: Sendable {
    case name(String)
    /// The description of this value, made later.
    case value(any Sendable)

    /// Nil if only describing the value shows it.
    var name: String? {
      switch self {
      case .name(let name): name
      case .value(let value): value as? String
      }
    }

    /// Octets; nil if only describing the value shows their number.
    var size: Int? {
      switch self {
      case .name(let name): name.utf8.count
      case .value: nil
      }
    }
  }
}

/// Where in the source a record was made; becomes text later.
enum CallSite: Sendable {
  case none
  case call(file: StaticString, line: UInt)
  case step(ActionSource)
  /// Told by a logger, whose callers' places are texts.
  case logger(file: String, line: UInt)
}

/// What an entry carries besides its name.
enum Piece: Sendable {
  case none
  /// Encoded as JSON, later.
  case value(any Encodable & Sendable)
  /// An action: encoded as JSON by itself if it can do that, and otherwise as reflection sees it.
  case action(any Sendable)
  /// JSON as reflection sees it, later.
  case reflection(any Sendable)
  /// The same, of a state; it cannot be sent back.
  case reflectedState(any Sendable)
  /// Sent as they are.
  case bytes([UInt8], contentType: String)
  /// The same, still to be copied out of Foundation's type.
  case data(Data, contentType: String)
  /// Made when the numbers of earlier records are known.
  case report(@Sendable (SequenceTable) throws -> Content)
  /// There was a state, but no room for it.
  case givenUp

  /// RFC 2046 §4.5.1: bytes of which nothing is known.
  static let unknownContentType = "application/octet-stream"
  static let json = "application/json"

  // Inlined below: a call would copy what the case holds.

  /// Whether it holds something that can be given up.
  @inline(__always) var isHeld: Bool {
    switch self {
    case .none, .givenUp: false
    case .value, .action, .reflection, .reflectedState, .bytes, .data, .report: true
    }
  }

  /// Whether the app came to a state by it, even if that was given up. A report tells of one in
  /// which the app was already.
  @inline(__always) var isNews: Bool {
    switch self {
    case .none, .report: false
    case .givenUp, .value, .action, .reflection, .reflectedState, .bytes, .data: true
    }
  }

  /// Whether it was encoded elsewhere, as anything.
  @inline(__always) var isForeign: Bool {
    switch self {
    case .bytes, .data: true
    case .none, .givenUp, .value, .action, .reflection, .reflectedState, .report: false
    }
  }

  /// Octets; `nil` if only encoding shows their number.
  @inline(__always) var size: Int? {
    switch self {
    case .none, .givenUp: 0
    case .value, .action, .reflection, .reflectedState, .report: nil
    case .bytes(let bytes, _): bytes.count
    case .data(let data, _): data.count
    }
  }
}

/// A point in time, by both of a record's clocks.
package struct Moment: Equatable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  package var wallTime: Int64 = 0
  /// Nanoseconds since the session began.
  package var uptime: UInt64 = 0

  /// Both clocks at once.
  package init(wallTime: Int64 = 0, uptime: UInt64 = 0) {
    self.wallTime = wallTime
    self.uptime = uptime
  }
}

/// The texts of the source places that record: few, and used again and again.
struct SourceTexts {
  private struct Key: Hashable {
    /// Where the file's name lies while the program runs.
    var file: UInt
    var line: UInt
  }

  /// As many as a large program has; beyond that, the table forgets all.
  private static let countMax = 4_096

  private var texts: [Key: String] = [:]
  private var latest: (key: Key, text: String)?

  mutating func text(of site: CallSite) -> String {
    switch site {
    case .none: ""
    case .step(let source): source.description
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
