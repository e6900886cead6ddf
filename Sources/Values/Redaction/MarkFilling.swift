import JSONTree

extension JSON {
  /// Replaces the marks in this value by the values that `live` has in their places (Protocol.md
  /// §8.6, rule 4). If `live` is nil, no values are known.
  ///
  /// If the live object has no member where a mark is, the mark's member is removed.
  package func filled(from live: AppValue?) throws(UnfilledMark) -> AppValue {
    guard let places = MarkedPlaces(self) else { return AppValue(clear: self, told: self) }
    var filling = MarkFilling()
    return try filling.fill(self, places, from: live)
  }
}

/// A mark that the app cannot replace by a value of its own.
package struct UnfilledMark: Error, Equatable, CustomStringConvertible {
  package enum Ground: Equatable, Sendable {
    /// The app has no value in that place.
    case missing
    /// The app has values in that array, and nothing says which of them is meant.
    case unclear
    /// The new state would reveal the value.
    case open
  }

  /// As people write it: `users[3].token`.
  package let place: String
  package let ground: Ground

  package init(place: String, _ ground: Ground = .missing) {
    (self.place, self.ground) = (place, ground)
  }

  package var description: String {
    let reason =
      switch ground {
      case .missing: "the app has no value of its own to keep there"
      case .unclear: "nothing there says which element it belongs to; an id would"
      case .open: "the new state would reveal it"
      }
    return "\(place) is redacted, and \(reason)"
  }
}

/// The path to a place, built while descending.
struct PlaceNames {
  private var names: [String] = []

  mutating func enter(_ index: Int) { names.append("[\(index)]") }
  mutating func enter(_ key: String) { names.append(names.isEmpty ? key : "." + key) }
  mutating func leave() { names.removeLast() }

  func fault(_ ground: UnfilledMark.Ground) -> UnfilledMark {
    UnfilledMark(place: names.isEmpty ? "the whole value" : names.joined(), ground)
  }
}

private struct MarkFilling {
  private var names = PlaceNames()
  /// Why no value of the app's is known in the current place.
  private var ground = UnfilledMark.Ground.missing

  mutating func fill(
    _ value: JSON, _ places: MarkedPlaces, from live: AppValue?
  ) throws(UnfilledMark) -> AppValue {
    switch (places, value) {
    case (.here, _):
      guard let clear = live?.clear, clear.marked == nil else { throw names.fault(ground) }
      return AppValue(clear: clear, told: value)
    case (.inside(let inside), .array(let elements)):
      return try fill(elements, inside, from: live)
    case (.inside(let inside), .object(let object)):
      return try fill(object, inside, from: live)
    case (.inside, _): return AppValue(clear: value, told: value)
    }
  }

  private mutating func fill(
    _ elements: [JSON], _ inside: [(index: Int, places: MarkedPlaces)], from live: AppValue?
  ) throws(UnfilledMark) -> AppValue {
    var others = AppElements(live)
    var (clear, told) = (elements, elements)
    let groundAround = ground
    for (index, places) in inside {
      names.enter(index)
      let counterpart = others.take(for: index, of: elements)
      ground = others.isEmpty || counterpart != nil ? groundAround : .unclear
      let filled = try fill(elements[index], places, from: counterpart)
      (clear[index], told[index]) = (filled.clear, filled.told ?? told[index])
      names.leave()
    }
    ground = groundAround
    return AppValue(clear: .array(clear), told: .array(told))
  }

  private mutating func fill(
    _ object: JSONObject, _ inside: [(index: Int, places: MarkedPlaces)], from live: AppValue?
  ) throws(UnfilledMark) -> AppValue {
    let others = AppMembers(live)
    var clear: [JSON?] = object.members.map(\.value)
    var told = clear
    for (index, places) in inside {
      let key = object.members[index].key
      let counterpart = others?[key]
      if case .here = places, others != nil, counterpart == nil {
        (clear[index], told[index]) = (Optional.none, Optional.none)
        continue
      }
      names.enter(key)
      let filled = try fill(object.members[index].value, places, from: counterpart)
      (clear[index], told[index]) = (filled.clear, filled.told)
      names.leave()
    }
    return AppValue(clear: .object(object.with(clear)), told: .object(object.with(told)))
  }
}

extension JSONObject {
  /// The effective members with these values; nil removes one. Of members with equal keys only one
  /// is effective.
  fileprivate func with(_ values: [JSON?]) -> JSONObject {
    let counting = indexes
    return JSONObject(
      zip(members, values).enumerated().compactMap { index, pair in
        guard counting[pair.0.key] == index, let value = pair.1 else { return nil }
        return Member(key: pair.0.key, value: value)
      })
  }
}
