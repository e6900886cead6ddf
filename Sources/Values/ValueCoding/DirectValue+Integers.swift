extension Int: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension Int8: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension Int16: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension Int32: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension Int64: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension UInt: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension UInt8: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension UInt16: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension UInt32: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension UInt64: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(decimal: self) }
}
extension Int128: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(description.utf8) }
}
extension UInt128: DirectValue {
  func write(to writer: ValueWriter) { writer.text.append(description.utf8) }
}
