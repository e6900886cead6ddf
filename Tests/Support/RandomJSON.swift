import JSONTree

extension SeededGenerator {
  /// Few different keys and scalars, so that two values share much.
  private static let words = ["", "a", "b", "a/b", "m~n", "0", "1", "-", "é\n\"", "\u{7f}", "🏄"]

  package mutating func word() -> String {
    Self.words[Int.random(in: 0..<Self.words.count, using: &self)]
  }

  package mutating func json(depth: Int = 4) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &self) {
    case 0: .null
    case 1: .bool(Bool.random(using: &self))
    case 2: .number(Int.random(in: -3...3, using: &self))
    case 3: .string(word())
    case 4...6: .array((0..<size()).map { _ in json(depth: depth - 1) })
    default: .object(members(depth: depth - 1))
    }
  }

  private mutating func size() -> Int { Int.random(in: 0...5, using: &self) }

  /// Duplicate keys included.
  private mutating func members(depth: Int) -> JSONObject {
    JSONObject((0..<size()).map { _ in .init(key: word(), value: json(depth: depth)) })
  }

  /// `value` with something changed here and there.
  package mutating func mutated(_ value: JSON) -> JSON {
    guard Int.random(in: 0..<5, using: &self) > 0 else { return json(depth: 2) }
    switch value {
    case .array(var elements):
      if let index = elements.indices.randomElement(using: &self) {
        switch Int.random(in: 0..<3, using: &self) {
        case 0: elements.remove(at: index)
        case 1: elements.insert(json(depth: 1), at: index)
        default: elements[index] = mutated(elements[index])
        }
      }
      return .array(elements)
    case .object(var object):
      if let member = object.members.randomElement(using: &self) {
        object[member.key] = Bool.random(using: &self) ? nil : mutated(member.value)
      }
      return .object(object)
    default:
      return value
    }
  }
}
