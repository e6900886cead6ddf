import JSONTools
import JSONTree
import SurfQuery
import SurfWire
import TestSupport

/// A history for queries: each state is much like the one before, read as a walk of rows reads it.
struct RandomStates {
  private var maker: RandomQuery
  private var reader = JSONRereader()
  private var value: JSON
  private var state: JSON?
  private var number = 0

  init(seed: UInt64) {
    maker = RandomQuery(seed: seed)
    value = maker.state(depth: 4)
  }

  mutating func query() -> Query { chance(3) ? maker.query() : .test(test()) }

  /// About a place that is there now, or places like it.
  private mutating func test() -> QueryTest {
    var steps: [QueryPlace.Step] = []
    var value = value
    while !chance(5), let (step, child) = way(down: value) {
      steps.append(step)
      value = child
    }
    let test = maker.test(false)
    return QueryTest(isForAll: test.isForAll, QueryPlace(.state, steps), test.relation)
  }

  private mutating func way(down value: JSON) -> (QueryPlace.Step, JSON)? {
    switch value {
    case .object(let object) where !object.members.isEmpty:
      let member = object.members[Int.random(in: 0..<object.members.count, using: &maker.random)]
      let step: QueryPlace.Step =
        chance(4) ? .each : chance(4) ? .deep(member.key) : .key(member.key)
      return (step, member.value)
    case .array(let elements) where !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &maker.random)
      let steps: [QueryPlace.Step] = [
        .index(index), .index(index - elements.count), .each, .aggregate(.count), .aggregate(.sum),
      ]
      return (steps[Int.random(in: 0..<steps.count, using: &maker.random)], elements[index])
    default: return nil
    }
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &maker.random) == 0
  }

  /// The next row, with the facts that its walk knows about the states.
  mutating func next() -> QuerySubject {
    // A row that nobody asks about.
    if chance(20) {
      number += 1
      _ = read(nextText())
    }
    let payload =
      chance(3)
      ? Content(type: "application/json", bytes: maker.state(depth: 2).bytes()) : nil
    number += 1
    let record = Record(
      sequence: SequenceNumber(UInt64(number)), kind: .action, name: "add milk", payload: payload)
    var subject = QuerySubject(record, before: state)
    var changes: [JSONReplacement]? = []
    if !chance(6) { changes = read(nextText()) }
    subject.state = state
    subject.step = chance(30) ? nil : StateStep(number, changes: changes)
    return subject
  }

  private mutating func nextText() -> [UInt8] {
    if chance(30) { return Array("no JSON".utf8) }
    if chance(20) { value = maker.state(depth: 4) }
    for _ in 0..<Int.random(in: 0...2, using: &maker.random) { value = edited(value) }
    return value.bytes()
  }

  private mutating func read(_ text: [UInt8]) -> [JSONReplacement]? {
    switch reader.read(text) {
    case .invalid:
      state = nil
      return nil
    case .value(let json, _, let replaced):
      state = json
      return replaced
    }
  }

  /// Something in it is another value, is new or is gone.
  private mutating func edited(_ value: JSON) -> JSON {
    switch value {
    case .array(var elements) where !elements.isEmpty && !chance(5):
      let index = Int.random(in: 0..<elements.count, using: &maker.random)
      switch Int.random(in: 0...5, using: &maker.random) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(maker.state(depth: 1), at: index)
      case 2: elements.append(maker.state(depth: 1))
      default: elements[index] = edited(elements[index])
      }
      return .array(elements)
    case .object(let object) where !object.members.isEmpty && !chance(5):
      var members = object.members
      let index = Int.random(in: 0..<members.count, using: &maker.random)
      switch Int.random(in: 0...5, using: &maker.random) {
      case 0: members.remove(at: index)
      case 1: members.insert(contentsOf: maker.state(depth: 2).object?.members ?? [], at: index)
      default: members[index].value = edited(members[index].value)
      }
      return .object(JSONObject(members))
    default: return maker.state(depth: 2)
    }
  }
}
