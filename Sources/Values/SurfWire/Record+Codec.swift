// The bytes of a record: Protocol.md §8.1.

extension Record {
  package func encoded() -> [UInt8] {
    let octets = RecordOctets(self)
    return Array(unsafeUninitializedCapacity: octets.size) { buffer, count in
      octets.copy(0..<octets.size, to: UnsafeMutableRawBufferPointer(buffer))
      count = octets.size
    }
  }

  /// Writes the fields before the octets of `content`, the state.
  fileprivate func writeHead(before content: Content?, to writer: inout ByteWriter) {
    writer.number(sequence.rawValue)
    writer.integer(kind.code)
    writer.integer(kind.level << 4 | state.form)
    writer.integer(wallTime)
    writer.number(uptime)
    writer.number(parent > 0 ? parent.distance(to: sequence).rawValue : 0)
    writer.text(name, max: Limits.nameSizeMax)
    writer.text(source, max: Limits.sourceSizeMax)
    writer.contentHead(payload, isDelta: payloadIsDelta)
    if let payload { writer.append(payload.bytes) }
    writer.contentHead(content, isDelta: false)
  }

  fileprivate var tail: [UInt8] {
    hasTail ? RecordTail(grownFrom: grownFrom, count: count).encoded(in: sequence) : []
  }

  package init(decoding bytes: [UInt8]) throws(WireError) {
    self = try bytes.span.withUnsafeBytes { raw throws(WireError) in try Record(decoding: raw) }
  }

  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(bytes)
    self = try Record(from: &reader)
  }

  /// The same, reusing texts that earlier records had.
  package init(
    decoding bytes: UnsafeRawBufferPointer, texts: inout TextMemory
  ) throws(WireError) {
    self = try withUnsafeMutablePointer(to: &texts) { texts throws(WireError) in
      var reader = ByteReader(bytes, texts: texts)
      return try Record(from: &reader)
    }
  }

  private init(from reader: inout ByteReader) throws(WireError) {
    try self.init(from: &reader) { form, reader throws(WireError) in
      try RecordState(form: form, content: try reader.content(reader.stateHead(), "state"))
    }
    readTail(from: &reader)
  }

  /// Reads the fields after the state.
  mutating func readTail(from reader: inout ByteReader) {
    // Nearly all records end here, and keep their storage.
    guard hasTail, !reader.isEmpty else { return }
    var tail = RecordTail(behind: sequence, from: &reader)
    if kind != .action { tail.count = 1 }
    if tail.grownFrom != nil || tail.count > 1 { add(tail) }
  }

  /// The record up to its state, and the state's form and head. The reader has the state's bytes
  /// next. Nil if the record has no state.
  static func withoutState(from reader: inout ByteReader)
    throws(WireError) -> (record: Record, form: UInt8, head: ContentHead)?
  {
    var state: (form: UInt8, head: ContentHead)?
    let record = try Record(from: &reader) { form, reader throws(WireError) in
      state = try reader.stateHead().map { (form, $0) }
      return .none
    }
    return state.map { (record, $0.form, $0.head) }
  }

  /// - Parameter state: reads the last field, given its form.
  private init(
    from reader: inout ByteReader,
    state: (UInt8, inout ByteReader) throws(WireError) -> RecordState
  ) throws(WireError) {
    let sequence = SequenceNumber(try reader.number("record sequence"))
    guard sequence > 0, sequence < .max else { throw .invalid(field: "record sequence") }
    let code = try reader.integer("kind", as: UInt8.self)
    let levelAndForm = try reader.integer("state form", as: UInt8.self)
    let wallTime = try reader.integer("wall time", as: Int64.self)
    let uptime = try reader.number("uptime")
    // A distance past the first record names none.
    let distance = WireCount(try reader.number("parent"))
    let name = try reader.text("name", size: reader.size("name", max: Limits.nameSizeMax))
    let source = try reader.text("source", size: reader.size("source", max: Limits.sourceSizeMax))
    let form = levelAndForm & 0xF
    let payload = try reader.contentHead("payload")
    // Protocol.md §8.4: only a viewer that can build the state is sure to have the payload's base.
    guard payload?.isDelta != true || form == 2 else {
      throw .invalid(field: "payload")
    }
    self.init(
      sequence: sequence, kind: Kind(code: code, level: levelAndForm >> 4), wallTime: wallTime,
      uptime: uptime, parent: distance.isZero ? 0 : sequence.goingBack(by: distance),
      name: name, source: source, payload: try reader.content(payload, "payload"),
      payloadIsDelta: payload?.isDelta ?? false, state: try state(form, &reader))
  }
}

