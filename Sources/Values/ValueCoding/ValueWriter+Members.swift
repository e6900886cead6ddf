extension ValueWriter {
  /// Begins a member of an object by writing its key.
  @inline(__always)
  func beginMember(_ name: consuming String, of id: Int, isNested: Bool = false) throws -> Mark {
    try settle(id)
    guard fits(name.utf8.count) else { throw TooLong() }
    let mark = mark
    name.withUTF8 { appendKey($0, of: id, isNested) }
    return mark
  }

  @inline(__always)
  func beginElement(of id: Int) throws -> Mark {
    try settle(id)
    guard fits(0) else { throw TooLong() }
    let mark = mark
    let value = pointer(id)
    if value.pointee.count > 0 { text.append(UInt8(ascii: ",")) }
    value.pointee.count &+= 1
    return mark
  }

  private func appendKey(_ name: UnsafeBufferPointer<UInt8>, of id: Int, _ isNested: Bool) {
    let value = pointer(id)
    if value.pointee.count > 0 { text.append(UInt8(ascii: ",")) }
    let start = text.count
    if text.append(quoted: name, escapesSlashes: form.escapesSlashes) {
      value.pointee.hasEscapedKeys = true
    }
    let member = MemberSpan(
      prefix: Self.prefix(of: name), start: start, keyCount: text.count &- start &- 2,
      isNested: isNested)
    text.append(UInt8(ascii: ":"))
    if value.pointee.isSorted, value.pointee.count > 0,
      !precedes(members.last, member, value.pointee.hasEscapedKeys)
    {
      value.pointee.isSorted = false
    }
    value.pointee.count &+= 1
    members.append(member)
  }

  /// The first eight octets of a key, as a number to compare by.
  @inline(__always)
  private static func prefix(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    name.baseAddress.map { TextBuffer.word(of: $0, name.count).byteSwapped } ?? 0
  }

  /// Whether one key is less than another, by octets.
  @inline(__always)
  private func precedes(_ one: MemberSpan, _ other: MemberSpan, _ hasEscapes: Bool) -> Bool {
    one.prefix == other.prefix
      ? order(one, other, hasEscapes) < 0 : one.prefix < other.prefix
  }

  @inline(never)
  private func order(_ one: MemberSpan, _ other: MemberSpan, _ hasEscapes: Bool) -> Int {
    if hasEscapes {
      let (key, otherKey) = (EscapedText(key(one)).octets, EscapedText(key(other)).octets)
      return key == otherKey ? 0 : key.lexicographicallyPrecedes(otherKey) ? -1 : 1
    }
    let (key, otherKey) = (key(one), key(other))
    for index in 0..<min(key.count, otherKey.count) where key[index] != otherKey[index] {
      return Int(key[index]) - Int(otherKey[index])
    }
    return key.count - otherKey.count
  }

  private func key(_ member: MemberSpan) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text.start + member.start + 1, count: member.keyCount)
  }

  /// Sorts the members of an object by key. Of members with equal keys it keeps only the last.
  @inline(never)
  func sortMembers(of value: OpenValue) {
    let spans = members.tail(from: value.firstMember)
    guard spans.count > 1 else { return }
    var end = text.count
    for index in spans.indices.reversed() {
      spans[index].end = end
      end = spans[index].start &- 1
    }
    // Insertion sort, because most objects have few members.
    let hasRepeated =
      spans.count <= 24
      ? sortFew(spans, value.hasEscapedKeys) : sortMany(spans, value.hasEscapedKeys)
    let count = hasRepeated ? dropRepeated(spans, value.hasEscapedKeys) : spans.count
    move(UnsafeMutableBufferPointer(rebasing: spans[..<count]), to: value.start + 1)
  }

  /// Returns true if some keys may be equal.
  private func sortFew(
    _ spans: UnsafeMutableBufferPointer<MemberSpan>, _ hasEscapes: Bool
  ) -> Bool {
    var hasRepeated = false
    for index in 1..<spans.count {
      let span = spans[index]
      var place = index
      while place > 0 {
        let before = spans[place &- 1]
        if before.prefix < span.prefix { break }
        if before.prefix == span.prefix {
          let order = order(before, span, hasEscapes)
          if order == 0 { hasRepeated = true }
          if order <= 0 { break }
        }
        spans[place] = before
        place &-= 1
      }
      spans[place] = span
    }
    return hasRepeated
  }

  private func sortMany(
    _ spans: UnsafeMutableBufferPointer<MemberSpan>, _ hasEscapes: Bool
  ) -> Bool {
    var spans = spans
    spans.sort { one, other in
      if one.prefix != other.prefix { return one.prefix < other.prefix }
      let order = order(one, other, hasEscapes)
      return order == 0 ? one.start < other.start : order < 0
    }
    return true
  }

  /// Returns how many members are left.
  private func dropRepeated(
    _ spans: UnsafeMutableBufferPointer<MemberSpan>, _ hasEscapes: Bool
  ) -> Int {
    var last = 0
    for index in 1..<spans.count {
      let isRepeated =
        spans[last].prefix == spans[index].prefix
        && order(spans[last], spans[index], hasEscapes) == 0
      // A container opened again must continue where it ended, which only a tree can do.
      if isRepeated, spans[index].isNested { _ = stop(.outOfOrder) }
      if !isRepeated { last += 1 }
      spans[last] = spans[index]
    }
    return last + 1
  }

  /// Writes the members in sorted order. Leading members that are already in place stay.
  private func move(_ sorted: UnsafeMutableBufferPointer<MemberSpan>, to start: Int) {
    var (place, first) = (start, 0)
    while first < sorted.count, sorted[first].start == place {
      place = sorted[first].end &+ 1
      first &+= 1
    }
    scratch.truncate(to: 0)
    text.reserve(TextBuffer.slack)
    for index in first..<sorted.count {
      if index > first { scratch.append(UInt8(ascii: ",")) }
      scratch.append(
        loosely: text.start + sorted[index].start, sorted[index].end &- sorted[index].start)
    }
    // If all members are in place, the last one has no comma after it.
    text.replace(from: first == sorted.count ? place &- 1 : place, by: scratch)
  }
}

/// Where a member of an object is in the text, for sorting by key.
struct MemberSpan {
  /// The first eight octets of the key. Most keys differ there.
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
