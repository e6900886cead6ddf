internal import FoundationEssentials
internal import MirrorJSON
internal import Redaction
package import SurfNetwork
internal import SurfValues
package import SurfWire
internal import ValueCoding

/// Turns entries into records with consecutive sequences, for `RecordPipeline`. A part that cannot
/// be encoded becomes an error record.
package struct RecordWriter {
  private let coder: ValueCoder
  /// `nil` if states are not sampled.
  private var sampler: StateSampler?
  /// When the newest record was made.
  private var moment = Moment()
  /// `nil` if the app sends no deltas.
  private var states: StateEncoder?
  private var payloads = PayloadEncoder()
  let ledger: RecordLedger
  private var sources = SourceTexts()
  private var lineage = Lineage()
  private var changes = ChangeNames()
  /// The newest state that a viewer brought, and its row.
  private var restored: (request: RequestKey, row: SequenceNumber)?
  /// Whether the piece encoded last is nested too deep.
  private var isTooDeep = false
  /// Sizes of pieces that were unknown before encoding.
  private(set) var sizes = EncodedSizes()
  /// Octets of the records written since they were last sent.
  private(set) var size = 0
  /// Whether the newest record lacks the state that the app is in, which could not be encoded.
  private(set) var hasLostState = false
  /// Whether an error record has said that states are not sent, because they are not JSON.
  private var hasReportedNoJSON = false

  /// Octets of a record without its texts and contents.
  private static let headSize = 128

  /// For tests: a writer that begins with sequence 1.
  package init(sendsDeltas: Bool = true) {
    self.init(RecordLedger(), sendsDeltas, ValueCoder(.foundation))
  }

  private init(_ ledger: RecordLedger, _ sendsDeltas: Bool, _ coder: ValueCoder) {
    states = sendsDeltas ? StateEncoder() : nil
    self.ledger = ledger
    self.coder = coder
  }

  /// A writer with the app's settings.
  init(_ settings: Settings, _ ledger: RecordLedger) {
    self.init(ledger, settings.sendsDeltas, settings.coder)
    if !settings.thinning.sampled.isEmpty {
      sampler = StateSampler(settings.thinning)
    }
  }

  /// The parts of a record besides its state.
  package struct Detail: Equatable, Sendable {
    var name: String
    var source: String
    var payload: Content?
    /// False if the payload could not be encoded.
    var isWhole = true
    var faults: [String] = []
  }

  /// Encodes all but the state.
  mutating func detail(of entry: Entry) -> Detail {
    var faults: [String] = []
    // Encode before describing: a value too deep to encode would overflow the stack.
    isTooDeep = false
    let payload =
      entry.facts.payload.isHeld ? encode(entry.payload, "payload", of: entry, &faults) : nil
    let name = name(of: entry, with: payload)
    if entry.facts.subjectSize == nil { sizes.details.add(name.utf8.count) }
    if entry.facts.payload.size == nil { sizes.details.add(payload?.bytes.count ?? 0) }
    return Detail(
      name: name, source: sources.text(of: entry.source), payload: payload,
      isWhole: payload != nil || !entry.facts.payload.isHeld, faults: faults)
  }

  /// Writes the record of an entry, and an error record if a part of it could not be encoded.
  ///
  /// - Parameters:
  ///   - tickets: The tickets of all records that this one stands for.
  ///   - count: How many equal actions this record stands for.
  ///   - known: The result of `detail(of:)`, if it has been called.
  package mutating func write(
    _ entry: Entry, of tickets: ClosedRange<UInt64>, count: WireCount = 1,
    known: consuming Detail? = nil, to records: inout [Record]
  ) {
    moment = entry.moment
    var faults: [String] = []
    let ticket = tickets.upperBound
    let sequence = ledger.nextSequence(of: tickets)
    let state = encode(entry.state, "state", of: entry, &faults)
    if entry.facts.state.size == nil { sizes.states.add(state?.bytes.count ?? 0) }
    // For a restored state, the request's handler already noted more.
    let isNews = entry.facts.state.isNews && entry.cause == nil
    if isNews {
      let isMarked = state.map { mayBeMarked($0, isForeign: entry.facts.state.isForeign) } ?? false
      ledger.keepLive(
        isMarked ? .recorded(entry.state, told: state?.bytes ?? []) : .unknown, of: ticket)
    }
    var detail = known ?? self.detail(of: entry)
    if let change = entry.change {
      detail.name = changes.name(of: change, to: state)
    } else if isNews {
      changes.note(state?.bytes)
    }
    if !detail.faults.isEmpty { faults += detail.faults }
    var payload = detail.payload
    // A record has space for one content of the largest size. The state matters more.
    if (state?.bytes.count ?? 0) + (payload?.bytes.count ?? 0) > Limits.contentSizeMax {
      payload = nil
      faults.append("payload not recorded: too large to go with its state")
    }
    let formed = samples(state, of: entry) ? .givenUp : form(consume state, of: entry, sequence)
    let delta = payloads.delta(to: payload, of: sequence, beside: formed)
    let sent = delta ?? payload
    states?.note(
      detailSize: detail.name.utf8.count + (sent?.bytes.count ?? 0), form: formed)
    let hasTail = entry.kind == .action || entry.kind.movesApp && formed != .none
    let record = Record(
      sequence: sequence, kind: entry.kind,
      wallTime: entry.moment.wallTime, uptime: entry.moment.uptime,
      parent: entry.parent.map { ledger.sequences.sequence(of: $0.ticket) } ?? 0,
      name: detail.name, source: detail.source, payload: sent,
      payloadIsDelta: delta != nil, state: formed,
      grownFrom: hasTail ? lineage.grownFrom(of: entry.ancestry) : nil,
      count: count)
    lineage.note(record)
    hasLostState = entry.kind.movesApp && entry.facts.state.isHeld && !record.movesApp
    if let cause = entry.cause { restored = (cause, sequence) }
    add(record, to: &records)
    if !faults.isEmpty { add(failure(faults, of: record, ticket), to: &records) }
  }

  private mutating func add(_ record: consuming Record, to records: inout [Record]) {
    size += record.roughSize + Self.headSize
    records.append(record)
  }

  /// Writes an entry that no call of the app made, after the record with this ticket.
  mutating func write(own entry: Entry, behind ticket: UInt64, to records: inout [Record]) {
    ledger.insert(before: ticket + 1)
    write(entry, of: ticket...ticket, to: &records)
  }

  /// The request. If the app made a row of the state that it brought, the target is that row.
  func placed(_ reset: IncomingReset) -> IncomingReset {
    guard let restored, restored.request == RequestKey(reset) else { return reset }
    var reset = reset
    reset.target = .record(restored.row)
    return reset
  }

  /// Notes the app's answer to a viewer, after the records so far.
  package mutating func note(_ reset: IncomingReset, _ result: Outcome.Result) {
    lineage.note(reset, result)
    guard result == .applied else { return }
    sampler?.interrupt()
    guard !reset.isCommand else { return }
    changes.note(reset.state.map(\.bytes) ?? initialBytes, ofViewer: true)
  }

  /// What viewers see of the initial state; nil if that is unknown.
  private var initialBytes: [UInt8]? {
    do {
      return try ledger.initial.map { try coder.bytes(of: $0) }
    } catch {
      return nil
    }
  }

  /// Notes that the app is in a state that no record contains.
  package mutating func leaveRecords() {
    lineage.leaveRecords()
    sampler?.interrupt()
    changes.note(nil)
  }

  /// Call it when the records so far are sent. Returns and clears the sizes learned from them.
  package mutating func takeSizes() -> EncodedSizes {
    defer { (sizes, size) = (EncodedSizes(), 0) }
    return sizes
  }

  /// Whether to leave out a state, because it differs from the one before only at sampled paths.
  private mutating func samples(_ state: Content?, of entry: Entry) -> Bool {
    guard sampler != nil, entry.kind.movesApp, entry.facts.state.isNews else { return false }
    if entry.kind == .action, let state {
      return sampler?.leavesOut(state, isForeign: entry.facts.state.isForeign, at: entry.moment)
        ?? false
    }
    sampler?.interrupt()
    return false
  }

  /// When to call `writeSampled`, by the entries' uptime; nil if no state was left out.
  var sampleDeadline: UInt64? { sampler?.deadline }

  /// Writes the mark for the states that the sampler left out, after the record with this ticket.
  mutating func writeSampled(behind ticket: UInt64, at now: UInt64, to records: inout [Record]) {
    guard var mark = sampler?.takeMark(at: now) else { return }
    mark.moment = moment
    write(own: mark, behind: ticket, to: &records)
  }

  /// The state as it is sent: whole, as a delta, or given up.
  private mutating func form(
    _ state: consuming Content?, of entry: Entry, _ sequence: SequenceNumber
  ) -> RecordState {
    if let state { return states?.form(state, of: sequence) ?? .keyframe(state) }
    if case .givenUp = entry.state { return .givenUp }
    // Protocol.md §11.7: an action whose state cannot be encoded leaves the records; a record of
    // another kind says that it had one.
    let isMove = entry.kind == .action || entry.kind == .restored
    return entry.facts.state.isHeld && !isMove ? .givenUp : .none
  }

  private func failure(_ faults: [String], of record: Record, _ ticket: UInt64) -> Record {
    Record(
      sequence: ledger.nextSequence(before: ticket + 1), kind: .log(.error),
      wallTime: record.wallTime,
      uptime: record.uptime, parent: record.sequence, name: faults.joined(separator: "; "),
      source: record.source)
  }

  private mutating func encode(
    _ piece: Piece, _ what: String, of entry: Entry, _ faults: inout [String]
  ) -> Content? {
    do {
      guard let content = try content(of: piece, in: entry) else { return nil }
      guard content.bytes.count > Limits.contentSizeMax else { return content }
      let size = content.bytes.count
      faults.append("\(what) not recorded: \(size) octets, more than \(Limits.contentSizeMax)")
    } catch {
      isTooDeep = error is TooDeep
      // An app whose states are not JSON would get this error for each of them.
      guard !(error is NoJSON) || !hasReportedNoJSON else { return nil }
      hasReportedNoJSON = hasReportedNoJSON || error is NoJSON
      let reason = coder.explanation(of: error, in: entry.scope)
      faults.append("\(what) not recorded: \(reason)")
    }
    return nil
  }

  // Every payload and state passes here before it leaves the process, and loses its redacted
  // values. Names lose theirs below. Sources, reasons of refusals and heartbeats do not pass here.
  // Inlined, like `name(of:with:)`, because a call copies the writer.
  @inline(__always)
  private func content(of piece: Piece, in entry: Entry) throws -> Content? {
    switch piece {
    case .none, .givenUp: nil
    case .value(let value): try coder.json(value, in: entry.scope)
    case .action(let action): try coder.action(action)
    case .reflection(let value): try coder.reflection(of: value, in: entry.scope)
    case .report(let make): try make(ledger.sequences)
    case .bytes(let bytes, let type):
      Content(type: Self.usable(type), bytes: try coder.redact(foreign: bytes))
    case .data(let data, let type):
      Content(type: Self.usable(type), bytes: try coder.redact(foreign: [UInt8](data)))
    }
  }

  /// A content without a type does not exist on the wire, and a type that is cut would be wrong.
  private static func usable(_ type: String) -> String {
    let fits = !type.isEmpty && type.utf8.count <= Limits.contentTypeSizeMax
    return fits ? type : Piece.unknownContentType
  }
}

