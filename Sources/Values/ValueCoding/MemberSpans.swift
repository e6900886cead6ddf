/// Where a member of an object is in the text, for sorting by key.
struct MemberSpan {
  /// The first eight octets of the key, in which most keys differ.
  let prefix: UInt64
  /// Where the key begins, at its quotation mark.
  let start: Int
  /// Octets between the key's quotation marks.
  let keyCount: Int
  /// Whether its value is a nested container.
  let isNested: Bool
  /// Where its value ends. Set when the object ends.
  var end = 0
}

/// The members of all open objects, the innermost object's last.
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

  @inline(__always) mutating func truncate(to length: Int) { count = min(count, length) }

  @inline(__always) var last: MemberSpan { start[count &- 1] }

  /// The members from `first` on. Valid until another is appended.
  @inline(__always) func tail(from first: Int) -> UnsafeMutableBufferPointer<MemberSpan> {
    UnsafeMutableBufferPointer(start: start + first, count: count &- first)
  }
}
