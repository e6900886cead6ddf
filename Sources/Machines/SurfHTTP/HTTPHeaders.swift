/// Header fields in the order they came or were added (RFC 9110 §5).
package struct HTTPHeaders: Equatable, Sendable {
  /// One field line.
  package struct Field: Equatable, Sendable {
    package let name: String
    package let value: String
  }

  /// The field lines in order.
  package private(set) var fields: [Field] = []

  package init() {}

  /// Adds a line, whatever lines the name already has.
  package mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Removes every line of the name, in any case.
  package mutating func remove(_ name: String) {
    fields.removeAll { $0.name.utf8.equalsIgnoringCase(name.utf8) }
  }

  /// The value of the first line with the name, in any case; setting replaces every such line.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name.utf8.equalsIgnoringCase(name.utf8) }?.value }
    set {
      remove(name)
      if let newValue { append(name, newValue) }
    }
  }

  /// The values of all lines with the name, in order. With `splittingLists`, the members of their
  /// comma lists without blanks and without empty members (RFC 9110 §5.6.1).
  package func values(of name: String, splittingLists: Bool = false) -> [String] {
    let values = fields.filter { $0.name.utf8.equalsIgnoringCase(name.utf8) }.map(\.value)
    return splittingLists ? values.flatMap(Self.members) : values
  }

  /// Whether a comma list of the name has the token, both in any case.
  package func contains(_ name: String, token: String) -> Bool {
    values(of: name, splittingLists: true).contains { $0.utf8.equalsIgnoringCase(token.utf8) }
  }

  /// A comma inside a quoted string separates nothing (RFC 9110 §5.6.4).
  private static func members(of list: String) -> [String] {
    var isQuoted = false
    var isEscaped = false
    let parts = Array(list.utf8).split { byte in
      if isEscaped {
        isEscaped = false
      } else if isQuoted && byte == Octet.backslash {
        isEscaped = true
      } else if byte == Octet.quote {
        isQuoted.toggle()
      }
      return byte == Octet.comma && !isQuoted
    }
    return parts.map(\.trimmed).filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init()
    for (name, value) in elements { append(name, value) }
  }
}
