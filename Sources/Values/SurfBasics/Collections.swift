/// A FIFO queue with random access, in a ring buffer, so that neither end moves the elements
/// between.
///
/// Inlinable, so that other modules can specialize it for their elements.
@usableFromInline
package struct Queue<Element: Sendable>: Sendable, RandomAccessCollection {
  /// Empty, or a power of two in size.
  @usableFromInline var ring: [Element?] = []
  @usableFromInline var head = 0
  @usableFromInline package internal(set) var count = 0

  @inlinable package init() {}

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }

  /// The element at a position counted from the front.
  @inlinable package subscript(position: Int) -> Element {
    guard let element = ring[index(position)] else {
      preconditionFailure("positions below the count are filled")
    }
    return element
  }

  /// Changes the element at a position in place.
  @inlinable package mutating func update<Result>(
    _ position: Int, _ body: (inout Element) -> Result
  ) -> Result {
    let index = index(position)
    // Moves the element out, to avoid a copy.
    guard var element = ring[index].take() else {
      preconditionFailure("positions below the count are filled")
    }
    defer { ring[index] = element }
    return body(&element)
  }

  @inlinable package mutating func append(_ element: consuming Element) {
    if count == ring.count { grow() }
    ring[index(count)] = element
    count += 1
  }

  @inlinable package mutating func popLast() -> Element? {
    guard !isEmpty else { return nil }
    count -= 1
    return ring[index(count)].take()
  }

  @inlinable package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      head = index(1)
      count -= 1
    }
    return ring[head].take()
  }

  /// The index in the ring of a position in the queue.
  @inlinable func index(_ position: Int) -> Int { (head + position) & (ring.count - 1) }

  @inlinable mutating func grow() {
    var grown: [Element?] = []
    grown.reserveCapacity(Swift.max(ring.count * 2, 16))
    for position in 0..<count { grown.append(ring[index(position)].take()) }
    grown += repeatElement(nil, count: Swift.max(ring.count, 16))
    (ring, head) = (grown, 0)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The index of the first element that satisfies `isAfter`, by binary search. All elements after
  /// it must satisfy `isAfter`, and none before it.
  @inlinable package func partitionPoint(_ isAfter: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The same. The number of calls of `isAfter` is about twice the logarithm of the guess's error.
  @inlinable package func partitionPoint(near guess: Int, _ isAfter: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    var probe = Swift.min(Swift.max(guess, low), high - 1)
    var step = 1
    while low < high {
      if isAfter(self[probe]) { high = probe } else { low = probe + 1 }
      if low == startIndex {
        probe = Swift.max(high - step, low)
      } else if high == endIndex {
        probe = Swift.min(low + step, high - 1)
      } else {
        probe = low + (high - low) / 2
      }
      step &*= 2
    }
    return low
  }
}

extension BidirectionalCollection {
  /// Drops the blank elements at both ends.
  @inlinable package func trimming(where isBlank: (Element) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first...last]
  }
}

extension String {
  /// The longest prefix of whole characters that has at most `limit` octets of UTF-8.
  @inlinable package func clipped(toUTF8 limit: Int) -> String {
    if utf8.count <= limit { return self }
    var size = 0
    let whole = prefix { character in
      size += character.utf8.count
      return size <= limit
    }
    return String(whole)
  }
}

/// Counters by reason, without zeros.
extension [String: Int] {
  /// Adds a count, unless it is zero or negative.
  package mutating func count(_ reason: String, _ count: Int = 1) {
    if count > 0 { self[reason, default: 0] += count }
  }

  package mutating func add(_ other: [String: Int]) {
    for (reason, number) in other { count(reason, number) }
  }
}

extension Optional where Wrapped: Comparable {
  /// The smallest non-nil value, if any.
  @inlinable package static func least(_ values: Self...) -> Self {
    var least: Self = nil
    for case let value? in values where least.map({ value < $0 }) ?? true { least = value }
    return least
  }
}

extension Sequence {
  /// Like `sorted(by:)`, for what is sorted rarely. Swift would write some 3 kB of code for each
  /// type of element. This is the same code for all of them.
  package func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
    let elements = Array(self)
    return places(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
  }
}

/// The numbers below `count` in the given order.
@inline(never)
private func places(_ count: Int, _ precedes: (Int, Int) -> Bool) -> [Int] {
  (0..<count).sorted(by: precedes)
}

extension RangeReplaceableCollection {
  /// Removes and returns all elements.
  @inlinable package mutating func takeAll() -> Self {
    defer { self = Self() }
    return self
  }
}

/// Values that wait for their turns, one of each key.
///
/// Inlinable, so that other modules specialize it: the sender asks it for each packet.
@usableFromInline
package struct Turns<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline var values: [Key: Value] = [:]
  @usableFromInline var order = Queue<Key>()
  @usableFromInline let countMax: Int

  @inlinable package init(countMax: Int) { self.countMax = countMax }

  @inlinable package var isEmpty: Bool { order.count == 0 }

  @inlinable package subscript(key: Key) -> Value? { values[key] }

  /// Replaces the value of a key, or queues the key; false if too many others wait.
  @discardableResult
  @inlinable package mutating func set(_ value: Value, of key: Key) -> Bool {
    if values[key] == nil {
      guard values.count < countMax else { return false }
      order.append(key)
    }
    values[key] = value
    return true
  }

  @inlinable package mutating func popFirst() -> (key: Key, value: Value)? {
    guard let key = order.popFirst(), let value = values.removeValue(forKey: key) else {
      return nil
    }
    return (key, value)
  }
}
