/// What was found out about the types met last, because to find it takes longer than to write most
/// values.
struct TypeMemory<Finding> {
  private struct Entry {
    let type: ObjectIdentifier
    let finding: Finding
  }

  private static var count: Int { 64 }
  private var entries = ContiguousArray<Entry?>(repeating: nil, count: count)

  @inline(__always)
  mutating func finding(for type: Any.Type, find: () -> Finding) -> Finding {
    let id = ObjectIdentifier(type)
    // Types are some words apart from one another.
    let index = Int(truncatingIfNeeded: UInt(bitPattern: id) >> 4) & (Self.count - 1)
    if let entry = entries[index], entry.type == id { return entry.finding }
    let finding = find()
    entries[index] = Entry(type: id, finding: finding)
    return finding
  }
}