/// One record encoded, ready to be copied into packets piece by piece. The sender reuses it and its
/// memory for the next record.
package struct RecordOctets: Sendable {
  private static let usualSize = 256
  private static let keptSizeMax = 65_536

  /// The octets before the state's.
  private var head = ByteWriter(capacity: Self.usualSize)
  /// The app's own array, not a copy.
  package private(set) var state: [UInt8] = []
  package private(set) var tail: [UInt8] = []

  /// Empty, before the first `encode`.
  package init() {}

  package init(_ record: Record) { encode(record) }

  package mutating func encode(_ record: Record) {
    head.restart()
    let content = record.state.wireContent
    record.writeHead(before: content, to: &head)
    state = content?.bytes ?? []
    tail = record.tail
  }

  /// Releases the app's array, and any memory beyond what most records need.
  package mutating func release() {
    state = []
    if head.capacity > Self.keptSizeMax { head = ByteWriter(capacity: Self.usualSize) }
  }

  package var headSize: Int { head.count }
  package var size: Int { head.count + state.count + tail.count }

  /// Copies a part of the record to the front of `target`.
  package func copy(_ range: Range<Int>, to target: UnsafeMutableRawBufferPointer) {
    head.withOctets { Self.copy($0, at: 0, range, to: target) }
    state.withUnsafeBytes { Self.copy($0, at: head.count, range, to: target) }
    guard !tail.isEmpty else { return }
    tail.withUnsafeBytes { Self.copy($0, at: head.count + state.count, range, to: target) }
  }

  /// Copies what `range` covers of `part`, which begins at `start` of the record.
  private static func copy(
    _ part: UnsafeRawBufferPointer, at start: Int, _ range: Range<Int>,
    to target: UnsafeMutableRawBufferPointer
  ) {
    let own = range.clamped(to: start..<start + part.count)
    guard !own.isEmpty else { return }
    UnsafeMutableRawBufferPointer(rebasing: target[(own.lowerBound - range.lowerBound)...])
      .copyMemory(
        from: UnsafeRawBufferPointer(
          rebasing: part[own.lowerBound - start..<own.upperBound - start]))
  }
}

extension ByteReader {
  /// A state is marked as a delta by its form, never by its content's type.
  fileprivate mutating func stateHead() throws(WireError) -> ContentHead? {
    let head = try contentHead("state")
    guard head?.isDelta != true else { throw .invalid(field: "state") }
    return head
  }
}

extension Record.Kind {
  // Part of the wire format: append only.
  fileprivate var code: UInt8 {
    switch self {
    case .action: 1
    case .update: 2
    case .log: 3
    case .mark: 4
    case .revision: 5
    case .remove: 6
    case .restored: 7
    case .other(let code): code
    }
  }

  /// Below 16, like a state's form: both share an octet.
  fileprivate var level: UInt8 {
    if case .log(let level) = self { level.rawValue } else { 0 }
  }

  fileprivate init(code: UInt8, level: UInt8) {
    switch code {
    case 1: self = .action
    case 2: self = .update
    // Protocol.md §8.1: an unknown level is `info`, so that the line is never dropped.
    case 3: self = .log(LogLevel(rawValue: level) ?? .info)
    case 4: self = .mark
    case 5: self = .revision
    case 6: self = .remove
    case 7: self = .restored
    default: self = .other(code)
    }
  }
}

extension RecordState {
  fileprivate var form: UInt8 {
    switch self {
    case .none: 0
    case .keyframe: 1
    case .delta: 2
    case .givenUp, .unmade: 3
    case .reserved(let form, _): form
    }
  }

  fileprivate var wireContent: Content? {
    switch self {
    case .none, .givenUp, .unmade: nil
    case .keyframe(let content), .delta(let content), .reserved(_, let content): content
    }
  }

  init(form: UInt8, content: Content?) throws(WireError) {
    switch (form, content) {
    case (0, nil): self = .none
    case (1, let content?): self = .keyframe(content)
    case (2, let content?): self = .delta(content)
    case (3, nil): self = .givenUp
    case (0, _), (1, _), (2, _), (3, _): throw .invalid(field: "state form")
    case (_, let content): self = .reserved(form: form, content ?? Content(type: "", bytes: []))
    }
  }
}
