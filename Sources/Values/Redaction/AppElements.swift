import JSONTree

/// Finds which element of the app's own array a viewer's element stands for, so that its marks can
/// be filled (Protocol.md §8.6, rule 4).
struct AppElements {
  private let clear: [JSON]
  /// The same elements with marks; empty if unknown.
  private let told: [JSON]
  /// The index of the element with each id.
  private var ids: [JSON: Occurrence] = [:]
  /// The index of the element with each look. Made only when an element without an id is looked up.
  private lazy var looks = Self.looks(told)
  /// The elements already used.
  private var taken: Set<Int> = []

  private enum Occurrence {
    case at(Int)
    case several
  }

  /// How an element looks without its redacted values, and the open element before it. JSON writes
  /// most dictionaries as arrays of keys and values; there, the one before is the key.
  private struct Look: Hashable {
    let open: JSON
    let before: JSON?

    init(at index: Int, of elements: [JSON]) {
      open = elements[index].withoutMarks
      let key = index > 0 ? elements[index - 1] : Optional.none
      before = key?.hasMark == false ? key : Optional.none
    }
  }

  init(_ value: AppValue?) {
    clear = value?.clear.array ?? []
    let told = value?.told?.array ?? []
    self.told = told.count == clear.count ? told : []
    for index in clear.indices {
      if let id = clear[index]["id"] { Self.note(index, as: id, in: &ids) }
    }
  }

  private static func looks(_ told: [JSON]) -> [Look: Occurrence] {
    var looks: [Look: Occurrence] = [:]
    for index in told.indices { note(index, as: Look(at: index, of: told), in: &looks) }
    return looks
  }

  private static func note<Name: Hashable>(
    _ index: Int, as name: Name, in table: inout [Name: Occurrence]
  ) {
    if table.updateValue(.at(index), forKey: name) != nil { table[name] = .several }
  }

  var isEmpty: Bool { clear.isEmpty }

  /// The app's element for `elements[index]`; nil if none matches, or if it was used already: two
  /// elements must not get the same secret.
  mutating func take(for index: Int, of elements: [JSON]) -> AppValue? {
    guard let place = place(for: index, of: elements), taken.insert(place).inserted else {
      return nil
    }
    return AppValue(
      clear: clear[place], told: told.isEmpty ? Optional.none : told[place])
  }

  private mutating func place(for index: Int, of elements: [JSON]) -> Int? {
    if clear.isEmpty { return nil }
    if let id = elements[index]["id"], id.marked == nil {
      switch ids[id] {
      case nil: return nil
      case .at(let place): return place
      case .several: break
      }
    }
    let look = Look(at: index, of: elements)
    switch looks[look] {
    case nil: return nil
    case .at(let place): return place
    case .several:
      // An array of the same length most likely has the same elements in the same places.
      return elements.count == clear.count && Look(at: index, of: told) == look ? index : nil
    }
  }
}

extension JSON {
  /// This value without its redacted values: drops members that are marks, and replaces elements
  /// that are marks by null.
  fileprivate var withoutMarks: JSON {
    switch self {
    case .null, .bool, .number, .string: self
    case .array(let elements): .array(elements.map(\.withoutMarks))
    case .object where marked != nil: .null
    case .object(let object):
      .object(
        JSONObject(
          object.members.compactMap { member in
            member.value.marked == nil
              ? .init(key: member.key, value: member.value.withoutMarks) : nil
          }))
    }
  }
}

/// The members of an object of the app's, indexed for many look-ups.
struct AppMembers {
  private let live: (clear: JSONObject, told: JSONObject?)
  private let indexes: (clear: MemberIndexes, told: MemberIndexes)

  /// Nil if the value is not an object.
  init?(_ value: AppValue?) {
    guard let clear = value?.clear.object else { return nil }
    live = (clear, value?.told?.object)
    indexes = (clear.indexes, live.told?.indexes ?? MemberIndexes())
  }

  subscript(key: String) -> AppValue? {
    guard let index = indexes.clear[key] else { return nil }
    let told = indexes.told[key].flatMap { live.told?.members[$0].value }
    return AppValue(clear: live.clear.members[index].value, told: told)
  }
}
