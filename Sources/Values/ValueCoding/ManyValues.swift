/// A collection that is written without containers of its own.
protocol ManyValues {
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

extension Dictionary: ManyValues where Key == String, Value: Encodable {
  func write(to writer: ValueWriter, at id: Int) throws {
    try writer.open(.object, id)
    for (name, value) in self {
      let mark = try writer.beginMember(name, of: id)
      try writer.write(value, at: NameKey(name), of: id, since: mark)
    }
  }
}
