import JSONTree
import SurfQuery
import TestSupport

/// Makes queries and states that have something to do with each other.
struct RandomQuery {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func count(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private static let names = [
    "a", "b", "c", "list", "a b", "is", "state", "ä", "x\"y]", "7", "", "4f-7", "-x",
  ]

  /// - Parameter isOfOneState: about nothing that needs a state before.
  mutating func query(depth: Int = 3, isOfOneState: Bool = false) -> Query {
    guard depth > 0, count(0...3) > 0 else { return leaf(isOfOneState) }
    switch count(0...(isOfOneState ? 2 : 4)) {
    case 0: return .not(query(depth: depth - 1, isOfOneState: isOfOneState))
    case 1: return .any(parts(depth, isOfOneState))
    case 2: return .all(parts(depth, isOfOneState))
    case 3: return .before(query(depth: depth - 1, isOfOneState: true))
    default: return .becomes(query(depth: depth - 1, isOfOneState: true))
    }
  }

  private mutating func parts(_ depth: Int, _ isOfOneState: Bool) -> [Query] {
    (0..<count(2...3)).map { _ in query(depth: depth - 1, isOfOneState: isOfOneState) }
  }

  private mutating func leaf(_ isOfOneState: Bool) -> Query {
    switch count(0...7) {
    case 0: return .text(one(of: Self.names + ["milk", "A b"]))
    case 1: return field()
    case 2 where !isOfOneState: return .changed
    default: return .test(test(isOfOneState))
    }
  }

  private mutating func field() -> Query {
    let field = one(of: QueryField.allCases)
    let texts: [String] =
      switch field.unit {
      case .count: ["5", "2..9", "..3", "7.."]
      case .bytes: ["5", "1k..", "..2M"]
      case .clock: ["00:00..12:00", "14:03", "01:02:03.5.."]
      case .time: ["250ms..", "..2s", "1m"]
      case .level: ["error", "info.."]
      case .kind: ["action", "log"]
      case .word, .value: ["add", "Main.swift", "x:y"]
      }
    let choices = (0..<count(1...2)).compactMap { _ in
      QueryChoice(one(of: texts), in: field.unit)
    }
    let quoted = QueryChoice("a b,\"", isQuoted: true, in: field.unit)
    return .field(field, choices + (quoted.map { [$0] } ?? []))
  }

  mutating func test(_ isOfOneState: Bool) -> QueryTest {
    let relation = relation(isOfOneState)
    let isComparing =
      switch relation {
      case .changed, .grew, .shrank: true
      default: false
      }
    let roots: [QueryPlace.Root] =
      isComparing ? [.state] : isOfOneState ? [.state, .payload] : [.state, .before, .payload]
    return QueryTest(isForAll: count(0...3) == 0, place(one(of: roots)), relation)
  }

  private mutating func relation(_ isOfOneState: Bool) -> QueryRelation {
    switch count(0...(isOfOneState ? 7 : 10)) {
    case 0, 1, 2:
      return .compares(one(of: QueryRelation.Comparison.allCases), value(isOfOneState))
    case 3:
      let choices = ["5", "2..9", "x", "true"].compactMap { QueryChoice($0, in: .value) }
      return .isAmong([one(of: choices), one(of: choices)])
    case 4: return one(of: [.has(value(isOfOneState)), .starts(value(isOfOneState))])
    case 5: return .ends(value(isOfOneState))
    case 6: return one(of: [.exists, .missing])
    case 7: return .isOfType(one(of: QueryRelation.ValueType.allCases))
    case 8: return .grew(by: nil)
    case 9: return .shrank(by: QueryChoice("1..", in: .value))
    default:
      return .changed(
        from: count(0...2) == 0 ? value(isOfOneState) : nil,
        to: count(0...2) == 0 ? value(isOfOneState) : nil)
    }
  }

  private mutating func value(_ isOfOneState: Bool) -> QueryValue {
    switch count(0...5) {
    case 0: return .scalar(one(of: [.null, true, false]))
    case 1, 2:
      let number = JSONNumber(literal: one(of: ["0", "1", "2.0", "-3", "1e2"]))
      return .scalar(number.map { .number($0) } ?? .null)
    case 3:
      let place = place(isOfOneState ? .state : one(of: [.state, .before]))
      return .place(QueryPlace(place.root, [.key("a")] + place.steps))
    default: return .scalar(.string(one(of: Self.names)))
    }
  }

  private mutating func place(_ root: QueryPlace.Root) -> QueryPlace {
    QueryPlace(root, (0..<count(0...3)).map { _ in step() })
  }

  private mutating func step() -> QueryPlace.Step {
    switch count(0...9) {
    case 0: .index(count(-1...2))
    case 1: .each
    case 2: .deep(one(of: Self.names))
    case 3: .element(one(of: Self.names), .scalar(one(of: [1, "x y"])))
    case 4: .aggregate(one(of: QueryPlace.Aggregate.allCases))
    default: .key(one(of: Self.names))
    }
  }

  mutating func state(depth: Int = 3) -> JSON {
    guard depth > 0 else { return scalar() }
    switch count(0...4) {
    case 0: return .array((0..<count(0...3)).map { _ in state(depth: depth - 1) })
    case 1: return scalar()
    default:
      return .object(
        JSONObject(
          (0..<count(0...4)).map { _ in
            JSONObject.Member(key: one(of: Self.names), value: state(depth: depth - 1))
          }))
    }
  }

  private mutating func scalar() -> JSON {
    one(of: [.null, true, false, 0, 1, 2, -3, 100, "a", "b", "1", "x y", ""])
  }
}
