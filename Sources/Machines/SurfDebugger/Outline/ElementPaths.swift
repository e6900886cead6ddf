import JSONTools
import JSONTree

/// The paths of list elements in the next value. Where a `ListKey` names an element, its path
/// leads to the element of that name, so that the cursor and open branches stay with it when a list
/// grows at its beginning. Where none does, or the element is gone, its index stays.
struct ElementPaths {
  private let values: (old: JSON, new: JSON)
  /// Members that it may still look at, because this runs on the thread that draws.
  private var effort = 200_000

  init(from old: JSON, to new: JSON) { values = (old, new) }

  mutating func moved(_ place: OutlinePlace) -> OutlinePlace {
    var place = place
    place.path = path(of: place.path)
    return place
  }

  private mutating func path(of path: JSONPath) -> JSONPath {
    guard path.hasIndex else { return path }
    var elements: [JSONPath.Element] = []
    var (old, new) = (OutlineMembers(values.old), OutlineMembers(values.new))
    for (depth, element) in path.elements.enumerated() {
      let moved = self.element(element, old.value, new.value)
      effort -= old.value.memberCount
      elements.append(moved)
      guard effort > 0,
        let before = old.position(of: element), let (_, oldMember) = old[before],
        let after = new.position(of: moved), let (_, newMember) = new[after]
      else { return JSONPath(elements + path.elements.dropFirst(depth + 1)) }
      (old, new) = (OutlineMembers(oldMember), OutlineMembers(newMember))
    }
    return JSONPath(elements)
  }

  private mutating func element(
    _ element: JSONPath.Element, _ old: JSON, _ new: JSON
  ) -> JSONPath.Element {
    guard case .index(let index) = element, case .array(let before) = old,
      case .array(let after) = new, before.indices.contains(index),
      let key = ListKey(of: [before[index]]), let name = key.value(of: before[index])
    else { return element }
    return .index(self.index(of: name, key, in: after, near: index) ?? index)
  }

  /// The nearest one: names should be unique, but nobody has checked that.
  private mutating func index(
    of name: JSON, _ key: ListKey, in elements: [JSON], near index: Int
  ) -> Int? {
    for distance in 0...max(index, elements.count) where effort > 0 {
      effort -= 2
      let near = [index - distance, index + distance].first { index in
        elements.indices.contains(index) && key.value(of: elements[index]) == name
      }
      if let near { return near }
    }
    return nil
  }
}

extension JSONPath {
  fileprivate var hasIndex: Bool {
    elements.contains { if case .index = $0 { true } else { false } }
  }
}
