import JSONTree

/// The elements of an array of the app's: which of them is meant by one that a viewer brings
/// (Protocol.md §8.6, rule 4).
struct LiveElements {
  private let clear: [JSON]
  /// As many as those, or none if nobody knows.
  private let told: [JSON]
  /// Where the element with an id is.
  private var ids: [JSON: Occurrence] = [:]
  /// Where the one with this look is: found out only if one without an id is wanted.
  private lazy var looks = Self.looks(told)
  /// Those that were meant.
  private var taken: Set<Int> = []

  private enum Occurrence {
    case at(Int)
    case several
  }

  /// What is open of an element, and the open element before it: in an array of keys and values,
  /// which is how JSON has most dictionaries, that is the key.
  private struct Look: Hashable {
    let open: JSON
    let before: JSON?

    init(at index: Int, of elements: [JSON]) {
      open = elements[index].withoutMarks
      let key = index > 0 ? elements[index - 1] : Optional.none
      before = key?.hasMark == false ? key : Optional.none
    }
  }

  init(_ value: LiveValue?) {
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

  /// The element that is meant by that of these elements; nil if nothing tells, or if another one
  /// has meant it: nobody gets a copy of what is somebody else's.
  mutating func take(for index: Int, of elements: [JSON]) -> LiveValue? {
    guard let place = place(for: index, of: elements), taken.insert(place).inserted else {
      return nil
    }
    return LiveValue(
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
      // If there are as many as ever, they are the same ones.
      return elements.count == clear.count && Look(at: index, of: told) == look ? index : nil
    }
  }
}

extension JSON {
  /// What is open of it: members with marks are left out, and in the place of elements with marks
  /// nothing stands.
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
