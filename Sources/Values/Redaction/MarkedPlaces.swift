import JSONTree

/// Where the marks in a value are, and nothing else. Found in one pass, so that deep values without
/// marks are not visited again.
indirect enum MarkedPlaces {
  /// The value itself is a mark.
  case here
  /// In these elements or effective members, in order.
  case inside([(index: Int, places: MarkedPlaces)])

  /// Nil if there are no marks.
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
