import JSONTree

/// A value of the app's: as it is, and as it is told, with marks.
package struct LiveValue: Equatable, Sendable {
  package let clear: JSON
  /// Nil if nobody knows.
  package let told: JSON?

  /// Both of the same value.
  package init(clear: JSON, told: JSON?) { (self.clear, self.told) = (clear, told) }
}

extension LiveValue {
  /// How many of these names, from the whole value down, may be told.
  package func openCount(of names: [String]) -> Int {
    var told = told
    for (count, name) in names.enumerated() {
      if told?.marked != nil { return count }
      let index = Int(name)
      told =
        if let elements = told?.array, let index, elements.indices.contains(index) {
          elements[index]
        } else {
          told?[name]
        }
    }
    return names.count
  }
}

/// The members of an object of the app's, for many look-ups.
struct LiveMembers {
  private let live: (clear: JSONObject, told: JSONObject?)
  private let indexes: (clear: MemberIndexes, told: MemberIndexes)

  /// Nil if it is no object.
  init?(_ value: LiveValue?) {
    guard let clear = value?.clear.object else { return nil }
    live = (clear, value?.told?.object)
    indexes = (clear.indexes, live.told?.indexes ?? MemberIndexes())
  }

  subscript(key: String) -> LiveValue? {
    guard let index = indexes.clear[key] else { return nil }
    let told = indexes.told[key].flatMap { live.told?.members[$0].value }
    return LiveValue(clear: live.clear.members[index].value, told: told)
  }
}
