import JSONTools
import JSONTree

/// Values on which the answer to a test depends.
struct QueryDependency: Sendable {
  /// Where they stand. Of the roots, `state` is the state that the test is asked about.
  let place: QueryPlace
  /// Whether it counts only that they are there, and not what they are.
  let isOfPresence: Bool

  /// Whether a replacement may have changed them. It is in doubt, too.
  func isTouched(by replacement: JSONReplacement) -> Bool {
    ReplacedPlace(replacement).reaches(
      place.steps[...], replacement.path.elements[...], isOfPresence)
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
  func reaches(
    _ steps: ArraySlice<QueryPlace.Step>, _ path: ArraySlice<JSONPath.Element>,
    _ isOfPresence: Bool
  ) -> Bool {
    guard let step = steps.first else {
      return !isOfPresence || path.isEmpty && (old == nil) != (new == nil)
    }
    // Below the replaced value nothing is as it was, but below a scalar there is nothing.
    guard let element = path.first else { return !isScalar }
    let (rest, below) = (steps.dropFirst(), path.dropFirst())
    switch (step, element) {
    case (.key(let key), .key(let other)):
      return key == other && reaches(rest, below, isOfPresence)
    case (.key(let key), .index(let index)):
      return Int(key) == index && reaches(rest, below, isOfPresence)
    case (.index(let wanted), .index(let index)):
      // What counts from the end may be any element.
      return (wanted < 0 || wanted == index) && reaches(rest, below, isOfPresence)
    case (.each, _): return reaches(rest, below, isOfPresence)
    case (.deep(let key), _):
      let isFound = path.indices.contains {
        path[$0] == .key(key) && reaches(rest, path[($0 + 1)...], isOfPresence)
      }
      return isFound || !isScalar
    case (.element(let key, _), .index):
      // The replaced value may decide which elements are picked.
      guard let member = below.first else { return !isScalar }
      return member == .key(key) || reaches(rest, below, isOfPresence)
    case (.sum(let aggregate), _): return reaches(rest, below, aggregate == .count)
    case (.index, .key), (.element, .key): return false
    }
  }
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
