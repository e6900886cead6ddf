/// A first-in, first-out queue in a ring, so that neither end ever moves the elements between.
struct FIFO<Element: Sendable>: Sendable {
  private var ring: [Element?] = Array(repeating: nil, count: 16)
  private var head = 0
  private(set) var count = 0
  /// How many have left.
  private var leftCount = 0

  /// The place that the next element gets. Places are never used again.
  var endPlace: Int { leftCount + count }

  mutating func append(_ element: consuming Element) {
    if count == ring.count { grow() }
    ring[(head + count) % ring.count] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    defer {
      head = (head + 1) % ring.count
      count -= 1
      leftCount += 1
    }
    // Taken out, not copied.
    return ring[head].take()
  }

  /// Changes the element in a place, if it is still here.
  mutating func change(at place: Int, _ body: (inout Element) -> Void) {
    guard place >= leftCount, place < endPlace else { return }
    let index = (head + place - leftCount) % ring.count
    // Taken out, not copied.
    guard var element = ring[index].take() else { return }
    body(&element)
    ring[index] = element
  }

  private mutating func grow() {
    ring = Array(ring[head...] + ring[..<head]) + Array(repeating: nil, count: ring.count)
    head = 0
  }
}
