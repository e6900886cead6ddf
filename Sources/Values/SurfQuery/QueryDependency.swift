import JSONTools
import JSONTree

/// Values on which the answer to a test depends.
struct QueryDependency: Sendable {
  /// Where they stand. Of the roots, `state` is the state that the test is asked about.
  let place: QueryPlace
  /// Whether it counts only that they are there, and not what they are.
  let isOfPresence: Bool

  /// What a replacement may have done to them. In doubt it is more than it did.
  enum Touch: Int, Comparable, Sendable {
    case nothing
    /// One of them may be a scalar that became another.
    case scalar
    case anything

    static func < (left: Touch, right: Touch) -> Bool { left.rawValue < right.rawValue }
  }

  func touch(by replacement: JSONReplacement) -> Touch {
    ReplacedPlace(replacement).touches(
      place.steps[...], replacement.path.elements[...], isOfPresence)
  }

  /// The same of any scalar that became another.
  func touch(byScalarAt path: JSONPath) -> Touch {
    touch(by: JSONReplacement(path, .null, .null))
  }
}

/// Compares the way to a replaced value with the ways that a test looks.
private struct ReplacedPlace {
  private let old: JSON?
  private let new: JSON?
  /// Whether neither value has parts.
  private let isScalar: Bool

  init(_ replacement: JSONReplacement) {
    (old, new) = (replacement.old, replacement.new)
    isScalar = old?.isScalar ?? true && new?.isScalar ?? true
  }

  /// - Parameters:
  ///   - steps: what the test still has to go.
  ///   - path: what is left of the way from there to the replaced value.
  func touches(
    _ steps: ArraySlice<QueryPlace.Step>, _ path: ArraySlice<JSONPath.Element>,
    _ isOfPresence: Bool
  ) -> QueryDependency.Touch {
    guard let step = steps.first else { return touchesEnd(path, isOfPresence) }
    // Below the replaced value nothing is as it was, but below a scalar there is nothing.
    guard let element = path.first else { return below }
    let (rest, tail) = (steps.dropFirst(), path.dropFirst())
    switch (step, element) {
    case (.key(let key), .key(let other)):
      return key == other ? touches(rest, tail, isOfPresence) : .nothing
    case (.key(let key), .index(let index)):
      return key.elementNumber == index ? touches(rest, tail, isOfPresence) : .nothing
    case (.index(let wanted), .index(let index)):
      // What counts from the end may be any element.
      return wanted < 0 || wanted == index ? touches(rest, tail, isOfPresence) : .nothing
    case (.each, _): return touches(rest, tail, isOfPresence)
    case (.deep(let key), _):
      return path.indices.reduce(below) { touch, index in
        guard path[index] == .key(key) else { return touch }
        return max(touch, touches(rest, path[(index + 1)...], isOfPresence))
      }
    case (.element(let key, _), .index):
      // The replaced value may decide which elements are picked.
      guard let member = tail.first else { return below }
      return member == .key(key) ? .anything : touches(rest, tail, isOfPresence)
    case (.sum(let aggregate), _):
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

  /// What it does to values below it.
  private var below: QueryDependency.Touch { isScalar ? .nothing : .anything }
}

extension QueryTest {
  var dependencies: [QueryDependency] {
    let asksPresence = relation == .exists || relation == .missing
    // What compares states looks in both, wherever its place is said to be.
    let place = relation.comparesStates ? QueryPlace(.state, place.steps) : place
    let own = QueryDependency(place: place, isOfPresence: asksPresence)
    return [own] + relation.places.map { QueryDependency(place: $0, isOfPresence: false) }
  }
}

extension QueryRelation {
  /// Where the values stand that it compares with.
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
