import FoundationEssentials

/// A type that `ValueWriter` writes without calling its `encode(to:)`, because nothing can be
/// nested in it, or because `JSONEncoder` has a special form for it.
protocol DirectValue: Encodable {
  func write(to writer: ValueWriter) throws(UnwritableNumber)

  /// Writes the elements of an array. One call for all of them, so that the loop is specialized for
  /// their type.
  static func write(
    all values: UnsafeBufferPointer<Self>, to writer: ValueWriter
  ) throws(UnwritableNumber)
}

extension DirectValue {
  static func write(
    all values: UnsafeBufferPointer<Self>, to writer: ValueWriter
  ) throws(UnwritableNumber) {
    for index in values.indices {
      guard writer.fits(0) else { return }
      if index > 0 { writer.text.append(UInt8(ascii: ",")) }
      do { try values[index].write(to: writer) } catch {
        throw UnwritableNumber(value: error.value, path: [ElementKey(index)] + error.path)
      }
    }
  }
}

extension ValueWriter {
  /// Writes null for a number that JSON cannot express, if the form allows it; otherwise throws.
  @inline(never)
  func write(unwritable number: any Sendable) throws(UnwritableNumber) {
    guard form.hasNullNumbers else { throw UnwritableNumber(value: number) }
    text.append("null")
  }
}

/// A number that JSON cannot express, and its place in a value.
struct UnwritableNumber: Error {
  let value: any Sendable
  var path: [any CodingKey] = []

  /// The `EncodingError` to throw at a place.
  func located(at outer: [any CodingKey]) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: outer + path, debugDescription: "\(value) is a number that JSON cannot express")
    )
  }
}

extension Bool: DirectValue {
  func write(to writer: ValueWriter) {
    if self { writer.text.append("true") } else { writer.text.append("false") }
  }
}

extension String: DirectValue {
  func write(to writer: ValueWriter) {
    guard writer.fits(utf8.count) else { return }
    writer.text.append(quoted: self, escapesSlashes: writer.form.escapesSlashes)
  }
}

extension Double: DirectValue {
  func write(to writer: ValueWriter) throws(UnwritableNumber) {
    guard isFinite else { return try writer.write(unwritable: self) }
    writer.text.append(shortest: self)
  }
}

extension Float: DirectValue {
  func write(to writer: ValueWriter) throws(UnwritableNumber) {
    guard isFinite else { return try writer.write(unwritable: self) }
    writer.text.append(shortest: self)
  }
}

extension Optional: DirectValue where Wrapped: DirectValue {
  func write(to writer: ValueWriter) throws(UnwritableNumber) {
    if let self { try self.write(to: writer) } else { writer.text.append("null") }
  }
}

extension Array: DirectValue where Element: DirectValue {
  func write(to writer: ValueWriter) throws(UnwritableNumber) {
    writer.text.append(UInt8(ascii: "["))
    try withUnsafeBufferPointer { (elements) throws(UnwritableNumber) in
      try Element.write(all: elements, to: writer)
    }
    writer.text.append(UInt8(ascii: "]"))
  }
}

extension Date: DirectValue {
  func write(to writer: ValueWriter) throws(UnwritableNumber) {
    switch writer.form.dates {
    case .seconds: try timeIntervalSinceReferenceDate.write(to: writer)
    case .text(let text): text(self).write(to: writer)
    case .readable:
      writer.text.append(UInt8(ascii: "\""))
      if ReadableDate.append(self, to: &writer.text) {
        writer.text.append(UInt8(ascii: "\""))
      } else {
        writer.text.truncate(to: writer.text.count - 1)
        try timeIntervalSinceReferenceDate.write(to: writer)
      }
    }
  }
}

extension Data: DirectValue {
  func write(to writer: ValueWriter) {
    guard writer.fits(count) else { return }
    base64EncodedString().write(to: writer)
  }
}

extension URL: DirectValue {
  func write(to writer: ValueWriter) { absoluteString.write(to: writer) }
}

extension UUID: DirectValue {
  func write(to writer: ValueWriter) { uuidString.write(to: writer) }
}

extension Decimal: DirectValue {
  func write(to writer: ValueWriter) throws(UnwritableNumber) {
    guard !isNaN else { return try writer.write(unwritable: self) }
    writer.text.append(description.utf8)
  }
}

extension DirectValue where Self: FixedWidthInteger {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}

extension Int: DirectValue {}
extension Int8: DirectValue {}
extension Int16: DirectValue {}
extension Int32: DirectValue {}
extension Int64: DirectValue {}
extension UInt: DirectValue {}
extension UInt8: DirectValue {}
extension UInt16: DirectValue {}
extension UInt32: DirectValue {}
extension UInt64: DirectValue {}
extension Int128: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(description.utf8) }
}
extension UInt128: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(description.utf8) }
}
