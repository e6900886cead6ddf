import SurfRelay
import TestSupport
import Testing

@Suite struct LiveValuesTests {
  @Test func `values stand in the order in which they came`() {
    var values = LiveValues<Int>()
    for (sequence, id) in ["b", "a", "c", "b"].enumerated() {
      values.set(id, to: sequence, size: 1, sequence: UInt64(sequence))
    }
    #expect(values.inOrder.map(\.id) == ["a", "c", "b"])
    #expect(values.inOrder.last?.value == 3)
  }

  @Test func `the oldest ids make room when there are too many`() {
    var values = LiveValues<Int>()
    for number in 0...InspectorLimits.valueCountMax {
      values.set("\(number)", to: number, size: 1, sequence: UInt64(number))
    }
    #expect(values.count == InspectorLimits.valueCountMax)
    #expect(values.inOrder.first?.id == "1")
    values.set("large", to: 0, size: InspectorLimits.valueSizeMax - 5, sequence: 9_999)
    #expect(values.inOrder.map(\.id) == ["large"])
    #expect(values.size == InspectorLimits.valueSizeMax)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whatever the order in which they come, the oldest go`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var values = LiveValues<UInt64>()
    var model: [String: UInt64] = [:]
    let size = 90
    for sequence in (1...2_000 as ClosedRange<UInt64>).shuffled(using: &random) {
      let id = String(UnicodeScalar(UInt8.random(in: 97...122, using: &random)))
      // Each takes ten octets with its id.
      let isNewest = values.set(id, to: sequence, size: 9, sequence: sequence)
      #expect(isNewest == (model[id] ?? 0 < sequence))
      model[id] = max(model[id] ?? 0, sequence)
      values.shrink(to: size)
      while model.count * 10 > size, let oldest = model.min(by: { $0.value < $1.value }) {
        model[oldest.key] = nil
      }
      #expect(values.inOrder.map(\.value) == model.values.sorted())
      #expect(values.size == 10 * model.count)
    }
  }

  @Test func `a value that nothing has room for is not kept, nor its predecessor`() {
    var values = LiveValues<Int>()
    values.set("a", to: 1, size: 1, sequence: 1)
    values.set("a", to: 2, size: InspectorLimits.valueSizeMax + 1, sequence: 2)
    #expect(values.isEmpty && values.size == 0)
  }

  private enum Step {
    case set(String)
    case remove(String)
  }

  /// The steps may arrive in any order. The result is that of their own order.
  @Test func `steps in any order lead where they lead in their own`() {
    var generator = SeededGenerator(seed: 5)
    let ids = ["a", "a/b", "a/b/c", "ab", "b"]
    for round in 0..<300 {
      let steps = (1...12).map { sequence in
        let id = ids.randomElement(using: &generator) ?? "a"
        let isRemoval = Int.random(in: 0..<4, using: &generator) == 0
        return (UInt64(sequence), isRemoval ? Step.remove(id) : .set(id))
      }
      var model: [String: UInt64] = [:]
      for (sequence, step) in steps {
        switch step {
        case .set(let id): model[id] = sequence
        case .remove(let id):
          model = model.filter { $0.key != id && !$0.key.hasPrefix("\(id)/") }
        }
      }
      var values = LiveValues<UInt64>()
      for (sequence, step) in steps.shuffled(using: &generator) {
        switch step {
        case .set(let id): values.set(id, to: sequence, size: 1, sequence: sequence)
        case .remove(let id): _ = values.remove(id, sequence: sequence)
        }
      }
      let kept = Dictionary(uniqueKeysWithValues: values.inOrder.map { ($0.id, $0.value) })
      #expect(kept == model, "round \(round): \(steps)")
    }
  }

  @Test func `a removal names what lived, and nothing twice`() {
    var values = LiveValues<Int>()
    for id in ["view", "view/a", "viewer"] { values.set(id, to: 0, size: 1, sequence: 1) }
    let removed = values.remove("view", sequence: 2)
    #expect(removed == ["view", "view/a"])
    let removedAgain = values.remove("view", sequence: 3)
    #expect(removedAgain == [])
    let isOlder = values.set("view/a", to: 0, size: 1, sequence: 2)
    let isNewer = values.set("view/a", to: 0, size: 1, sequence: 4)
    #expect(!isOlder && isNewer)
  }
}
