/// The place of an array's element, as `JSONEncoder` names it.
struct ElementKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }

  var intValue: Int? { index }
  var stringValue: String { "Index \(index)" }
}

/// A key of a dictionary, or of an encoder for a superclass.
struct NameKey: CodingKey {
  let stringValue: String

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(String(intValue)) }

  /// As the dictionaries of the standard library have it.
  var intValue: Int? { Int(stringValue) }
}
