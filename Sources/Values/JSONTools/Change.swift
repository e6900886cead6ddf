import JSONTree

/// One difference between two JSON values, as `Difference` finds it.
package enum Change: Hashable, Sendable {
  /// A value that only the new one has.
  case added(JSONPath, JSON)
  /// A value that only the old one has.
  case removed(JSONPath, JSON)
  /// A scalar with another value, or a value of another type.
  case changed(JSONPath, old: JSON, new: JSON)
  /// An element at another place in its list.
  case moved(Move)

  package struct Move: Hashable, Sendable {
    /// The place in the old list.
    package let from: JSONPath
    /// The place in the new one.
    package let to: JSONPath
    /// What identifies the element.
    package let key: ListKey
    /// The new element.
    package let value: JSON
    /// The indexes in the list when the changes before this one are made.
    let fromIndex: Int
    let toIndex: Int
  }

  /// The place: in the old value for `removed`, in the new one otherwise.
  package var path: JSONPath {
    switch self {
    case .added(let path, _), .removed(let path, _), .changed(let path, _, _): path
    case .moved(let move): move.to
    }
  }
}

/// The changes that turn one JSON value into another, ordered so that each can be applied in turn.
///
/// Skips the common beginning and end of two arrays. If all elements in between have one `ListKey`,
/// and it tells them apart, compares elements by key: an element may then have moved. Otherwise
/// compares index by index, so that one element inserted or removed anywhere is one change.
///
/// The work is bounded by the size of both values times the depth of nested arrays.
package struct Difference: Sendable {
  package let changes: [Change]
  private let lists: [JSONPath: ListMatch]

  /// - Parameter path: a prefix for the paths of all changes.
  package init(from old: JSON, to new: JSON, at path: JSONPath = JSONPath()) {
    var differ = Differ(path: path)
    differ.compare(old, new)
    (changes, lists) = (differ.changes, differ.lists)
  }

  /// A change that is not inside a list.
  package init(_ change: Change) { (changes, lists) = ([change], [:]) }

  /// How the innermost list around a change was compared; nil if it is in none.
  package func match(of change: Change) -> ListMatch? {
    let path = change.path.elements
    return path.indices.reversed().lazy.compactMap { lists[JSONPath(Array(path[..<$0]))] }.first
  }
}

/// How the elements of two lists were compared.
package enum ListMatch: Hashable, Sendable, CustomStringConvertible {
  case key(ListKey)
  case index

  package var description: String {
    switch self {
    case .key(let key): key.rawValue
    case .index: "index"
    }
  }
}

extension JSON {
  package static func diff(_ old: JSON, _ new: JSON) -> [Change] {
    Difference(from: old, to: new).changes
  }
}

private struct Differ {
  var changes: [Change] = []
  var lists: [JSONPath: ListMatch] = [:]
  private var path: JSONPath

  init(path: JSONPath) { self.path = path }

  mutating func compare(_ old: JSON, _ new: JSON) {
    switch (old, new) {
    case (.object(let old), .object(let new)): compare(old, new)
    case (.array(let old), .array(let new)): compare(old, new)
    default: if old != new { changes.append(.changed(path, old: old, new: new)) }
    }
  }

  private mutating func compare(_ old: JSONObject, _ new: JSONObject) {
    let oldIndexes = old.indexes
    let newIndexes = new.indexes
    // Skips duplicate keys that do not count: `indexes` has the index of the last one.
    for (index, member) in old.members.enumerated() where oldIndexes[member.key] == index {
      at(.key(member.key)) { differ in
        if let newIndex = newIndexes[member.key] {
          differ.compare(member.value, new.members[newIndex].value)
        } else {
          differ.changes.append(.removed(differ.path, member.value))
        }
      }
    }
    for (index, member) in new.members.enumerated()
    where newIndexes[member.key] == index && oldIndexes[member.key] == nil {
      at(.key(member.key)) { $0.changes.append(.added($0.path, member.value)) }
    }
  }

