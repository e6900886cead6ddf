import JSONTools
import JSONTree

/// Answers one test for one row by reading its values, for `QueryEvaluator`. Also lists the values
/// and the changes at a place, for `QuerySubject`: `trace`, `wait`, and the columns of lists.
struct QueryLook {
  private let subject: QuerySubject
  /// The state that the test is about.
  private let state: JSON?
  /// How the state differs from the state before. Nil if unknown.
  private let changes: [JSONReplacement]?
  private(set) var limits: Set<QueryEvaluator.Limit> = []

  init(_ subject: QuerySubject, state: JSON?, changes: [JSONReplacement]? = nil) {
    self.subject = subject
    self.state = state
    self.changes = changes
  }

  mutating func holds(_ test: QueryTest) -> Bool {
    if test.relation.comparesStates { return holdsComparing(test) }
    let values = values(at: test.place)
    switch test.relation {
    case .exists: return !values.isEmpty
    case .missing: return values.isEmpty
    default: break
    }
    if test.isForAll {
      for value in values where !holds(test.relation, value) { return false }
      return !values.isEmpty
    }
    // `is not` means that no value is equal.
    if case .compares(.different, let other) = test.relation {
      for value in values where holds(.compares(.equal, other), value) { return false }
      return true
    }
    for value in values where holds(test.relation, value) { return true }
    return false
  }

  private mutating func values(at place: QueryPlace) -> [JSON] {
    find(place, identifies: false).map(\.value)
  }

  private mutating func find(_ place: QueryPlace, identifies: Bool) -> [QueryWalk.Found] {
    let root =
      switch place.root {
      case .state: state
      case .before: subject.before
      case .payload: subject.record.payload.flatMap { JSON(ifValid: $0.bytes) }
      }
    return root.map { find(place.steps, in: $0, identifies: identifies) } ?? []
  }

  private mutating func find(
    _ steps: [QueryPlace.Step], in root: JSON, identifies: Bool = true
  ) -> [QueryWalk.Found] {
    let walk = QueryWalk(steps, from: root, identifies: identifies)
    if walk.isCut { limits.insert(.places) }
    return walk.found
  }

  private mutating func holds(_ relation: QueryRelation, _ value: JSON) -> Bool {
    switch relation {
    case .compares(let comparison, let other):
      return compares(comparison, value, with: other)
    case .isAmong(let choices): return choices.contains { $0.holds(value) }
    case .has(let other): return texts(other) { value.has($0) }
    case .starts(let other):
      return texts(other) { value.string?.utf8.starts(with: $0.plainText.utf8) ?? false }
    case .ends(let other):
      return texts(other) { other in
        let end = other.plainText.utf8
        return value.string?.utf8.suffix(end.count).elementsEqual(end) ?? false
      }
    case .matches(let pattern): return matches(pattern, value)
    case .isOfType(let type): return value.type == type
    case .exists, .missing, .changed, .grew, .shrank: return false
    }
  }

  /// Whether `holds` accepts the operand, or one of the scalars there if the operand is a place.
  private mutating func texts(_ value: QueryValue, _ holds: (QueryValue) -> Bool) -> Bool {
    guard case .place(let place) = value else { return holds(value) }
    return values(at: place).contains { $0.isScalar && holds(.scalar($0)) }
  }

  private mutating func matches(_ pattern: TextPattern, _ value: JSON) -> Bool {
    guard let text = value.string ?? value.number?.literal else { return false }
    switch pattern.search(text) {
    case .found: return true
    case .absent: return false
    case .unknown:
      limits.insert(.pattern)
      return false
    }
  }

  private mutating func compares(
    _ comparison: QueryRelation.Comparison, _ value: JSON, with other: QueryValue
  ) -> Bool {
    guard case .place(let place) = other else {
      return comparison.holds(value.compared(with: other))
    }
    let others = values(at: place)
    if comparison == .different { return !others.contains { value.compared(with: $0) == .equal } }
    return others.contains { comparison.holds(value.compared(with: $0)) }
  }
}

// Tests that compare the state with the one before.
extension QueryLook {
  private mutating func holdsComparing(_ test: QueryTest) -> Bool {
    guard let state, let before = subject.before else { return false }
    if let answer = holdsOfScalars(test, before, state) { return answer }
    let pairs = pairs(of: find(test.place.steps, in: before), find(test.place.steps, in: state))
    if test.isForAll {
      for pair in pairs where !holds(test.relation, pair) { return false }
      return !pairs.isEmpty
    }
    for pair in pairs where holds(test.relation, pair) { return true }
    return false
  }

