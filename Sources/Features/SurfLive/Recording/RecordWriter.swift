internal import FoundationEssentials
internal import MirrorJSON
internal import Redaction
internal import SurfDelta
package import SurfNetwork
package import SurfWire
internal import ValueCoding

/// Turns entries into records with dense sequences; what cannot be encoded becomes an error record.
package struct RecordWriter {
  private let coder: ValueCoder
  /// `nil` if no state is left out because it hardly differs.
  private var sampler: StateSampler?
  /// Of the newest record.
  private var moment = Moment()
  /// `nil` if every state goes whole.
  private var states: StateEncoder?
  private var payloads = PayloadEncoder()
  /// What others ask of the records.
  let ledger: RecordLedger
  private var sources = SourceTexts()
  private var lineage = Lineage()
  /// The newest state that a viewer brought, and its row.
  private var restored: (request: RequestKey, row: SequenceNumber)?
  /// Whether the piece that was encoded last is nested too deep.
  private var isTooDeep = false
  /// Of pieces whose size was not known before.
  private(set) var sizes = EncodedSizes()
  /// Whether it was told that states are not sent.
  private var hasToldOfBytes = false

  /// Begins with sequence 1.
  package init(sendsDeltas: Bool = true) {
    self.init(RecordLedger(), sendsDeltas, ValueCoder(.foundation))
  }

  private init(_ ledger: RecordLedger, _ sendsDeltas: Bool, _ coder: ValueCoder) {
    states = sendsDeltas ? StateEncoder() : nil
    self.ledger = ledger
    self.coder = coder
  }

  /// The same, with the app's choices.
  init(_ settings: Settings, _ ledger: RecordLedger) {
    self.init(ledger, settings.sendsDeltas, settings.coder)
    if !settings.sampled.isEmpty {
      sampler = StateSampler(settings.sampled, every: settings.thinningInterval)
    }
  }

  /// What a record says besides its state.
  package struct Detail: Equatable, Sendable {
    var name: String
    var source = ""
    var payload: Content?
    /// Whether the payload is all that there was.
    var isWhole = true
    var faults: [String] = []

    /// Of an action without a payload, for tests.
    package init(name: String) { self.name = name }
  }

  /// Encodes all but the state.
  mutating func detail(of entry: Entry) -> Detail {
    var faults: [String] = []
    // Before the name: describing a value that is too deep to encode would end us.
    isTooDeep = false
    let payload = encode(entry.payload, "payload", of: entry, &faults)
    let name = name(of: entry, with: payload)
    if entry.subject.size == nil { sizes.details.add(name.utf8.count) }
    if entry.payload.size == nil { sizes.details.add(payload?.bytes.count ?? 0) }
    var detail = Detail(name: name)
    detail.source = sources.text(of: entry.source)
    detail.payload = payload
    detail.isWhole = payload != nil || !entry.payload.isHeld
    detail.faults = faults
    return detail
  }

  /// Writes the record of an entry, and if a part could not be recorded, one that says which and
  /// why.
  ///
  /// - Parameters:
  ///   - tickets: Of all the records that it stands for.
  ///   - count: Of the equal actions that are told as one.
  ///   - known: What `detail(of:)` has made of it.
  package mutating func write(
    _ entry: Entry, of tickets: ClosedRange<UInt64>, count: WireCount = 1,
    known: Detail? = nil, to records: inout [Record]
  ) {
    moment = entry.moment
    var faults: [String] = []
    let ticket = tickets.upperBound
    let sequence = ledger.nextSequence(of: tickets)
    let state = encode(entry.state, "state", of: entry, &faults)
    if entry.state.size == nil { sizes.states.add(state?.bytes.count ?? 0) }
    // Of a restored state, who restored it knows more.
    if entry.state.isNews, entry.kind != .restored {
      let isMarked = state.map { mayBeMarked(entry.state, $0.bytes) } ?? false
      ledger.keepLive(
        isMarked ? .recorded(entry.state, told: state?.bytes ?? []) : .unknown, of: ticket)
    }
    let detail = known ?? self.detail(of: entry)
    faults += detail.faults
    var payload = detail.payload
    // A record has room for one content of the largest size: the state is worth more.
    if (state?.bytes.count ?? 0) + (payload?.bytes.count ?? 0) > Limits.contentSizeMax {
      payload = nil
      faults.append("payload not recorded: too large to go with its state")
    }
    let parent = entry.parent?.ticket ?? 0
    let formed = samples(state, of: entry) ? .givenUp : form(state, of: entry, sequence)
    let delta = payloads.delta(to: payload, of: sequence, beside: formed)
    let hasTail = entry.kind == .action || entry.kind.movesApp && formed != .none
    let record = Record(
      sequence: sequence, kind: entry.kind,
      wallTime: entry.moment.wallTime, uptime: entry.moment.uptime,
      // A ticket that is not older than ours belongs to another transceiver.
      parent: parent > 0 && parent < ticket ? ledger.sequences.sequence(of: parent) : 0,
      name: detail.name, source: detail.source, payload: delta ?? payload,
      payloadIsDelta: delta != nil, state: formed,
      grownFrom: hasTail ? lineage.grownFrom(of: entry.ancestry) : nil,
      count: count)
    lineage.note(record)
    if let cause = entry.cause { restored = (cause, sequence) }
    states?.note(detailSize: record.detailSize, form: formed)
    records.append(record)
    if !faults.isEmpty { records.append(failure(faults, of: record, ticket)) }
  }

  /// Writes the records of an entry that no call of the app made, behind the one with this ticket.
  mutating func write(own entry: Entry, behind ticket: UInt64, to records: inout [Record]) {
    ledger.insert(before: ticket + 1)
    write(entry, of: ticket...ticket, to: &records)
  }

  /// The request. If the app made a row of its state, the target is that row.
  func placed(_ reset: IncomingReset) -> IncomingReset {
    guard let restored, restored.request == RequestKey(reset) else { return reset }
    var reset = reset
    reset.target = .record(restored.row)
    return reset
  }

  /// The app has answered a viewer, behind the records until now.
  package mutating func note(_ reset: IncomingReset, _ result: Outcome.Result) {
    lineage.note(reset, result)
    if result == .applied { sampler?.interrupt() }
  }

  /// The app came to a state that no record carries.
  package mutating func leaveRecords() {
    lineage.leaveRecords()
    sampler?.interrupt()
  }

  /// The sizes learned since the last call.
  package mutating func takeSizes() -> EncodedSizes {
    defer { sizes = EncodedSizes() }
    return sizes
  }

  /// Whether a state is left out, because it hardly differs from the one before.
  private mutating func samples(_ state: Content?, of entry: Entry) -> Bool {
    guard sampler != nil, entry.kind.movesApp, entry.state.isNews else { return false }
    if entry.kind == .action, let state {
      return sampler?.leavesOut(state, isForeign: entry.state.isForeign, at: entry.moment) ?? false
    }
    sampler?.interrupt()
    return false
  }

  /// When `sampledRecords` must be told, by the entries' uptime; nil while there are none.
  var sampleDeadline: UInt64? { sampler?.deadline }

  /// Writes what tells of the states that were left out because they hardly differed, behind the
  /// record with this ticket.
  mutating func writeSampled(behind ticket: UInt64, at now: UInt64, to records: inout [Record]) {
    guard var mark = sampler?.takeMark(at: now) else { return }
    mark.moment = moment
    write(own: mark, behind: ticket, to: &records)
  }

  /// A state as it goes.
  private mutating func form(
    _ state: Content?, of entry: Entry, _ sequence: SequenceNumber
  ) -> RecordState {
    if let state { return states?.form(state, of: sequence) ?? .keyframe(state) }
    if case .givenUp = entry.state { return .givenUp }
    return .none
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
    guard piece.isHeld else { return nil }
    do {
      guard let content = try content(of: piece, in: entry.scope) else { return nil }
      guard content.bytes.count > Limits.contentSizeMax else { return content }
      let size = content.bytes.count
      faults.append("\(what) not recorded: \(size) octets, more than \(Limits.contentSizeMax)")
    } catch {
      isTooDeep = error is TooDeep
      // An app whose states are not JSON would hear of each of them.
      guard !(error is NoJSON) || !hasToldOfBytes else { return nil }
      hasToldOfBytes = hasToldOfBytes || error is NoJSON
      let reason = coder.explanation(of: error, in: entry.scope)
      faults.append("\(what) not recorded: \(reason)")
    }
    return nil
  }

  private func name(of subject: any Sendable) -> String {
    guard isTooDeep else { return title(of: subject) }
    let mirror = Mirror(reflecting: subject)
    let word = mirror.displayStyle == .enum ? mirror.children.first?.label : nil
    return "\(word ?? "\(mirror.subjectType)")(…)"
  }

  // Whatever leaves the process comes by here: what is redacted is no longer in it.
  private func content(of piece: Piece, in scope: [String]) throws -> Content? {
    switch piece {
    case .none, .givenUp: nil
    case .value(let value): try json(value, in: scope)
    case .action(let action): try self.action(action)
    case .reflection(let value): try reflection(of: value, type: Piece.json, in: scope)
    case .reflectedState(let state): try reflection(of: state, type: Content.reflectionType)
    case .report(let make): try make(ledger.sequences)
    case .bytes(let bytes, let type):
      Content(type: usable(type), bytes: try coder.redact(foreign: bytes))
    case .data(let data, let type):
      Content(type: usable(type), bytes: try coder.redact(foreign: [UInt8](data)))
    }
  }

  private func json(_ value: any Encodable, in scope: [String]) throws -> Content {
    Content(type: Piece.json, bytes: try coder.bytes(of: value, in: scope))
  }

  private func action(_ action: any Sendable) throws -> Content {
    guard let encodable = action as? any Encodable else {
      return try reflection(of: action, type: Piece.json)
    }
    return Content(type: Piece.json, bytes: try coder.bytes(ofAction: encodable))
  }

  private func reflection(
    of value: any Sendable, type: String, in scope: [String] = []
  ) throws -> Content {
    Content(type: type, bytes: try coder.redact(Array(MirrorJSON.encode(value).utf8), in: scope))
  }

  /// On the wire a content without a type is no content, and half a type is a wrong one.
  private func usable(_ type: String) -> String {
    let fits = !type.isEmpty && type.utf8.count <= Limits.contentTypeSizeMax
    return fits ? type : Piece.unknownContentType
  }
}