  private mutating func compare(_ old: [JSON], _ new: [JSON]) {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix,
      old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
    {
      suffix += 1
    }
    let oldRest = old[prefix..<old.count - suffix]
    let newRest = new[prefix..<new.count - suffix]
    if oldRest.isEmpty && newRest.isEmpty { return }
    if let pairs = KeyedLists(oldRest, newRest) {
      lists[path] = .key(pairs.key)
      compare(pairs)
    } else {
      lists[path] = .index
      compare(oldRest, newRest)
    }
  }

  private mutating func compare(_ old: ArraySlice<JSON>, _ new: ArraySlice<JSON>) {
    let common = min(old.endIndex, new.endIndex)
    for index in old.startIndex..<common {
      at(.index(index)) { $0.compare(old[index], new[index]) }
    }
    remove((common..<old.endIndex).reversed(), of: old)
    add(common..<new.endIndex, of: new)
  }

  /// Compares pairs last, when they are where the new list has them.
  private mutating func compare(_ lists: KeyedLists) {
    remove(lists.removed, of: lists.old)
    for move in lists.moves { changes.append(.moved(self.move(move, lists))) }
    add(lists.added, of: lists.new)
    for (old, new) in lists.pairs {
      at(.index(new)) { $0.compare(lists.old[old], lists.new[new]) }
    }
  }

  private func move(_ step: ListMoves.Step, _ lists: KeyedLists) -> Change.Move {
    let (old, new) = lists.ofOld[step.old]
    let start = lists.old.startIndex
    return Change.Move(
      from: JSONPath(path.elements + [.index(old)]), to: JSONPath(path.elements + [.index(new)]),
      key: lists.key, value: lists.new[new], fromIndex: start + step.from,
      toIndex: start + step.to)
  }

  /// From the back, so that the remaining indexes stay valid.
  private mutating func remove(_ indexes: some Sequence<Int>, of old: ArraySlice<JSON>) {
    for index in indexes { at(.index(index)) { $0.changes.append(.removed($0.path, old[index])) } }
  }

  private mutating func add(_ indexes: some Sequence<Int>, of new: ArraySlice<JSON>) {
    for index in indexes { at(.index(index)) { $0.changes.append(.added($0.path, new[index])) } }
  }

  private mutating func at(_ element: JSONPath.Element, _ body: (inout Differ) -> Void) {
    path.elements.append(element)
    body(&self)
    path.elements.removeLast()
  }
}

/// Two lists whose elements a key tells apart.
private struct KeyedLists {
  let key: ListKey
  let old: ArraySlice<JSON>
  let new: ArraySlice<JSON>
  /// The indexes of elements that both lists have, as in the old one.
  let ofOld: [(old: Int, new: Int)]
  /// Descending.
  let removed: [Int]
  /// Ascending.
  let added: [Int]

  /// Nil if no key tells the elements of both lists apart.
  init?(_ old: ArraySlice<JSON>, _ new: ArraySlice<JSON>) {
    (self.old, self.new) = (old, new)
    for key in ListKey.allCases {
      guard let olds = key.places(in: old), let news = key.places(in: new) else { continue }
      self.key = key
      let partners = old.map { key.value(of: $0).flatMap { news[$0] } }
      ofOld = zip(old.indices, partners).compactMap { old, new in new.map { (old, $0) } }
      removed = zip(old.indices, partners).filter { $0.1 == nil }.map(\.0).reversed()
      added = new.indices.filter { index in
        key.value(of: new[index]).map { olds[$0] == nil } ?? true
      }
      return
    }
    return nil
  }

  var pairs: [(old: Int, new: Int)] { ofOld.sorted { $0.new < $1.new } }

  var moves: [ListMoves.Step] {
    var ranks = Array(repeating: 0, count: ofOld.count)
    let byNew = ofOld.indices.sorted { ofOld[$0].new < ofOld[$1].new }
    for (rank, index) in byNew.enumerated() { ranks[index] = rank }
    return ListMoves(ranks).steps
  }
}

extension ListKey {
  /// The index of each element by its value; nil if an element has none, or two have the same.
  fileprivate func places(in elements: ArraySlice<JSON>) -> [JSON: Int]? {
    var places: [JSON: Int] = [:]
    places.reserveCapacity(elements.count)
    for (index, element) in zip(elements.indices, elements) {
      guard let value = value(of: element), places.updateValue(index, forKey: value) == nil else {
        return nil
      }
    }
    return places
  }
}
