// The bytes of a record: Protocol.md §8.1.

extension Record {
  package func encoded() -> [UInt8] {
    let (head, state) = encodedInTwo()
    return head + state
  }

  /// The record's bytes without those of its state, and those, which are not copied.
  package func encodedInTwo() -> (head: [UInt8], state: [UInt8]) {
    let payloadSize = payload?.bytes.count ?? 0
    var writer = ByteWriter(capacity: 192 + name.utf8.count + payloadSize)
    writer.integer(sequence)
    writer.integer(kind.code)
    writer.integer(kind.level)
    writer.integer(state.form)
    writer.integer(UInt8(0))
    writer.integer(wallTime)
    writer.integer(uptime)
    writer.integer(parent)
    writer.text(name, length: UInt16.self, max: Limits.nameSizeMax)
    writer.text(source, length: UInt16.self, max: Limits.sourceSizeMax)
    writer.contentHead(payload)
    if let payload { writer.append(payload.bytes) }
    writer.contentHead(state.wireContent)
    return (writer.finish(), state.wireContent?.bytes ?? [])
  }

  package init(decoding bytes: [UInt8]) throws(WireError) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(WireError) in try Record(decoding: raw) }
    }
    self = try result.get()
  }

  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(bytes)
    self = try Record(from: &reader)
  }

  /// The same, with texts as they were read from records before.
  package init(
    decoding bytes: UnsafeRawBufferPointer, texts: inout TextMemory
  ) throws(WireError) {
    let result = withUnsafeMutablePointer(to: &texts) { texts in
      Result { () throws(WireError) in
        var reader = ByteReader(bytes, texts: texts)
        return try Record(from: &reader)
      }
    }
    self = try result.get()
  }

  private init(from reader: inout ByteReader) throws(WireError) {
    try self.init(from: &reader) { form, reader throws(WireError) in
      try RecordState(form: form, content: try reader.content("state"))
    }
  }

  /// A record of which the state's bytes come next; nil if it has none.
  static func withoutState(from reader: inout ByteReader)
    throws(WireError) -> (Record, PartialRecord.StateHead)?
  {
    var head: PartialRecord.StateHead?
    let record = try Record(from: &reader) { form, reader throws(WireError) in
      if let (type, size) = try reader.contentHead("state") {
        head = PartialRecord.StateHead(form: form, type: type, size: size)
      }
      return .none
    }
    return head.map { (record, $0) }
  }

  /// - Parameter state: Reads the last field, given the form that it has.
  private init(
    from reader: inout ByteReader,
    state: (UInt8, inout ByteReader) throws(WireError) -> RecordState
  ) throws(WireError) {
    let sequence: UInt64 = try reader.integer("record sequence")
    guard sequence > 0, sequence < .max else { throw .invalid(field: "record sequence") }
    let code = try reader.integer("kind", as: UInt8.self)
    let kind = Kind(code: code, level: try reader.integer("level"))
    let form = try reader.integer("state form", as: UInt8.self)
    try reader.skip(1, "reserved")
    self.init(
      sequence: sequence, kind: kind, wallTime: try reader.integer("wall time"),
      uptime: try reader.integer("uptime"), parent: try reader.integer("parent"),
      name: try reader.text("name", length: UInt16.self, max: Limits.nameSizeMax),
      source: try reader.text("source", length: UInt16.self, max: Limits.sourceSizeMax),
      payload: try reader.content("payload"), state: try state(form, &reader))
  }
}

extension Record.Kind {
  // The numbers are the wire's: append only.
  fileprivate var code: UInt8 {
    switch self {
    case .action: 1
    case .update: 2
    case .log: 3
    case .mark: 4
    case .revision: 5
    case .other(let code): code
    }
  }

  fileprivate var level: UInt8 {
    if case .log(let level) = self { level.rawValue } else { 0 }
  }

  fileprivate init(code: UInt8, level: UInt8) {
    switch code {
    case 1: self = .action
    case 2: self = .update
    // Protocol.md §8.1: an unknown level is `info`; a log line is never dropped for it.
    case 3: self = .log(LogLevel(rawValue: level) ?? .info)
    case 4: self = .mark
    case 5: self = .revision
    default: self = .other(code)
    }
  }
}

extension RecordState {
  fileprivate var form: UInt8 {
    switch self {
    case .none: 0
    case .whole: 1
    case .difference: 2
    case .givenUp: 3
    case .reserved(let form, _): form
    }
  }

  fileprivate var wireContent: Content? {
    switch self {
    case .none, .givenUp: nil
    case .whole(let content), .difference(let content), .reserved(_, let content): content
    }
  }

  init(form: UInt8, content: Content?) throws(WireError) {
    switch (form, content) {
    case (0, nil): self = .none
    case (1, let content?): self = .whole(content)
    case (2, let content?): self = .difference(content)
    case (3, nil): self = .givenUp
    case (0, _), (1, _), (2, _), (3, _): throw .invalid(field: "state form")
    case (_, let content): self = .reserved(form: form, content ?? Content(type: "", bytes: []))
    }
  }
}

// Protocol.md §8.2: presence is the content type; its absence, with no bytes, is no content.
extension ByteWriter {
  fileprivate mutating func contentHead(_ content: Content?) {
    let type = content?.type.clipped(toUTF8: Limits.contentTypeSizeMax) ?? ""
    // Bytes of no type would read as malformed; of them nothing is known, and there is a name for
    // it.
    let isUntyped = type.isEmpty && content?.bytes.isEmpty == false
    text(
      isUntyped ? "application/octet-stream" : type, length: UInt8.self,
      max: Limits.contentTypeSizeMax)
    integer(UInt32(content?.bytes.count ?? 0))
  }
}

extension ByteReader {
  fileprivate mutating func content(_ field: String) throws(WireError) -> Content? {
    guard let (type, size) = try contentHead(field) else { return nil }
    return Content(type: type, bytes: try bytes(size, field))
  }

  /// The type of a content and the number of its bytes; nil for none.
  fileprivate mutating func contentHead(_ field: String)
    throws(WireError) -> (type: String, size: Int)?
  {
    let type = try text(
      field, length: UInt8.self, max: Limits.contentTypeSizeMax)
    let size = Int(try integer(field, as: UInt32.self))
    guard size <= Limits.contentSizeMax else {
      throw .beyondLimit(field: field, value: size, limit: Limits.contentSizeMax)
    }
    guard !type.isEmpty || size > 0 else { return nil }
    guard !type.isEmpty else { throw .invalid(field: field) }
    return (type, size)
  }
}
