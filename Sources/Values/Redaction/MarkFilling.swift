import JSONTree

extension JSON {
  /// This value with what `live` has in the place of its marks; nil if nothing live is known.
  ///
  /// A member that `live` lacks in an object that it has goes: the live value is that there is
  /// none. Elements of an array that have an `id` are those of the same `id`.
  package func filled(from live: JSON?) throws(UnfilledMark) -> JSON {
    var filling = MarkFilling()
    return try filling.fill(self, from: live)
  }
}

/// A mark for which the app has no value.
package struct UnfilledMark: Error, Equatable, CustomStringConvertible {
  /// As people write it: `users[3].token`.
  package let place: String

  /// There.
  package init(place: String) { self.place = place }

  package var description: String {
    "\(place) is redacted, and the app has no value of its own to keep there"
  }
}

private struct MarkFilling {
  private var names: [String] = []

  mutating func fill(_ value: JSON, from live: JSON?) throws(UnfilledMark) -> JSON {
    if value.marked != nil {
      guard let live, live.marked == nil else { throw UnfilledMark(place: place) }
      return live
    }
    switch value {
    case .null, .bool, .number, .string: return value
    case .array(let elements): return .array(try fill(elements, from: live?.array ?? []))
    case .object(let object): return .object(try fill(object, from: live?.object))
    }
  }

  private mutating func fill(
    _ elements: [JSON], from live: [JSON]
  ) throws(UnfilledMark) -> [JSON] {
    var filled: [JSON] = []
    for (index, element) in elements.enumerated() {
      names.append("[\(index)]")
      let counterpart = element.hasMark ? element.counterpart(at: index, in: live) : nil
      filled.append(try fill(element, from: counterpart))
      names.removeLast()
    }
    return filled
  }

  private mutating func fill(
    _ object: JSONObject, from live: JSONObject?
  ) throws(UnfilledMark) -> JSONObject {
    var filled: [JSONObject.Member] = []
    let counting = object.indexes
    for (index, member) in object.members.enumerated() where counting[member.key] == index {
      let counterpart = live?[member.key]
      if member.value.marked != nil, live != nil, counterpart == nil { continue }
      names.append(names.isEmpty ? member.key : "." + member.key)
      filled.append(
        .init(key: member.key, value: try fill(member.value, from: counterpart)))
      names.removeLast()
    }
    return JSONObject(filled)
  }

  private var place: String { names.isEmpty ? "the whole value" : names.joined() }
}

extension JSON {
  /// The element of another array that means the same as this one.
  fileprivate func counterpart(at index: Int, in others: [JSON]) -> JSON? {
    let same = others.indices.contains(index) ? others[index...].prefix(1) : []
    guard let id = self["id"], id.marked == nil else { return same.first }
    return same.first { $0["id"] == id } ?? others.first { $0["id"] == id }
  }
}
