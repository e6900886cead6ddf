import JSONTree

/// A value with the positions of its children in the text, for `JSONRereader`.
struct JSONPart: Sendable {
  /// Out of date while `isStale`.
  private(set) var json: JSON
  /// Octets of the value's text.
  private(set) var size: Int
  /// The members or elements, in order.
  var children: [Child] = []
  /// Whether a scalar here was replaced, and the values around it have yet to be rebuilt.
  private(set) var isStale = false

  struct Child: Sendable {
    /// Octets between the previous child, or the beginning, and this one.
    var lead: Int
    var part: JSONPart

    var size: Int { lead + part.size }
  }

  /// Nil if the value and the skim have different numbers of children.
  init?(_ json: JSON, _ skim: JSONSkimmer.Skim) {
    (self.json, size) = (json, skim.size)
    let values: [JSON] =
      switch json {
      case .object(let object): object.members.map(\.value)
      case .array(let elements): elements
      case .null, .bool, .number, .string: []
      }
    guard values.count == skim.children.count else { return nil }
    children.reserveCapacity(values.count)
    for (value, child) in zip(values, skim.children) {
      guard let part = JSONPart(value, child.skim) else { return nil }
      children.append(Child(lead: child.lead, part: part))
    }
  }

  init(_ json: JSON, size: Int, children: [Child] = []) {
    (self.json, self.size, self.children) = (json, size, children)
  }

  init(_ old: JSONPart, size: Int, replacing parts: [(index: Int, part: JSONPart)]) {
    self.size = size
    json = old.json
    children = old.children
    for (index, part) in parts { children[index].part = part }
    json = json.replacing(parts.map { ($0.index, $0.part.json) })
  }

  /// Octets after the last child, including the bracket.
  var tailSize: Int { children.reduce(size) { $0 - $1.size } }

  /// The step of a path that leads to a child.
  func element(_ index: Int) -> JSONPath.Element {
    json.object.map { .key($0.members[index].key) } ?? .index(index)
  }

  /// Whether the text has its own end: a number could continue with the next octet.
  var isClosed: Bool {
    switch json {
    case .string, .array, .object: true
    case .null, .bool, .number: false
    }
  }
}

// Scalars replaced by scalars. The values around them are rebuilt only on demand.
extension JSONPart {
  /// - Parameter way: the indexes of children that lead to the scalar.
  mutating func replace(_ way: ArraySlice<Int>, with scalar: JSONPart) {
    guard let index = way.first else {
      self = scalar
      isStale = true
      return
    }
    isStale = true
    size -= children[index].part.size
    children[index].part.replace(way.dropFirst(), with: scalar)
    size += children[index].part.size
  }

  /// Rebuilds the value from its children.
  mutating func freshen() {
    guard isStale else { return }
    isStale = false
    var values: [(index: Int, value: JSON)] = []
    for index in children.indices where children[index].part.isStale {
      children[index].part.freshen()
      values.append((index, children[index].part.json))
    }
    if !values.isEmpty { json = json.replacing(values) }
  }
}

extension JSON {
  fileprivate func replacing(_ values: [(index: Int, value: JSON)]) -> JSON {
    switch self {
    case .object(let object):
      var members = object.members
      for (index, value) in values { members[index].value = value }
      return .object(JSONObject(members))
    case .array(var elements):
      for (index, value) in values { elements[index] = value }
      return .array(elements)
    case .null, .bool, .number, .string: return self
    }
  }
}