// An action's name may contain its values, so redaction applies to names as well.
extension RecordWriter {
  @inline(__always)
  private func name(of entry: Entry, with payload: Content?) -> String {
    if case .action = entry.kind, coder.hides(entry.payload, sentAs: payload) {
      return Self.shortName(entry.subject)
    }
    if let name = entry.subject.name { return name }
    guard case .value(let value) = entry.subject else { return "" }
    if let line = value as? RequestLine {
      return line.text(isShort: coder.hides(entry.payload, sentAs: payload))
    }
    return coder.name(of: value, isTooDeep: isTooDeep)
  }

  /// The names of the cases, without values.
  fileprivate static func shortName(_ subject: Entry.Subject) -> String {
    guard let text = subject.name else {
      guard case .value(let value) = subject else { return "(…)" }
      if let news = value as? any ActionNews {
        return news.text(about: shortName(.value(news.subject)))
      }
      return MirrorAction.typePath(value) + "(…)"
    }
    return text.firstIndex(of: "(").map { text[..<$0] + "(…)" } ?? "(…)"
  }
}

// Not in the writer: a call from a method that changes the writer would copy all of it.
extension ValueCoder {
  fileprivate func json(_ value: any Encodable, in scope: [String]) throws -> Content {
    Content(type: Piece.json, bytes: try bytes(of: value, in: scope))
  }

