internal import FoundationEssentials
internal import MirrorJSON
internal import SurfDelta
package import SurfNetwork
package import SurfWire
package import ValueCoding

/// Turns entries into records with dense sequences; what cannot be encoded becomes an error record.
package struct RecordWriter {
  private let coder: ValueCoder
  /// `nil` if every state goes whole.
  private var states: StateEncoder?
  private var payloads = PayloadEncoder()
  /// Of the newest record; 0 before the first.
  package private(set) var lastSequence: SequenceNumber = 0
  private var sequences = SequenceTable()
  private var sources = SourceTexts()
  private var lineage = Lineage()
  /// Whether the piece that was encoded last is nested too deep.
  private var isTooDeep = false
  /// Of pieces whose size was not known before.
  private var sizes = EncodedSizes()

  /// Begins with sequence 1.
  package init(sendsDeltas: Bool = true, coder: ValueCoder = ValueCoder(.foundation)) {
    states = sendsDeltas ? StateEncoder() : nil
    self.coder = coder
  }

  /// The record of `entry`, and if a part could not be recorded, one that says which and why.
  package mutating func records(for entry: Entry, id: RecordID) -> [Record] {
    var faults: [String] = []
    let sequence = nextSequence()
    let state = encode(entry.state, "state", &faults)
    // Before the name: describing a value that is too deep to encode would end us.
    isTooDeep = false
    var payload = encode(entry.payload, "payload", &faults)
    // Usually a text already, and checking all its conformances takes longer than all below.
    let name = entry.subject as? String ?? name(of: entry.subject)
    note(entry, name: name, payload: payload, state: state)
    // A record has room for one content of the largest size: the state is worth more.
    if (state?.bytes.count ?? 0) + (payload?.bytes.count ?? 0) > Limits.contentSizeMax {
      payload = nil
      faults.append("payload not recorded: too large to go with its state")
    }
    let parent = entry.parent.map(\.ticket) ?? 0
    let formed = form(state, of: entry, sequence)
    let delta = payloads.delta(to: payload, of: sequence, beside: formed)
    let record = Record(
      sequence: sequence, kind: entry.kind,
      wallTime: entry.moment.wallTime, uptime: entry.moment.uptime,
      // A ticket that is not older than ours belongs to another transceiver.
      parent: parent < id.ticket ? sequences.sequence(of: parent) : 0,
      name: name, source: sources.text(of: entry.source), payload: delta ?? payload,
      payloadIsDelta: delta != nil, state: formed,
      growth: entry.kind == .action ? lineage.growth(of: entry.descent) : nil)
    lineage.note(record)
    states?.note(detailSize: record.detailSize, form: formed)
    guard !faults.isEmpty else { return [record] }
    return [record, failure(faults, of: record, id: id)]
  }

  /// The app has answered a viewer, behind the records until now.
  package mutating func note(_ reset: IncomingReset, _ result: Outcome.Result) {
    lineage.note(reset, result)
  }

  /// The app came to a state that no record carries.
  package mutating func leaveRecords() { lineage.leaveRecords() }

  /// The sizes learned since the last call.
  package mutating func takeSizes() -> EncodedSizes {
    defer { sizes = EncodedSizes() }
    return sizes
  }

  private mutating func note(_ entry: Entry, name: String, payload: Content?, state: Content?) {
    if entry.subjectSize == nil { sizes.details.add(name.utf8.count) }
    if entry.payload.size == nil { sizes.details.add(payload?.bytes.count ?? 0) }
    if entry.state.size == nil { sizes.states.add(state?.bytes.count ?? 0) }
  }

  /// A state as it goes.
  private mutating func form(
    _ state: Content?, of entry: Entry, _ sequence: SequenceNumber
  ) -> RecordState {
    if let state { return states?.form(state, of: sequence) ?? .keyframe(state) }
    if case .givenUp = entry.state { return .givenUp }
    return .none
  }

  private mutating func failure(_ faults: [String], of record: Record, id: RecordID) -> Record {
    sequences.insert(before: id.ticket + 1)
    return Record(
      sequence: nextSequence(), kind: .log(.error), wallTime: record.wallTime,
      uptime: record.uptime, parent: record.sequence, name: faults.joined(separator: "; "),
      source: record.source)
  }

  /// The ticket of a record that was written; nil for one that no call of the app made.
  package func ticket(of sequence: SequenceNumber) -> UInt64? { sequences.ticket(of: sequence) }

  private mutating func nextSequence() -> SequenceNumber {
    lastSequence = lastSequence.next
    return lastSequence
  }

  private mutating func encode(_ piece: Piece, _ what: String, _ faults: inout [String]) -> Content?
  {
    do {
      guard let content = try content(of: piece) else { return nil }
      guard content.bytes.count > Limits.contentSizeMax else { return content }
      let size = content.bytes.count
      faults.append("\(what) not recorded: \(size) octets, more than \(Limits.contentSizeMax)")
    } catch {
      isTooDeep = error is TooDeep
      faults.append("\(what) not recorded: \(explanation(of: error))")
    }
    return nil
  }

  private func name(of subject: any Sendable) -> String {
    guard isTooDeep else { return MirrorAction.title(subject) }
    let mirror = Mirror(reflecting: subject)
    let word = mirror.displayStyle == .enum ? mirror.children.first?.label : nil
    return "\(word ?? "\(mirror.subjectType)")(…)"
  }

  private func content(of piece: Piece) throws -> Content? {
    switch piece {
    case .none, .givenUp: nil
    case .value(let value): try json(value)
    case .action(let action): try self.action(action)
    case .reflection(let value): reflection(of: value, type: Piece.json)
    case .reflectedState(let state): reflection(of: state, type: Content.reflectionType)
    case .report(let make): try make(sequences)
    case .bytes(let bytes, let type): Content(type: usable(type), bytes: bytes)
    case .data(let data, let type): Content(type: usable(type), bytes: [UInt8](data))
    }
  }

  private func json(_ value: any Encodable) throws -> Content {
    Content(type: Piece.json, bytes: try coder.bytes(of: value))
  }

  private func action(_ action: any Sendable) throws -> Content {
    guard let encodable = action as? any Encodable else {
      return reflection(of: action, type: Piece.json)
    }
    return Content(type: Piece.json, bytes: try coder.bytes(ofAction: encodable))
  }

  private func reflection(of value: any Sendable, type: String) -> Content {
    Content(type: type, bytes: Array(MirrorJSON.encode(value).utf8))
  }

  /// On the wire a content without a type is no content, and half a type is a wrong one.
  private func usable(_ type: String) -> String {
    let fits = !type.isEmpty && type.utf8.count <= Limits.contentTypeSizeMax
    return fits ? type : Piece.unknownContentType
  }
}

extension Record {
  /// Octets of what it carries besides its state.
  var detailSize: Int { name.utf8.count + (payload?.bytes.count ?? 0) }
}
