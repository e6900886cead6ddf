/// First in, first out, with access by position; both ends cost constant time on average.
///
/// Inlinable, so that other modules, too, have it made for their elements.
@usableFromInline
package struct Queue<Element: Sendable>: Sendable {
  @usableFromInline var storage: [Element?] = []
  @usableFromInline var head = 0

  @inlinable package init() {}

  @inlinable package var count: Int { storage.count - head }
  @inlinable package var isEmpty: Bool { count == 0 }
  @inlinable package var first: Element? { isEmpty ? nil : self[0] }
  @inlinable package var last: Element? { isEmpty ? nil : self[count - 1] }

  /// The element at a position counted from the front.
  @inlinable package subscript(position: Int) -> Element {
    get {
      guard let element = storage[head + position] else {
        preconditionFailure("positions from head on are filled")
      }
      return element
    }
    set { storage[head + position] = newValue }
  }

  /// Changes the element at a position where it lies.
  @inlinable package mutating func update<Result>(
    _ position: Int, _ body: (inout Element) -> Result
  ) -> Result {
    guard var element = storage[head + position].take() else {
      preconditionFailure("positions from head on are filled")
    }
    defer { storage[head + position] = element }
    return body(&element)
  }

  @inlinable package mutating func append(_ element: Element) { storage.append(element) }

  @inlinable package mutating func popLast() -> Element? { isEmpty ? nil : storage.removeLast() }

  @inlinable package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = storage[head]
    storage[head] = nil
    head += 1
    // Half empty: moving what is left costs less than what was taken out.
    if head > 32, head * 2 > storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  /// The first position whose element satisfies `predicate`, which must be false up to there and
  /// true from there on.
  @inlinable package func partition(by predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
