import JSONTree
import SurfValues

extension AppValue {
  /// Throws if the state that the app made from this filled-in value would reveal a value that was
  /// filled in.
  ///
  /// - Parameter now: the app's new state, encoded with marks.
  package func check(in now: JSON) throws(UnfilledMark) {
    guard let told, let places = MarkedPlaces(told) else { return }
    var check = MarkCheck()
    try check.check(told, places, in: now)
  }
}

private struct MarkCheck {
  private var names = PlaceNames()

  mutating func check(
    _ told: JSON, _ places: MarkedPlaces, in now: JSON?
  ) throws(UnfilledMark) {
    switch (places, told) {
    case (.here, _): if now?.marked == nil { throw names.fault(.open) }
    case (.inside(let inside), .array(let elements)): try check(elements, inside, in: now?.array)
    case (.inside(let inside), .object(let object)): try check(object, inside, in: now?.object)
    case (.inside, _): break
    }
  }

  private mutating func check(
    _ elements: [JSON], _ inside: [(index: Int, places: MarkedPlaces)], in now: [JSON]?
  ) throws(UnfilledMark) {
    let namesAround = names
    do throws(UnfilledMark) {
      for (index, places) in inside {
        names.enter(index)
        let isThere = now?.indices.contains(index) == true
        try check(elements[index], places, in: isThere ? now?[index] : Optional.none)
        names.leave()
      }
    } catch {
      // Sets and most dictionaries are encoded in another order each time.
      guard let now, Self.looks(elements) == Self.looks(now) else { throw error }
      names = namesAround
    }
  }

  private mutating func check(
    _ object: JSONObject, _ inside: [(index: Int, places: MarkedPlaces)], in now: JSONObject?
  ) throws(UnfilledMark) {
    let indexes = now?.indexes ?? MemberIndexes()
    for (index, places) in inside {
      let member = object.members[index]
      names.enter(member.key)
      try check(member.value, places, in: indexes[member.key].flatMap { now?.members[$0].value })
      names.leave()
    }
  }

  private static func looks(_ elements: [JSON]) -> [JSON: Int] {
    Dictionary(elements.map { ($0.withEqualMarks, 1) }, uniquingKeysWith: +)
  }
}

extension JSON {
  /// The same with all marks alike, whatever their kinds.
  fileprivate var withEqualMarks: JSON {
    switch self {
    case .null, .bool, .number, .string: self
    case .array(let elements): .array(elements.map(\.withEqualMarks))
    case .object where marked != nil: [RedactionMark.key: "object"]
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { .init(key: $0.key, value: $0.value.withEqualMarks) }))
    }
  }
}

/// Where the marks in a value are, and nothing else. Found in one pass, so that deep values without
/// marks are not visited again.
indirect enum MarkedPlaces {
  /// The value itself is a mark.
  case here
  /// In these elements or effective members, in order.
  case inside([(index: Int, places: MarkedPlaces)])

  /// Nil if there are no marks.
  @inline(never) init?(_ value: JSON) {
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
