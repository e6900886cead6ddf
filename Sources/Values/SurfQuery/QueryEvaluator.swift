import JSONTree
import SurfWire

/// Answers a query for one row after another, without I/O.
package struct QueryEvaluator: Sendable {
  package let query: Query
  /// What was cut short so far: where one is named, "no" may be wrong.
  package private(set) var limits: Set<Limit> = []
  private let secondsFromGMT: Int

  package enum Limit: Hashable, Sendable {
    /// A pattern met a text that is too long, or takes too long.
    case pattern
    /// A path led to more places than are looked at.
    case places
  }

  /// - Parameter secondsFromGMT: of the clock that `at:` is read from.
  package init(_ query: Query, secondsFromGMT: Int = 0) {
    self.query = query
    self.secondsFromGMT = secondsFromGMT
  }

  /// Whether it is true. What compares states is neither true nor false while no state before is
  /// known, and neither is its negation.
  package mutating func holds(for subject: QuerySubject) -> Bool {
    truth(of: query, subject, subject.state) ?? false
  }

  /// Nil if it cannot be known (Kleene's logic).
  ///
  /// - Parameter state: the one that is asked about.
  private mutating func truth(
    of query: Query, _ subject: QuerySubject, _ state: JSON?
  ) -> Bool? {
    switch query {
    case .any(let parts): return decide(parts, by: true, subject, state)
    case .all(let parts): return decide(parts, by: false, subject, state)
    case .not(let part): return truth(of: part, subject, state).map { !$0 }
    case .before(let part):
      guard let before = subject.before else { return nil }
      return truth(of: part, subject, before)
    case .becomes(let part):
      return decide([part, .not(.before(part))], by: false, subject, state)
    case .field(let field, let choices): return subject.has(field, choices, secondsFromGMT)
    case .test(let test):
      guard subject.before != nil || !test.comparesStates else { return nil }
      var look = QueryLook(subject, state: state)
      defer { limits.formUnion(look.limits) }
      return look.holds(test)
    case .changed: return subject.before.map { subject.isChanged ?? ($0 != state) }
    case .text(let text): return subject.mentions(TextSearch(text))
    }
  }

  /// One part of this truth is enough; otherwise all must be known.
  private mutating func decide(
    _ parts: [Query], by deciding: Bool, _ subject: QuerySubject, _ state: JSON?
  ) -> Bool? {
    var result: Bool? = !deciding
    for part in parts {
      let truth = truth(of: part, subject, state)
      if truth == deciding { return deciding }
      if truth == nil { result = nil }
    }
    return result
  }
}

/// A text to look for: in any case, unless it has a capital.
struct TextSearch {
  private let wanted: [UInt8]
  private let folds: Bool

  init(_ text: String) {
    folds = !text.contains(where: \.isUppercase)
    wanted = Array((folds ? text.lowercased() : text).utf8)
  }

  init(exactly text: String) {
    folds = false
    wanted = Array(text.utf8)
  }

  func finds(in text: String) -> Bool {
    Self.find(wanted, in: Array((folds ? text.lowercased() : text).utf8))
  }

  func finds(in bytes: [UInt8]) -> Bool {
    folds ? finds(in: String(decoding: bytes, as: UTF8.self)) : Self.find(wanted, in: bytes)
  }

  func isEqual(to text: some StringProtocol) -> Bool {
    wanted.elementsEqual((folds ? text.lowercased() : String(text)).utf8)
  }

  private static func find(_ wanted: [UInt8], in bytes: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    var start = 0
    while start + wanted.count <= bytes.count {
      if bytes[start] == first, bytes[start...].starts(with: wanted) { return true }
      start += 1
    }
    return false
  }
}
