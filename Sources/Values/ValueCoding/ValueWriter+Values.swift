extension ValueWriter {
  /// Decides what a value is, or goes on with what it is already.
  @inline(__always)
  func open(_ shape: OpenValue.Shape, _ id: Int) throws {
    try settle(id)
    guard self[id].shape != shape else { return }
    guard self[id].shape == .undecided else { throw stop(.outOfOrder) }
    self[id].shape = shape
    text.append(shape == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Writes a member's or an element's value; if that fails, nothing is left of it.
  @inline(__always)
  func write<Value: Encodable>(
    _ value: Value, at key: @autoclosure () -> (any CodingKey)?, of id: Int, since mark: Mark
  ) throws {
    do {
      switch ways.way(of: Value.self) {
      case .direct(let type): try write(value, as: type)
      case let way:
        let id = try begin(key(), isNested: false)
        try encode(value, way, id)
        try end(id)
      }
    } catch {
      throw located(error, key(), beforeLast(id), mark)
    }
  }

  /// The same for a type that is known.
  @inline(__always)
  func write<Value: DirectValue>(
    direct value: Value, at key: @autoclosure () -> (any CodingKey)?, of id: Int, since mark: Mark
  ) throws {
    do throws(UnwritableNumber) { try value.write(to: self) } catch {
      throw located(error, key(), beforeLast(id), mark)
    }
  }

  /// A value without the member or element that was begun last.
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
      takeBack(to: mark, before)
      return error
    }
    let key = key ?? (before.shape == .array ? ElementKey(before.count) : nil)
    let path = path(of: before.id) + (key.map { [$0] } ?? [])
    takeBack(to: mark, before)
    return number.located(at: path)
  }

  /// Writes a value whose type is found to be this one.
  @inline(__always)
  private func write<Value, Direct: DirectValue>(
    _ value: Value, as type: Direct.Type
  ) throws(UnwritableNumber) {
    try withUnsafePointer(to: value) { (pointer) throws(UnwritableNumber) in
      try UnsafeRawPointer(pointer).assumingMemoryBound(to: type).pointee.write(to: self)
    }
  }

  /// Lets a value encode itself at this place.
  private func encode<Value: Encodable>(_ value: Value, _ way: WritingStrategy, _ id: Int) throws {
    if case .many(let type) = way { return try write(value, as: type, id) }
    try form.encode(value, to: WritingEncoder(writer: self, id: id))
  }

  private func write<Value, Many: ManyValues>(
    _ value: Value, as type: Many.Type, _ id: Int
  ) throws {
    try withUnsafePointer(to: value) { pointer in
      try UnsafeRawPointer(pointer).assumingMemoryBound(to: type).pointee.write(to: self, at: id)
    }
  }

  /// Writes a value in the place of another.
  func replace<Value: Encodable>(_ id: Int, by value: Value) throws {
    try settle(id)
    let (mark, before) = (mark, self[id])
    guard !self[id].isTaken else { throw stop(.outOfOrder) }
    do {
      switch ways.way(of: Value.self) {
      case .direct(let type):
        guard self[id].shape == .undecided else { throw stop(.outOfOrder) }
        try write(value, as: type)
        self[id].shape = .scalar
      case let way: try descend(inPlace: value, way, id)
      }
    } catch {
      throw located(error, nil, before, mark)
    }
    self[id].isTaken = true
  }

  /// The same for a type that is known.
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
    inPlace value: Value, _ way: WritingStrategy, _ id: Int
  ) throws {
    guard self[id].depth < ValueCoder.depthMax else { throw stop(.tooDeep) }
    self[id].depth += 1
    try encode(value, way, id)
    try settle(id)
    self[id].depth -= 1
    // What encodes nothing is an empty object, as with `JSONEncoder`.
    if self[id].shape == .undecided { try open(.object, id) }
  }

  /// Writes `value` as the whole text. False if its containers must be written in another way.
  func write<Value: Encodable>(whole value: Value) throws -> Bool {
    clear()
    let id = try begin(nil, isNested: false)
    do {
      switch ways.way(of: Value.self) {
      case .direct(let type):
        try write(value, as: type)
        self[id].shape = .scalar
      case let way: try encode(value, way, id)
      }
      try settle(id)
      if self[id].shape == .undecided { throw EncodingError.nothingEncoded(by: value) }
      try end(id)
    } catch {
      switch obstacle {
      case .outOfOrder: return false
      case .tooDeep: throw TooDeep()
      case nil: throw (error as? UnwritableNumber)?.located(at: []) ?? error
      }
    }
    switch obstacle {
    case .outOfOrder: return false
    case .tooDeep: throw TooDeep()
    case nil: return true
    }
  }
}

extension EncodingError {
  static func nothingEncoded<Value>(by value: Value) -> EncodingError {
    .invalidValue(
      value, Context(codingPath: [], debugDescription: "\(Value.self) did not encode anything"))
  }
}

extension WritingForm {
  /// Lets a value encode itself, in the form that is chosen for its type.
  func encode<Value: Encodable>(_ value: Value, to encoder: some Encoder) throws {
    if hasShortEnums, let shape = EnumShape(value) {
      try shape.encode(to: encoder)
    } else {
      try value.encode(to: encoder)
    }
  }
}

/// A value or container whose text is being written.
struct OpenValue {
  /// What has been written of it.
  enum Shape: UInt8 {
    case undecided
    /// A text that is complete.
    case scalar
    case object
    case array
  }

  /// Its index in the low bits, and above them a number that no other has.
  let id: Int
  /// Whether a container opened it: it then ends as soon as that one goes on.
  let isNested: Bool
  let hasKey: Bool
  /// Values and containers around it.
  var depth: Int
  let firstMember: Int
  /// Where its text begins.
  let start: Int
  var shape = Shape.undecided
  /// Whether another value was written in its place.
  var isTaken = false
  /// Whether each key so far comes behind the one before.
  var isSorted = true
  var hasEscapedKeys = false
  /// Members or elements.
  var count = 0

  /// Enough for the index of any: there are at most `ValueCoder.depthMax + 1`.
  static let indexBits = 10
  static func index(of id: Int) -> Int { id & (1 << indexBits - 1) }
}

/// A string of JSON between its quotes, as `TextBuffer` writes it.
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

  /// The value of four digits; only ASCII is written so.
  private static func scalar(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> UInt8 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
  }
}
