import SurfBasics
import Testing

@Suite struct QueueTests {
  /// Against an array, over its edge and while it grows.
  @Test(arguments: [1, 3, 40])
  func holdsWhatAnArrayHolds(growth: Int) {
    var random = SystemRandomNumberGenerator()
    var queue = Queue<Int>()
    var array: [Int] = []
    for step in 0..<5_000 {
      switch Int.random(in: 0..<(growth + 2), using: &random) {
      case 0:
        #expect(queue.popFirst() == array.first)
        array = Array(array.dropFirst())
      case 1 where step.isMultiple(of: 2):
        #expect(queue.popLast() == array.popLast())
      case 2 where !array.isEmpty:
        let position = array.indices.randomElement(using: &random) ?? 0
        queue.update(position) { $0 += 1 }
        array[position] += 1
      default:
        if array.count > 40 * growth { (queue, array) = (Queue(), []) }
        queue.append(step)
        array.append(step)
      }
      #expect(Array(queue) == array)
      #expect(queue.first == array.first && queue.last == array.last)
    }
  }

  @Test func lendsNothingToWhatHasLeft() {
    final class Guest: Sendable {}
    var queue = Queue<Guest>()
    weak var first: Guest?
    do {
      let guest = Guest()
      first = guest
      queue.append(guest)
      queue.append(Guest())
    }
    #expect(first != nil)
    _ = queue.popFirst()
    #expect(first == nil)
  }

  @Test func findsAPlaceInOrder() {
    var queue = Queue<Int>()
    for number in 0..<40 { queue.append(number) }
    for _ in 0..<10 { _ = queue.popFirst() }
    #expect(queue.partitionPoint { $0 >= 25 } == 15)
    #expect(queue.partitionPoint { $0 >= 99 } == 30)
    #expect(Queue<Int>().partitionPoint { $0 >= 0 } == 0)
  }

  /// Slices do not begin at 0, and a guess may lie outside.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a guess changes the steps, not the place`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 0..<40, using: &random)
      let numbers = (0..<count).map { _ in Int.random(in: 0..<50, using: &random) }.sorted()
      let slice = numbers[Int.random(in: 0...count, using: &random)...]
      let wanted = Int.random(in: -1...51, using: &random)
      let guess = Int.random(in: -5..<50, using: &random)
      var looks = 0
      let place = slice.partitionPoint(near: guess) {
        looks += 1
        return $0 >= wanted
      }
      #expect(place == slice.partitionPoint { $0 >= wanted })
      let distance = abs(place - min(max(guess, slice.startIndex), slice.endIndex))
      #expect(looks <= 2 * (Int.bitWidth - distance.leadingZeroBitCount) + 2)
    }
  }
}

@Suite struct TurnsTests {
  /// Against an array of pairs.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `each key has one turn, and a newer value replaces the one that waits`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var turns = Turns<Int, UInt64>(countMax: 5)
    var waiting: [(key: Int, value: UInt64)] = []
    for value in 0..<500 as Range<UInt64> {
      if Int.random(in: 0..<3, using: &random) == 0 {
        let (next, first) = (turns.popFirst(), waiting.first)
        #expect(next?.key == first?.key && next?.value == first?.value)
        waiting = Array(waiting.dropFirst())
      } else {
        let key = Int.random(in: 0..<8, using: &random)
        let place = waiting.firstIndex { $0.key == key }
        #expect(turns.set(value, of: key) == (place != nil || waiting.count < 5))
        if let place {
          waiting[place].value = value
        } else if waiting.count < 5 {
          waiting.append((key, value))
        }
        #expect(turns[key] == waiting.first { $0.key == key }?.value)
      }
      #expect(turns.isEmpty == waiting.isEmpty)
    }
  }
}
