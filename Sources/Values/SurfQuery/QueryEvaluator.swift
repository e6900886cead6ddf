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

  package mutating func holds(for subject: QuerySubject) -> Bool {
    holds(query, subject, subject.state)
  }

  /// - Parameter state: the one that is asked about.
  private mutating func holds(
    _ query: Query, _ subject: QuerySubject, _ state: JSON?
  ) -> Bool {
    switch query {
    case .any(let parts):
      for part in parts where holds(part, subject, state) { return true }
      return false
    case .all(let parts):
      for part in parts where !holds(part, subject, state) { return false }
      return true
    case .not(let part): return !holds(part, subject, state)
    case .before(let part): return holds(part, subject, subject.before)
    case .becomes(let part):
      return holds(part, subject, state) && !holds(part, subject, subject.before)
    case .field(let field, let choices): return subject.has(field, choices, secondsFromGMT)
    case .test(let test):
      var look = QueryLook(subject, state: state)
      defer { limits.formUnion(look.limits) }
      return look.holds(test)
    case .changed:
      guard let before = subject.before, let state else { return false }
      return before != state
    case .text(let text): return subject.mentions(TextSearch(text))
    }
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
