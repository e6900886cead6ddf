/// A first-in, first-out queue in a ring, so that neither end ever moves the elements between.
struct FIFO<Element: Sendable>: Sendable {
  private var ring: [Element?] = Array(repeating: nil, count: 16)
  private var head = 0
  private(set) var count = 0

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
    }
    // Taken out, not copied.
    return ring[head].take()
  }

  private mutating func grow() {
    ring = Array(ring[head...] + ring[..<head]) + Array(repeating: nil, count: ring.count)
    head = 0
  }
}
