import JSONTree

/// Collects the values that a path leads to in a state or payload, for `QueryLook`.
struct QueryWalk {
  struct Found {
    /// Matches the value with its counterpart in another state. Empty unless requested.
    var identity: [Part]
    let value: JSON
  }

  struct Part: Hashable {
    let step: QueryPlace.Step
    /// Counts the elements that a filter picks.
    var number = 0
  }

  private(set) var found: [Found] = []
  /// Whether the walk stopped at `visitCountMax`.
  private(set) var isCut = false
  private var visitCount = 0
  private var identity: [Part] = []
  private let identifies: Bool

  private static let visitCountMax = 200_000

  /// - Parameter identifies: whether to record identities, which takes most of the time.
  init(_ steps: [QueryPlace.Step], from value: JSON, identifies: Bool) {
    self.identifies = identifies
    walk(steps[...], value)
  }

  /// An inner walk, which shares the outer walk's visit limit.
  private init(countingFrom walk: QueryWalk) {
    (identifies, visitCount, isCut) = (false, walk.visitCount, walk.isCut)
  }

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
    case .each: eachChild(of: value) { $0.descend($1, rest, $2) }
    case .deep(let key): search(key, rest, value)
    case .element(let key, let wanted):
      var count = 0
      for child in value.array ?? [] where child[key].map(wanted.isEqual) ?? false {
        descend(step, number: count, rest, child)
        count += 1
      }
    case .aggregate(let aggregate):
      if let sum = sum(aggregate, rest, value) {
        let way = identifies ? steps.map { Part(step: $0) } : []
        found.append(Found(identity: identity + way, value: sum))
      }
    }
  }

  private mutating func descend(
    _ step: @autoclosure () -> QueryPlace.Step, number: Int = 0,
    _ steps: ArraySlice<QueryPlace.Step>, _ value: JSON
  ) {
    visitCount += 1
    guard visitCount <= Self.visitCountMax else {
      isCut = true
      return
    }
    if identifies { identity.append(Part(step: step(), number: number)) }
    walk(steps, value)
    if identifies { identity.removeLast() }
  }

  /// Finds the key at any depth below the value.
  private mutating func search(
    _ key: String, _ rest: ArraySlice<QueryPlace.Step>, _ value: JSON
  ) {
    eachChild(of: value) { walk, step, child in
      guard !walk.isCut else { return }
      if case .key(key) = step { walk.descend(step, rest, child) }
      guard !child.isScalar else { return }
      walk.visitCount += 1
      if walk.identifies { walk.identity.append(Part(step: step)) }
      walk.search(key, rest, child)
      if walk.identifies { walk.identity.removeLast() }
    }
  }

  private mutating func sum(
    _ aggregate: QueryPlace.Aggregate, _ rest: ArraySlice<QueryPlace.Step>, _ value: JSON
  ) -> JSON? {
    guard !value.isScalar else { return nil }
    var inner = QueryWalk(countingFrom: self)
    inner.eachChild(of: value) { $0.descend($1, rest, $2) }
    (visitCount, isCut) = (inner.visitCount, inner.isCut)
    return aggregate.value(of: inner.found.map(\.value))
  }

  private mutating func eachChild(
    of value: JSON, _ body: (inout QueryWalk, QueryPlace.Step, JSON) -> Void
  ) {
    switch value {
    case .object(let object):
      for member in object.countedMembers { body(&self, .key(member.key), member.value) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { body(&self, .index(index), element) }
    case .null, .bool, .number, .string: break
    }
  }
}

extension JSON {
  /// In an array, a key of digits is an index.
  fileprivate func member(_ key: String) -> JSON? {
    switch self {
    case .object(let object): object[key]
    case .array: key.elementNumber.flatMap(element)
    case .null, .bool, .number, .string: nil
    }
  }

  /// Counts from the end if the index is negative.
  fileprivate func element(_ index: Int) -> JSON? {
    guard let array else { return nil }
    let index = index < 0 ? array.count &+ index : index
    guard array.indices.contains(index) else { return nil }
    return array[index]
  }
}

extension String {
  /// The array index that the text writes in digits.
  var elementNumber: Int? { utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(self) : nil }
}

extension JSONObject {
  /// The members that count: of duplicate keys, the last.
  fileprivate var countedMembers: [Member] {
    guard hasTwins else { return members }
    let indexes = indexes
    return members.enumerated().filter { indexes[$0.element.key] == $0.offset }.map(\.element)
  }

  private var hasTwins: Bool {
    // Comparing a few keys takes less time than building a table of them.
    guard members.count <= 16 else { return indexes.count < members.count }
    return members.indices.contains { index in
      members[..<index].contains { $0.key.isExactly(members[index].key) }
    }
  }
}

extension QueryPlace.Aggregate {
  /// Nil if a value is not a number, or for `min` and `max` of nothing.
  fileprivate func value(of values: [JSON]) -> JSON? {
    if self == .count { return .number(values.count) }
    return wholeValue(of: values).map { .number($0) } ?? decimalValue(of: values)
  }

  /// The fast path. Nil if a number is not an integer, or one is too large for `Int`.
  private func wholeValue(of values: [JSON]) -> Int? {
    var result: Int?
    for value in values {
      guard let number = value.integer else { return nil }
      guard let before = result else {
        result = number
        continue
      }
      switch self {
      case .count: return nil
      case .min: result = Swift.min(before, number)
      case .max: result = Swift.max(before, number)
      case .sum:
        let (sum, isTooLarge) = before.addingReportingOverflow(number)
        guard !isTooLarge else { return nil }
        result = sum
      }
    }
    return result
  }

  private func decimalValue(of values: [JSON]) -> JSON? {
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
