import JSONTools
import JSONTree

/// Values that the answer to a test depends on.
struct QueryDependency: Sendable {
  /// The root `state` means the state that the test is asked about.
  let place: QueryPlace
  /// Whether only the values' presence matters.
  let isOfPresence: Bool

  /// How much a replacement may have changed the values. When in doubt, it overstates.
  enum Touch: Comparable, Sendable {
    case nothing
    /// At most, scalars were replaced by scalars.
    case scalar
    case anything
  }

  func touch(by replacement: JSONReplacement) -> Touch {
    ReplacedPlace(replacement).touches(
      place.steps[...], replacement.path.elements[...], isOfPresence)
  }

  /// The touch of any scalar replaced by another at this place.
  func touch(byScalarAt path: JSONPath) -> Touch {
    touch(by: JSONReplacement(path, .null, .null))
  }
}

/// Compares the path of a replaced value with the path of a test.
private struct ReplacedPlace {
  private let old: JSON?
  private let new: JSON?
  /// Whether neither value has children.
  private let isScalar: Bool

  init(_ replacement: JSONReplacement) {
    (old, new) = (replacement.old, replacement.new)
    isScalar = old?.isScalar ?? true && new?.isScalar ?? true
  }

  /// - Parameters:
  ///   - steps: the rest of the test's path.
  ///   - path: the rest of the path to the replaced value, from the same place.
  func touches(
    _ steps: ArraySlice<QueryPlace.Step>, _ path: ArraySlice<JSONPath.Element>,
    _ isOfPresence: Bool
  ) -> QueryDependency.Touch {
    guard let step = steps.first else { return touchesEnd(path, isOfPresence) }
    // Anything below the replaced value may have changed, but scalars have nothing below.
    guard let element = path.first else { return below }
    let (rest, tail) = (steps.dropFirst(), path.dropFirst())
    switch (step, element) {
    case (.key(let key), .key(let other)):
      return key == other ? touches(rest, tail, isOfPresence) : .nothing
    case (.key(let key), .index(let index)):
      return key.elementNumber == index ? touches(rest, tail, isOfPresence) : .nothing
    case (.index(let wanted), .index(let index)):
      // An index from the end may mean any element.
      return wanted < 0 || wanted == index ? touches(rest, tail, isOfPresence) : .nothing
    case (.each, _): return touches(rest, tail, isOfPresence)
    case (.deep(let key), _):
      return path.indices.reduce(below) { touch, index in
        guard path[index] == .key(key) else { return touch }
        return max(touch, touches(rest, path[(index + 1)...], isOfPresence))
      }
    case (.element(let key, _), .index):
      // The replaced value may decide which elements the filter picks.
      guard let member = tail.first else { return below }
      return member == .key(key) ? .anything : touches(rest, tail, isOfPresence)
    case (.aggregate(let aggregate), _):
      return touches(rest, tail, aggregate == .count) == .nothing ? .nothing : .anything
    case (.index, .key), (.element, .key): return .nothing
    }
  }

  private func touchesEnd(
    _ path: ArraySlice<JSONPath.Element>, _ isOfPresence: Bool
  ) -> QueryDependency.Touch {
    if isOfPresence { return path.isEmpty && (old == nil) != (new == nil) ? .anything : .nothing }
    return path.isEmpty && isScalar && old != nil && new != nil ? .scalar : .anything
  }

  /// What the replacement does to values below the replaced one.
  private var below: QueryDependency.Touch { isScalar ? .nothing : .anything }
}

extension QueryTest {
  var dependencies: [QueryDependency] {
    let asksPresence = relation == .exists || relation == .missing
    // A relation that compares states reads the place in both, whatever its root.
    let place = relation.comparesStates ? QueryPlace(.state, place.steps) : place
    let own = QueryDependency(place: place, isOfPresence: asksPresence)
    return [own] + relation.places.map { QueryDependency(place: $0, isOfPresence: false) }
  }
}

extension QueryRelation {
  /// The places that the relation compares with.
  fileprivate var places: [QueryPlace] {
    let values: [QueryValue?] =
      switch self {
      case .compares(_, let value), .has(let value), .starts(let value), .ends(let value): [value]
      case .changed(let old, let new): [old, new]
      case .isAmong, .matches, .exists, .missing, .isOfType, .grew, .shrank: []
      }
    return values.compactMap { if case .place(let place) = $0 { place } else { nil } }
  }
}