// Names say what the values of actions are.
extension RecordWriter {
  private func name(of entry: Entry, with payload: Content?) -> String {
    if entry.kind == .action, hides(entry.payload, sentAs: payload) {
      return Self.shortName(entry.subject)
    }
    if let name = entry.subject.name { return name }
    guard case .value(let value) = entry.subject else { return "" }
    if let line = value as? RequestLine {
      return line.text(isShort: hides(entry.payload, sentAs: payload))
    }
    return name(of: value)
  }

  private func title(of subject: any Sendable) -> String {
    guard coder.redactsPaths, let news = subject as? any ActionNews else {
      return MirrorAction.title(subject)
    }
    let action = news.subject
    do {
      let payload = try self.action(action)
      guard hides(.action(action), sentAs: payload) else { return MirrorAction.title(subject) }
    } catch {
      // Nobody knows what is in it.
    }
    return news.text(about: Self.shortName(.value(action)))
  }

  private func hides(_ piece: Piece, sentAs content: Content?) -> Bool {
    guard let content else { return coder.redactsPaths && piece.isHeld }
    return RedactionMark.mayStand(in: content.bytes)
  }

  /// The names of cases, without values.
  private static func shortName(_ subject: Entry.Subject) -> String {
    guard let text = subject.name else {
      guard case .value(let value) = subject else { return "(…)" }
      return MirrorAction.typePath(value) + "(…)"
    }
    return text.firstIndex(of: "(").map { text[..<$0] + "(…)" } ?? "(…)"
  }
}

// What the app keeps where a viewer brings marks.
extension RecordWriter {
  /// Whether there may be marks of ours in a state. Octets of the app's own may be many, and have
  /// none if nothing is taken out of them: to look through them would take long.
  private func mayBeMarked(_ piece: Piece, _ bytes: [UInt8]) -> Bool {
    (!piece.isForeign || coder.redactsPaths) && RedactionMark.mayStand(in: bytes)
  }
}

extension Entry {
  /// The names of a value: those of its scopes, and its own.
  fileprivate var scope: [String] {
    guard kind == .update, let name = subject.name else { return [] }
    return name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
}

/// A line about an action.
protocol ActionNews: Sendable {
  associatedtype Subject: Sendable
  var subject: Subject { get }
  /// The line, with this name of the action.
  func text(about name: String) -> String
}
