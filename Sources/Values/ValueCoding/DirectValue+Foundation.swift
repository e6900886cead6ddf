import FoundationEssentials

extension Date: DirectValue {
  func write(to writer: ValueWriter) throws(UnwritableNumber) {
    if let text = writer.form.dates.text(of: self) {
      text.write(to: writer)
    } else {
      try timeIntervalSinceReferenceDate.write(to: writer)
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
