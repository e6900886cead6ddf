/// A collection that `ValueWriter` writes itself, without encoding containers.
protocol ManyValues: Encodable {
  func write(to writer: ValueWriter, at id: Int) throws
}

extension Array: ManyValues where Element: Encodable {
  func write(to writer: ValueWriter, at id: Int) throws {
    try writer.open(.array, id)
    for element in self {
      let mark = try writer.beginElement(of: id)
      try writer.write(element, at: nil, of: id, since: mark)
    }
  }
}

/// A collection without an order. Its elements are sorted, so that equal collections give equal
/// bytes.
protocol UnorderedValues: ManyValues {
  /// The elements of the array that it is written as, in groups that stay together; nil if it is
  /// written as an object.
  var groups: [[any Encodable]]? { get }
}

extension Set: ManyValues, UnorderedValues where Element: Encodable {
  var groups: [[any Encodable]]? { map { [$0] } }

  func write(to writer: ValueWriter, at id: Int) throws {
    try writer.open(.array, id)
    let start = writer.text.count
    var starts: [Int] = []
    starts.reserveCapacity(count)
    for element in self {
      let mark = try writer.beginElement(of: id)
      starts.append(writer.text.count)
      try writer.write(element, at: nil, of: id, since: mark)
    }
    try writer.settle(id)
    writer.sortElements(starts, from: start)
  }
}

extension Dictionary: ManyValues, UnorderedValues where Key: Encodable, Value: Encodable {
  /// Whether the standard library encodes this dictionary as an object.
  static var isObjectAnyway: Bool {
    Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
  }

  var groups: [[any Encodable]]? { Self.isObjectAnyway ? nil : map { [$0, $1] } }

  func write(to writer: ValueWriter, at id: Int) throws {
    if Key.self == String.self {
      // Safe because `Key` is `String`: both are the same type.
      return try unsafeBitCast(self, to: [String: Value].self).write(members: writer, at: id)
    }
    guard !Self.isObjectAnyway else {
      return try encode(to: WritingEncoder(writer: writer, id: id))
    }
    if let object = try writer.form.withTextKeys(self) {
      return try object.write(to: writer, at: id)
    }
    try write(pairs: writer, at: id)
  }

  private func write(pairs writer: ValueWriter, at id: Int) throws {
    try writer.open(.array, id)
    let start = writer.text.count
    var starts: [Int] = []
    starts.reserveCapacity(count)
    for (key, value) in self {
      let mark = try writer.beginElement(of: id)
      starts.append(writer.text.count)
      try writer.write(key, at: nil, of: id, since: mark)
      let valueMark = try writer.beginElement(of: id)
      try writer.write(value, at: nil, of: id, since: valueMark)
    }
    try writer.settle(id)
    writer.sortElements(starts, from: start)
  }
}

extension WritingForm {
  /// The dictionary with text keys, if the form asks for that and the keys allow it.
  func withTextKeys(_ values: some UnorderedValues) throws -> (any ManyValues)? {
    guard hasTextKeys, let dictionary = values as? any TextKeyed else { return nil }
    return try dictionary.withTextKeys(marksRedacted: marksRedacted)
  }
}

extension Dictionary where Key == String, Value: Encodable {
  fileprivate func write(members writer: ValueWriter, at id: Int) throws {
    try writer.open(.object, id)
    for (name, value) in self {
      let mark = try writer.beginMember(name, of: id)
      try writer.write(value, at: NameKey(name), of: id, since: mark)
    }
  }
}

extension ValueWriter {
  /// Sorts elements, or groups of elements, by their octets.
  ///
  /// - Parameters:
  ///   - starts: where each begins in the text. The last one ends with the text.
  ///   - start: where the first one begins.
  fileprivate func sortElements(_ starts: [Int], from start: Int) {
    guard starts.count > 1 else { return }
    let ends = starts.dropFirst().map { $0 - 1 } + [text.count]
    let octets = text.bytes
    let spans = zip(starts, ends).map { octets[$0..<$1] }
    let sorted = spans.sorted { $0.lexicographicallyPrecedes($1) }
    scratch.truncate(to: 0)
    for (index, span) in sorted.enumerated() {
      if index > 0 { scratch.append(UInt8(ascii: ",")) }
      scratch.append(text.start + span.startIndex, span.count)
    }
    text.replace(from: start, by: scratch)
  }
}