  fileprivate func action(_ action: any Sendable) throws -> Content {
    guard let encodable = action as? any Encodable else {
      return try reflection(of: action)
    }
    return Content(type: Piece.json, bytes: try bytes(ofAction: encodable))
  }

  fileprivate func reflection(of value: any Sendable, in scope: [String] = []) throws -> Content {
    let text = MirrorJSON.encode(value)
    return Content(type: Piece.json, bytes: try redact(Array(text.utf8), in: scope))
  }

  fileprivate func name(of subject: any Sendable, isTooDeep: Bool) -> String {
    guard isTooDeep else { return title(of: subject) }
    if let news = subject as? any ActionNews {
      return news.text(about: name(of: news.subject, isTooDeep: true))
    }
    let mirror = Mirror(reflecting: subject)
    let word = mirror.displayStyle == .enum ? mirror.children.first?.label : nil
    return "\(word ?? "\(mirror.subjectType)")(…)"
  }

  private func title(of subject: any Sendable) -> String {
    guard redactsPaths, let news = subject as? any ActionNews else {
      return MirrorAction.title(subject)
    }
    let action = news.subject
    do {
      let payload = try self.action(action)
      guard hides(.action(action), sentAs: payload) else { return MirrorAction.title(subject) }
    } catch {
      // Unknown, so treat it as redacted.
    }
    return news.text(about: RecordWriter.shortName(.value(action)))
  }

