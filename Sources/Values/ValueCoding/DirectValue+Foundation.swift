import FoundationEssentials

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
  func write(to writer: ValueWriter) { base64EncodedString().write(to: writer) }
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
