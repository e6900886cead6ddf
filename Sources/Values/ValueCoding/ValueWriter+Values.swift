extension ValueWriter {
  /// Decides that a value is an array or an object, or continues one.
  @inline(__always)
  func open(_ shape: OpenValue.Shape, _ id: Int) throws {
    try settle(id)
    guard self[id].shape != shape else { return }
    guard self[id].shape == .undecided else { throw stop(.outOfOrder) }
    self[id].shape = shape
    text.append(shape == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Writes the value of a member or an element. If that fails, nothing of it is left.
  @inline(__always)
  func write<Value: Encodable>(
    _ value: Value, at key: @autoclosure () -> (any CodingKey)?, of id: Int, since mark: Mark
  ) throws {
    do {
      switch strategies.strategy(of: Value.self) {
      case .direct(let type): try write(value, as: type)
      case let strategy:
        let id = try begin(key(), isNested: false)
        try encode(value, strategy, id)
        try end(id)
      }
    } catch {
      throw located(error, key(), beforeLast(id), mark)
    }
  }

  /// The same for a type known at compile time.
  @inline(__always)
  func write<Value: DirectValue>(
    direct value: Value, at key: @autoclosure () -> (any CodingKey)?, of id: Int, since mark: Mark
  ) throws {
    do throws(UnwritableNumber) { try value.write(to: self) } catch {
      throw located(error, key(), beforeLast(id), mark)
    }
  }

  /// The open value without the member or element that was begun last.
  private func beforeLast(_ id: Int) -> OpenValue {
    var value = self[id]
    value.count -= 1
    return value
  }

  @inline(never)
  private func located(
    _ error: any Error, _ key: (any CodingKey)?, _ before: OpenValue, _ mark: Mark
  ) -> any Error {
    guard let number = error as? UnwritableNumber else {
      rollBack(to: mark, before)
      return error
    }
    let key = key ?? (before.shape == .array ? ElementKey(before.count) : nil)
    let path = path(of: before.id) + (key.map { [$0] } ?? [])
    rollBack(to: mark, before)
    return number.located(at: path)
  }

  /// Writes a value as its own type, given at run time.
  @inline(__always)
  private func write<Value, Direct: DirectValue>(
    _ value: Value, as type: Direct.Type
  ) throws(UnwritableNumber) {
    // Safe because `type` is `Value.self`, which `WritingStrategy` cast to this protocol.
    try withUnsafePointer(to: value) { (pointer) throws(UnwritableNumber) in
      try UnsafeRawPointer(pointer).assumingMemoryBound(to: type).pointee.write(to: self)
    }
  }

  private func encode<Value: Encodable>(_ value: Value, _ strategy: WritingStrategy, _ id: Int)
    throws
  {
    if case .many(let type) = strategy { return try write(value, as: type, id) }
    try form.encode(value, to: WritingEncoder(writer: self, id: id))
  }

  private func write<Value, Many: ManyValues>(
    _ value: Value, as type: Many.Type, _ id: Int
  ) throws {
    // Safe because `type` is `Value.self`, as above.
    try withUnsafePointer(to: value) { pointer in
      try UnsafeRawPointer(pointer).assumingMemoryBound(to: type).pointee.write(to: self, at: id)
    }
  }

  /// Writes a value in place of another: a single-value container.
  func replace<Value: Encodable>(_ id: Int, by value: Value) throws {
    try settle(id)
    let (mark, before) = (mark, self[id])
    guard !self[id].isTaken else { throw stop(.outOfOrder) }
    do {
      switch strategies.strategy(of: Value.self) {
      case .direct(let type):
        guard self[id].shape == .undecided else { throw stop(.outOfOrder) }
        try write(value, as: type)
        self[id].shape = .scalar
      case let strategy: try descend(inPlace: value, strategy, id)
      }
    } catch {
      throw located(error, nil, before, mark)
    }
    self[id].isTaken = true
  }

  /// The same for a type known at compile time.
  @inline(__always)
  func replace<Value: DirectValue>(_ id: Int, byDirect value: Value) throws {
    try settle(id)
    guard self[id].shape == .undecided else { throw stop(.outOfOrder) }
    let (mark, before) = (mark, self[id])
    self[id].shape = .scalar
    self[id].isTaken = true
    do throws(UnwritableNumber) { try value.write(to: self) } catch {
      throw located(error, nil, before, mark)
    }
  }

  private func descend<Value: Encodable>(
    inPlace value: Value, _ strategy: WritingStrategy, _ id: Int
  ) throws {
    guard self[id].depth < form.depthMax else { throw stop(.tooDeep) }
    self[id].depth += 1
    try encode(value, strategy, id)
    try settle(id)
    self[id].depth -= 1
    // As in `JSONEncoder`, a value that encodes nothing is an empty object.
    if self[id].shape == .undecided { try open(.object, id) }
  }

  /// Writes `value` as the whole text; false if only `TreeEncoder` can write it.
  func write<Value: Encodable>(whole value: Value) throws -> Bool {
    clear()
    let id = try begin(nil, isNested: false)
    var fault: (any Error)?
    do {
      switch strategies.strategy(of: Value.self) {
      case .direct(let type):
        try write(value, as: type)
        self[id].shape = .scalar
      case let strategy: try encode(value, strategy, id)
      }
      try settle(id)
      if self[id].shape == .undecided { throw EncodingError.nothingEncoded(by: value) }
      try end(id)
    } catch {
      fault = (error as? UnwritableNumber)?.located(at: []) ?? error
    }
    if obstacle == .outOfOrder { return false }
    // The value's own code may have swallowed the error.
    if let obstacle { throw stop(obstacle) }
    if let fault { throw fault }
    return true
  }
}

extension EncodingError {
  static func nothingEncoded<Value>(by value: Value) -> EncodingError {
    .invalidValue(
      value, Context(codingPath: [], debugDescription: "\(Value.self) did not encode anything"))
  }
}

extension WritingForm {
  /// Lets a value encode itself, as an enum in short form if the form asks for that.
  func encode<Value: Encodable>(_ value: Value, to encoder: some Encoder) throws {
    if hasShortEnums, let shape = EnumShape(value) {
      try shape.encode(to: encoder)
    } else {
      try value.encode(to: encoder)
    }
  }
}

/// A value whose text is not complete yet.
struct OpenValue {
  /// The kind of text written so far.
  enum Shape: UInt8 {
    case undecided
    /// A text that is complete.
    case scalar
    case object
    case array
  }

  /// Its index in the low bits; above them a number that is never used again.
  let id: Int
  /// Whether a container opened it. It then ends as soon as that container continues.
  let isNested: Bool
  let hasKey: Bool
  /// How many values and containers are around it.
  var depth: Int
  let firstMember: Int
  let start: Int
  var shape = Shape.undecided
  /// Whether a single value was written here; no second one may be.
  var isTaken = false
  /// Whether the keys so far are in ascending order.
  var isSorted = true
  var hasEscapedKeys = false
  /// How many members or elements it has.
  var count = 0

  /// Enough for every index: there are at most `ValueCoder.depthMax + 1` open values.
  static let indexBits = 10
  static func index(of id: Int) -> Int { id & (1 << indexBits - 1) }
}

/// Undoes the escapes of a key that `TextBuffer` wrote, so that keys can be sorted by their octets.
struct EscapedText {
  let octets: [UInt8]

  init(_ text: UnsafeBufferPointer<UInt8>) {
    var octets: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
        octets.append(byte)
        continue
      }
      octets.append(letter == UInt8(ascii: "u") ? Self.scalar(&rest) : Self.plain(letter))
    }
    self.octets = octets
  }

  private static func plain(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "r"): 0x0d
    default: letter
    }
  }

  /// The octet that four hexadecimal digits write. Only ASCII is escaped in this way.
  private static func scalar(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt8 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
  }
}
