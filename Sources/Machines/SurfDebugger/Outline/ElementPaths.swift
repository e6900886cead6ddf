import JSONTools
import JSONTree

/// The paths of list elements in the next value. If a `ListKey` names an element, its path leads to
/// the element of that name. So the cursor and open branches stay with an element when its list
/// grows at the beginning. An element without a name, or one that is gone, keeps its index.
struct ElementPaths {
  /// Where a path leads in the next value, and the values at both ends, if they are known.
  private struct Way {
    var path: JSONPath
    var values: (old: JSON, new: JSON)?
  }

  /// The ways found so far, so that open members of one value share the way to it.
  private var known: [JSONPath: Way] = [:]
  /// Members that it may still look at, because this runs on the thread that draws.
  private var effort = 200_000

  init(from old: JSON, to new: JSON) {
    known[JSONPath()] = Way(path: JSONPath(), values: (old, new))
  }

  mutating func moved(_ place: OutlinePlace) -> OutlinePlace {
    guard place.path.hasIndex else { return place }
    var place = place
    place.path = way(to: place.path).path
    return place
  }

  private mutating func way(to path: JSONPath) -> Way {
    if let way = known[path] { return way }
    guard let element = path.elements.last else { return Way(path: path) }
    let parent = way(to: JSONPath(path.elements.dropLast()))
    var way = Way(path: JSONPath(parent.path.elements + [element]))
    if effort > 0, let (old, new) = parent.values {
      let moved = self.element(element, old, new)
      way.path = JSONPath(parent.path.elements + [moved])
      way.values = member(element, of: old).flatMap { old in
        member(moved, of: new).map { (old, $0) }
      }
    }
    known[path] = way
    return way
  }

  private mutating func member(_ element: JSONPath.Element, of value: JSON) -> JSON? {
    if case .key = element { effort -= value.memberCount }
    let members = OutlineMembers(value)
    return members.position(of: element).flatMap { members[$0]?.1 }
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
    var distance = 0
    while distance <= max(index, elements.count), effort > 0 {
      for near in [index - distance, index + distance] where elements.indices.contains(near) {
        // An object is searched member by member.
        effort -= elements[near].memberCount
        if key.value(of: elements[near]) == name { return near }
      }
      distance += 1
      effort -= 1
    }
    return nil
  }
}

extension JSONPath {
  fileprivate var hasIndex: Bool {
    elements.contains { if case .index = $0 { true } else { false } }
  }
}
