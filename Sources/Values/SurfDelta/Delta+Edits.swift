extension Delta {
  /// Octets of the base, and of the target those that stand in their place.
  package typealias Edit = (old: Range<Int>, new: Range<Int>)

  /// All in which the target differs from the base, in order; nil if octets moved past others.
  ///
  /// Costs time in proportion to the number of operations, whatever the sizes.
  package var edits: [Edit]? {
    var edits: [Edit] = []
    // Most have no more; an array that grows is made anew each time.
    edits.reserveCapacity(4)
    var reader = OperationReader(operations)
    var (cursor, size) = (0, 0)
    var kept = (old: 0, new: 0)
    func note() {
      guard kept.old < cursor || kept.new < size else { return }
      edits.append((kept.old..<cursor, kept.new..<size))
    }
    do throws(DeltaError) {
      while let operation = try reader.next() {
        switch operation.kind {
        case .copy:
          guard cursor >= kept.old else { return nil }
          note()
          cursor += operation.count
          size += operation.count
          kept = (cursor, size)
        case .insert:
          cursor += min(operation.count, baseSize - cursor)
          size += operation.count
        case .skip: cursor += operation.count
        case .back: cursor -= operation.count
        }
      }
    } catch {
      return nil
    }
    cursor = baseSize
    note()
    return edits
  }
}
