/// A member of an object in the text.
struct MemberSpan {
  /// The first eight octets of the key: most keys differ in them.
  let prefix: UInt64
  /// Where the key begins, with its quote.
  let start: Int
  /// Octets of the key between its quotes.
  let keyCount: Int
  /// Whether its value is a container that was opened for it.
  let isNested: Bool
  /// Where its value ends; set when the object ends.
  var end = 0
}

/// The members of all open objects, those of the innermost last.
struct MemberSpans: ~Copyable {
  private var start: UnsafeMutablePointer<MemberSpan>
  private(set) var count = 0
  private var capacity = 64

  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  var byteCount: Int { capacity * MemoryLayout<MemberSpan>.stride }

  @inline(__always) mutating func append(_ member: MemberSpan) {
    if count == capacity { grow() }
    (start + count).initialize(to: member)
    count &+= 1
  }

  @inline(never) private mutating func grow() {
    let larger = UnsafeMutablePointer<MemberSpan>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    (start, capacity) = (larger, capacity * 2)
  }

  /// Forgets all but the first `length`.
  @inline(__always) mutating func truncate(to length: Int) { count = min(count, length) }

  /// The last.
  @inline(__always) var last: MemberSpan { start[count &- 1] }

  /// All from `first` on, until another is added.
  @inline(__always) func tail(from first: Int) -> UnsafeMutableBufferPointer<MemberSpan> {
    UnsafeMutableBufferPointer(start: start + first, count: count &- first)
  }
}
