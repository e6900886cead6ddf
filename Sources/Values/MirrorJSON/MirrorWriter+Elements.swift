/// A collection of the standard library. `MirrorWriter` writes its elements, not its `Encodable`.
protocol PlainCollection {
  func write(to writer: inout MirrorWriter)
}

extension PlainCollection where Self: Sequence {
  fileprivate func writeInOrder(to writer: inout MirrorWriter) {
    writer.list("[", "]") { list in
      for element in self {
        guard !list.isFull else { return }
        list.element { $0.write(element) }
      }
    }
  }
}

extension Array: PlainCollection {
  func write(to writer: inout MirrorWriter) { writeInOrder(to: &writer) }
}

extension ArraySlice: PlainCollection {
  func write(to writer: inout MirrorWriter) { writeInOrder(to: &writer) }
}

extension ContiguousArray: PlainCollection {
  func write(to writer: inout MirrorWriter) { writeInOrder(to: &writer) }
}

extension Set: PlainCollection {
  /// Sorted by the elements' text.
  func write(to writer: inout MirrorWriter) {
    writer.sortedList("[", "]", self) { $0.write($1) }
  }
}

extension Dictionary: PlainCollection {
  /// Sorted by the keys' text. A key that does not encode as a string has its JSON quoted.
  func write(to writer: inout MirrorWriter) {
    writer.sortedList("{", "}", self) { writer, member in
      let start = writer.output.count
      writer.write(member.key)
      if writer.output.count > start, writer.output[start] != 0x22 {
        let text = String(decoding: writer.output[start...], as: UTF8.self)
        writer.output.removeSubrange(start...)
        writer.append(Leaf.quoted(text))
      }
      writer.output.append(0x3a)
      writer.write(member.value)
    }
  }
}

extension MirrorWriter {
  mutating func list(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout MirrorWriter) -> Void
  ) {
    // `append` checks the limit, but an empty list appends nothing.
    guard bytesLeft >= 2 else { return append(truncated) }
    output.append(UInt8(ascii: open))
    body(&self)
    output.append(UInt8(ascii: close))
  }

  /// One element, with the comma before it. Writes nothing once the output is full.
  mutating func element(_ write: (inout MirrorWriter) -> Void) {
    guard !isFull else { return }
    // No value ends in an opening bracket, so this would be the first element.
    if output.last != UInt8(ascii: "["), output.last != UInt8(ascii: "{") { output.append(0x2c) }
    write(&self)
  }

  /// One member of an object. `name` is a JSON string.
  mutating func member(_ name: [UInt8], _ write: (inout MirrorWriter) -> Void) {
    element { writer in
      writer.append(name)
      writer.output.append(0x3a)
      writer.write(orTruncated: write)
    }
  }

  private mutating func write(orTruncated write: (inout MirrorWriter) -> Void) {
    if isFull { append([]) } else { write(&self) }
  }

  /// A list sorted by its elements' text, or nothing if it does not fit. A `Set` iterates in a
  /// different order in each run, so a part of one would differ too.
  mutating func sortedList<Elements: Sequence>(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ elements: Elements,
    _ write: (inout MirrorWriter, Elements.Element) -> Void
  ) {
    let held = heldByteCount
    var texts: [ArraySlice<UInt8>] = []
    for element in elements {
      let start = output.count
      write(&self, element)
      texts.append(ArraySlice(Array(output[start...])))
      output.removeSubrange(start...)
      heldByteCount += (texts.last?.count ?? 0) + 1
      guard !isFull else { break }
    }
    heldByteCount = held
    guard !isFull else { return append([]) }
    texts.sort(by: Self.precedes)
    list(open, close) { list in
      for text in texts { list.element { $0.output.append(contentsOf: text) } }
    }
  }

  /// Compares bytes, with the quote as the smallest, so that a string precedes its extensions.
  private static func precedes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    left.lexicographicallyPrecedes(right) { ($0 == 0x22 ? 0 : $0) < ($1 == 0x22 ? 0 : $1) }
  }
}
