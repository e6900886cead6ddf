import JSONTree

/// A value of the app's in both forms: `clear` as it is, and `told` as viewers see it, with marks.
package struct LiveValue: Equatable, Sendable {
  package let clear: JSON
  /// Nil if unknown.
  package let told: JSON?

  package init(clear: JSON, told: JSON?) { (self.clear, self.told) = (clear, told) }
}

extension LiveValue {
  /// How many of these names, from the whole value down, may be shown to viewers.
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

/// The members of an object of the app's, indexed for many look-ups.
struct LiveMembers {
  private let live: (clear: JSONObject, told: JSONObject?)
  private let indexes: (clear: MemberIndexes, told: MemberIndexes)

  /// Nil if the value is not an object.
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