  fileprivate func hides(_ piece: Piece, sentAs content: Content?) -> Bool {
    guard let content else { return redactsPaths && piece.facts.isHeld }
    return RedactionMark.mayStand(in: content.bytes)
  }
}

extension RecordWriter {
  /// Whether a state may have marks of ours. Octets of the app's author may be many, and have none
  /// unless paths are redacted, so they are only searched then.
  private func mayBeMarked(_ state: Content, isForeign: Bool) -> Bool {
    (!isForeign || coder.redactsPaths) && RedactionMark.mayStand(in: state.bytes)
  }
}

extension RecordWriter.Detail {
  /// For tests: the detail of an action without a payload.
  package init(name: String) { self.init(name: name, source: "") }
}

extension Entry {
  /// The path of a value: the names of its scopes, and its own.
  fileprivate var scope: [String] {
    guard case .update = kind, let name = subject.name else { return [] }
    return name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
}

/// A line that contains an action's name.
protocol ActionNews: Sendable {
  associatedtype Subject: Sendable
  var subject: Subject { get }
  /// The line, with `name` for the action.
  func text(about name: String) -> String
}

/// An action of one part of the state; described on the encoding thread.
struct PartAction: ActionNews, CustomStringConvertible {
  let subject: any Sendable
  let part: String

  var description: String { text(about: MirrorAction.title(subject)) }

  func text(about name: String) -> String { "\(part): \(name)" }
}
