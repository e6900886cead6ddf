import JSONTree

/// Follows a path down a value, and gathers what it leads to.
struct QueryWalk {
  /// A value, and what makes it the same one in another state.
  struct Found {
    var identity: [Part]
    let value: JSON
  }

  enum Part: Hashable {
    case key(String)
    case index(Int)
    /// The n-th of what a step picks, or makes.
    case pick(QueryPlace.Step, Int)
  }

  private(set) var found: [Found] = []
  /// Whether there were more places than are looked at.
  private(set) var isCut = false
  private var visitCount = 0
  private var identity: [Part] = []

  private static let visitCountMax = 200_000

  init(_ steps: [QueryPlace.Step], from value: JSON) { walk(steps[...], value) }

  private mutating func walk(_ steps: ArraySlice<QueryPlace.Step>, _ value: JSON) {
    guard let step = steps.first else {
      found.append(Found(identity: identity, value: value))
      return
    }
    let rest = steps.dropFirst()
    switch step {
    case .key(let key):
      if let child = value.member(key) { descend(.key(key), rest, child) }
    case .index(let index):
      if let child = value.element(index) { descend(.index(index), rest, child) }
    case .each: for (part, child) in value.children { descend(part, rest, child) }
    case .deep(let key): search(key, rest, value)
    case .element(let key, let wanted):
      let picked = value.array?.filter { $0[key].map(wanted.isEqual) ?? false } ?? []
      for (index, child) in picked.enumerated() { descend(.pick(step, index), rest, child) }
    case .sum(let aggregate):
      if let sum = sum(aggregate, rest, value) {
        let way = steps.map { Part.pick($0, 0) }
        found.append(Found(identity: identity + way, value: sum))
      }
    }
  }

  private mutating func descend(
    _ part: Part, _ steps: ArraySlice<QueryPlace.Step>, _ value: JSON
  ) {
    visitCount += 1
    guard visitCount <= Self.visitCountMax else {
      isCut = true
      return
    }
    identity.append(part)
    walk(steps, value)
    identity.removeLast()
  }

  /// Here, and in all that is below.
  private mutating func search(
    _ key: String, _ rest: ArraySlice<QueryPlace.Step>, _ value: JSON
  ) {
    for (part, child) in value.children where !isCut {
      if part == .key(key) { descend(part, rest, child) }
      guard !child.isScalar else { continue }
      visitCount += 1
      identity.append(part)
      search(key, rest, child)
      identity.removeLast()
    }
  }

  private mutating func sum(
    _ aggregate: QueryPlace.Aggregate, _ rest: ArraySlice<QueryPlace.Step>, _ value: JSON
  ) -> JSON? {
    guard !value.isScalar else { return nil }
    var inner = QueryWalk([], from: .null)
    inner.found = []
    inner.visitCount = visitCount
    for (part, child) in value.children { inner.descend(part, rest, child) }
    (visitCount, isCut) = (inner.visitCount, isCut || inner.isCut)
    return aggregate.value(of: inner.found.map(\.value))
  }
}

extension JSON {
  /// In an array a name counts the elements.
  fileprivate func member(_ key: String) -> JSON? {
    switch self {
    case .object(let object): object[key]
    case .array: key.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(key).flatMap(element) : nil
    case .null, .bool, .number, .string: nil
    }
  }

  /// From the end, below zero.
  fileprivate func element(_ index: Int) -> JSON? {
    guard let array else { return nil }
    let index = index < 0 ? array.count &+ index : index
    return array.indices.contains(index) ? array[index] : nil
  }

  /// All members or elements.
  fileprivate var children: [(QueryWalk.Part, JSON)] {
    switch self {
    case .object(let object):
      let indexes = object.indexes
      return object.members.enumerated().compactMap { index, member in
        // Of two of the same name the last counts.
        indexes[member.key] == index ? (.key(member.key), member.value) : nil
      }
    case .array(let elements): return elements.enumerated().map { (.index($0.offset), $0.element) }
    case .null, .bool, .number, .string: return []
    }
  }
}

extension QueryPlace.Aggregate {
  /// Nil where something is not a number, or there is nothing to choose from.
  fileprivate func value(of values: [JSON]) -> JSON? {
    if self == .count { return .number(values.count) }
    let numbers = values.compactMap { $0.number.map { BigDecimal($0) } }
    guard numbers.count == values.count else { return nil }
    let result: BigDecimal? =
      switch self {
      case .count: nil
      case .sum: numbers.reduce(.some(.zero)) { $0?.adding($1) }
      case .min: numbers.min()
      case .max: numbers.max()
      }
    return result.flatMap { JSONNumber(literal: $0.description) }.map { .number($0) }
  }
}
