/// A checked JSON text, whose parts are parsed on demand, for `ImportText`.
///
/// The tree of a text takes ten times the text's memory. A caller that reads one element at a time
/// holds only the text and the tree of one element.
package struct JSONText: Sendable {
  private let bytes: [UInt8]

  /// Checks all of `bytes`, strictly by RFC 8259, without building a value.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    try parser.checkDocument()
    self.bytes = bytes
  }

  /// The range of a key's value, with white space around it. Nil unless the text is an object with
  /// the key. If the key repeats, the last one counts, as in a tree.
  package func range(of key: String) throws(JSONError) -> Range<Int>? {
    var parser = JSONParser(bytes)
    return try parser.range(of: key)
  }

  /// The ranges of the elements of the array in `range`; nil if the value there is not an array.
  package func elements(in range: Range<Int>) throws(JSONError) -> [Range<Int>]? {
    var parser = JSONParser(bytes)
    parser.offset = range.lowerBound
    return try parser.elements()
  }

  /// Parses the value in `range`.
  package func value(in range: Range<Int>) throws(JSONError) -> JSON {
    var parser = JSONParser(bytes)
    parser.offset = range.lowerBound
    return try parser.value()
  }

  /// Parses a key's value; nil as for `range(of:)`.
  package subscript(key: String) -> JSON? {
    get throws(JSONError) {
      guard let range = try range(of: key) else { return nil }
      return try value(in: range)
    }
  }
}

extension JSONParser {
  fileprivate mutating func range(of wanted: String) throws(JSONError) -> Range<Int>? {
    skipSpace()
    guard next == ASCII.openBrace, try open(until: ASCII.closeBrace) else { return nil }
    var range: Range<Int>?
    repeat {
      let isWanted = try key().isExactly(wanted)
      let start = offset
      try checkValue()
      if isWanted { range = start..<offset }
    } while try goesOn(until: ASCII.closeBrace)
    return range
  }

  fileprivate mutating func elements() throws(JSONError) -> [Range<Int>]? {
    skipSpace()
    guard next == ASCII.openBracket else { return nil }
    var elements: [Range<Int>] = []
    guard try open(until: ASCII.closeBracket) else { return elements }
    repeat {
      let start = offset
      try checkValue()
      elements.append(start..<offset)
    } while try goesOn(until: ASCII.closeBracket)
    return elements
  }
}
