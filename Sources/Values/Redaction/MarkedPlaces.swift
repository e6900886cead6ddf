import JSONTree

/// Where in a value its marks are, and nothing of the rest of it. Found in one pass, so that what
/// has no mark is not looked at again, however deep it is nested.
indirect enum MarkedPlaces {
  /// Here is one.
  case here
  /// They are in these elements, or in these members, of those that count; in their order.
  case inside([(index: Int, places: MarkedPlaces)])

  /// Nil if there is none.
  init?(_ value: JSON) {
    if value.marked != nil {
      self = .here
      return
    }
    let inside: Inside =
      switch value {
      case .null, .bool, .number, .string: []
      case .array(let elements): Self.places(elements)
      case .object(let object): Self.places(object)
      }
    if inside.isEmpty { return nil }
    self = .inside(inside)
  }

  private typealias Inside = [(index: Int, places: MarkedPlaces)]

  private static func places(_ values: some Sequence<JSON>) -> Inside {
    var inside: Inside = []
    for (index, value) in values.enumerated() {
      if let places = MarkedPlaces(value) { inside.append((index, places)) }
    }
    return inside
  }

  private static func places(_ object: JSONObject) -> Inside {
    let inside = places(object.members.lazy.map(\.value))
    guard !inside.isEmpty else { return [] }
    let counting = object.indexes
    return inside.filter { counting[object.members[$0.index].key] == $0.index }
  }
}