  /// The answer by the replaced scalars alone. Nil if the whole place must be read.
  private mutating func holdsOfScalars(
    _ test: QueryTest, _ before: JSON, _ state: JSON
  ) -> Bool? {
    guard let changes, !test.isForAll, test.place.isPlain, test.dependencies.count == 1
    else { return nil }
    let own = test.dependencies[0]
    for change in changes {
      switch own.touch(by: change) {
      case .nothing: continue
      case .anything: return nil
      case .scalar:
        // Look the values up again: if a key repeats, the last member counts, and the replaced one
        // may be another.
        let way = change.path.elements[...]
        guard let old = before.value(at: way), let new = state.value(at: way) else { return nil }
        if holds(test.relation, Pair([], old, new)) { return true }
      }
    }
    return false
  }

  /// Matches the values of both states by place. A place in only one of them makes a pair, too.
  private func pairs(of old: [QueryWalk.Found], _ new: [QueryWalk.Found]) -> [Pair] {
    var rest: [[QueryWalk.Part]: JSON] = [:]
    for found in old { rest[found.identity] = found.value }
    var pairs: [Pair] = []
    for found in new {
      pairs.append(Pair(found.identity, rest.removeValue(forKey: found.identity), found.value))
    }
    for found in old where rest[found.identity] != nil {
      pairs.append(Pair(found.identity, found.value, nil))
    }
    return pairs
  }

  private struct Pair {
    let identity: [QueryWalk.Part]
    let old: JSON?
    let new: JSON?

    init(_ identity: [QueryWalk.Part], _ old: JSON?, _ new: JSON?) {
      (self.identity, self.old, self.new) = (identity, old, new)
    }
  }

  /// The values at a place that differ from those of the state before.
  mutating func changes(at place: QueryPlace) -> [QueryChange] {
    let old = subject.before.map { find(place.steps, in: $0) } ?? []
    let new = state.map { find(place.steps, in: $0) } ?? []
    return pairs(of: old, new).filter { $0.old != $0.new }.map { pair in
      QueryChange(
        place: QueryPlace(.state, pair.identity.map(\.step)), old: pair.old, new: pair.new)
    }
  }

  mutating func found(at place: QueryPlace) -> [QueryFinding] {
    find(place, identifies: true).map { found in
      QueryFinding(place: QueryPlace(place.root, found.identity.map(\.step)), value: found.value)
    }
  }

  private mutating func holds(_ relation: QueryRelation, _ pair: Pair) -> Bool {
    switch relation {
    case .changed(let from, let to):
      guard pair.old != pair.new else { return false }
      return isEqual(pair.old, from) && isEqual(pair.new, to)
    case .grew(let amount):
      return BigDecimal.growth(from: pair.old, to: pair.new).map {
        $0 > .zero && amount?.holds(exactly: $0) ?? true
      } ?? false
    case .shrank(let amount):
      return BigDecimal.growth(from: pair.old, to: pair.new).map {
        $0 < .zero && amount?.holds(exactly: -$0) ?? true
      } ?? false
    default: return false
    }
  }

  /// Treats an absent value as `null`, because many encoders leave nulls out.
  private mutating func isEqual(_ value: JSON?, _ wanted: QueryValue?) -> Bool {
    guard let wanted else { return true }
    return compares(.equal, value ?? .null, with: wanted)
  }
}

extension QueryPlace {
  /// Whether all steps are keys, indexes from the start, or `*`.
  fileprivate var isPlain: Bool {
    steps.allSatisfy {
      switch $0 {
      case .key, .each: true
      case .index(let index): index >= 0
      case .deep, .element, .aggregate: false
      }
    }
  }
}

extension JSON {
  fileprivate func value(at way: ArraySlice<JSONPath.Element>) -> JSON? {
    switch (way.first, self) {
    case (nil, _): return self
    case (.key(let key), .object(let object)): return object[key]?.value(at: way.dropFirst())
    case (.index(let index), .array(let elements)):
      return elements.indices.contains(index)
        ? elements[index].value(at: way.dropFirst()) : nil
    default: return nil
    }
  }
}
