import JSONTree

/// A value and where its parts stand.
struct JSONPart: Sendable {
  let json: JSON
  /// Octets of its text.
  let size: Int
  /// Its members or elements, in order.
  var children: [Child] = []

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

  init(_ json: JSON, size: Int, children: [Child]) {
    (self.json, self.size, self.children) = (json, size, children)
  }

  /// With other values for some children.
  init(_ old: JSONPart, size: Int, replacing parts: [(index: Int, part: JSONPart)]) {
    self.size = size
    children = old.children
    for (index, part) in parts { children[index].part = part }
    switch old.json {
    case .object(let object):
      var members = object.members
      for (index, part) in parts { members[index].value = part.json }
      json = .object(JSONObject(members))
    case .array(var elements):
      for (index, part) in parts { elements[index] = part.json }
      json = .array(elements)
    case .null, .bool, .number, .string: json = old.json
    }
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
