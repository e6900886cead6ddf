import JSONTree

/// A value and where its parts stand.
struct JSONPart: Sendable {
  /// Not yet that of its parts while it is stale.
  private(set) var json: JSON
  /// Octets of its text.
  private(set) var size: Int
  /// Its members or elements, in order.
  var children: [Child] = []
  /// Whether the value of a part is another than the one within its own.
  private(set) var isStale = false

  struct Child: Sendable {
    /// Octets between it and the one before, or the beginning.
    var lead: Int
    var part: JSONPart

    var size: Int { lead + part.size }
  }

  /// Nil if they are not of the same value.
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

  /// With other values for some children.
  init(_ old: JSONPart, size: Int, replacing parts: [(index: Int, part: JSONPart)]) {
    self.size = size
    json = old.json
    children = old.children
    for (index, part) in parts { children[index].part = part }
    json = json.replacing(parts.map { ($0.index, $0.part.json) })
  }

  /// Octets behind its last child, the bracket among them.
  var tailSize: Int { children.reduce(size) { $0 - $1.size } }

  /// The way to a child.
  func element(_ index: Int) -> JSONPath.Element {
    json.object.map { .key($0.members[index].key) } ?? .index(index)
  }

  /// Whether its text ends by itself, whatever comes next.
  var isClosed: Bool {
    switch json {
    case .string, .array, .object: true
    case .null, .bool, .number: false
    }
  }
}

// Scalars that become others. The values that hold them are made anew only when they are wanted.
extension JSONPart {
  /// - Parameter way: to the scalar, by the numbers of children.
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

  /// Makes its value that of its parts.
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
  /// With other values for some members or elements.
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
