import JSONTree
import SurfWire

// A row's parent is the state that the app was in before it (Protocol.md §8.1). Lists, differences,
// searches and steps all use it.
extension Timeline {
  /// Where the app was before a row; nil if that is unknown, because earlier rows are missing.
  ///
  /// A record that moves the app names the state it grew from, unless that is where the records
  /// before it put the app. Other records change nothing: the app was where the last such record,
  /// or a later move, had put it.
  package func parent(of row: Row) -> Position? {
    parent(of: row, behind: row.record.grownFrom == nil ? recorded(before: row.number) : nil)
  }

  /// - Parameter recorded: where the records before the row put the app, moves aside.
  package func parent(of row: Row, behind recorded: Position?) -> Position? {
    if let origin = row.record.grownFrom?.origin { return origin }
    guard let recorded, !row.record.hasTail else { return recorded }
    let start = recorded.row ?? 0
    let moves = markers.lazy.filter {
      $0.outcome == .applied && start <= $0.afterRow && $0.afterRow < row.number
    }
    return moves.max { $0.stamp < $1.stamp }?.target ?? recorded
  }

  /// Where the records before this one put the app, moves aside. If some of them are missing, where
  /// the app itself said that it was behind those; nil if it did not.
  package func recorded(before number: SequenceNumber) -> Position? {
    var next = number
    for row in rows[..<firstIndex(from: number)].reversed() {
      guard row.number.next == next else { break }
      if row.isState { return .record(row.number) }
      next = row.number
    }
    if next == 1 { return .initial }
    return reported(behind: next.previous..<number)
  }

  /// Where the app said that it was, behind one of these records; nil if it did not.
  package func reported(behind records: Range<SequenceNumber>) -> Position? {
    let reports = [firstReport, (stamp.newestRecord, position)].compactMap(\.self)
    return reports.first { records.contains($0.record) }?.position
  }

  /// The state at a position, byte for byte; nil if no row carries it or it was dropped.
  package func state(at position: Position) -> Content? {
    switch position {
    case .initial: initialState
    case .record(let number): state(of: number)
    case .elsewhere: nil
    }
  }

  /// The row that has this state in one of its spellings, if any, with the state as recorded:
  /// preferably the app's position, otherwise the newest.
  package func row(
    holding spellings: StateSpellings
  ) -> (number: SequenceNumber, state: Content)? {
    for content in spellings.contents {
      if let number = row(exactly: content) { return (number, content) }
    }
    return nil
  }

  private func row(exactly content: Content) -> SequenceNumber? {
    func holds(_ row: Row) -> Bool {
      row.isState && row.stateSize == content.bytes.count && state(of: row.number) == content
    }
    let current = position.row.flatMap { row($0) }
    if let current, holds(current) { return current.number }
    return rows.last(where: holds)?.number
  }

  package func holdsState(at position: Position) -> Bool {
    switch position {
    case .initial: initialState != nil
    case .record(let number): row(number)?.holdsState ?? false
    case .elsewhere: false
    }
  }

  /// The size in bytes, even after the state was dropped.
  package func stateSize(at position: Position) -> Int? {
    switch position {
    case .initial: initialState?.bytes.count
    case .record(let number): row(number)?.stateSize
    case .elsewhere: nil
    }
  }
}

/// A state from a file, and how an app may have written the same one: editors and `jq` change white
/// space, the order of keys, and whether a slash is escaped (RFC 8259 §7).
package struct StateSpellings: Sendable {
  /// Octets of a state that is worth the time to parse it and print it again.
  private static let sizeMax = 1 << 20

  /// As in the file first, without white space at its end.
  fileprivate private(set) var contents: [Content]

  /// Parses `content` if it is JSON of up to 1 MiB, so call it outside of locks.
  package init(of content: Content) {
    let space: [UInt8] = [0x20, 0x0A, 0x0D, 0x09]
    let count = content.bytes.lastIndex { !space.contains($0) }.map { $0 + 1 } ?? 0
    contents = [Content(type: content.type, bytes: Array(content.bytes[..<count]))]
    guard count <= Self.sizeMax, let json = JSON(ifValid: contents[0].bytes) else { return }
    for sortsKeys in [false, true] {
      let plain = json.bytes(sortedKeys: sortsKeys)
      // A slash stands only in strings, and our printer escapes none.
      let escaped = plain.flatMap { $0 == ASCII.slash ? [ASCII.backslash, $0] : [$0] }
      for bytes in [plain, escaped] {
        let content = Content(type: content.type, bytes: bytes)
        if !contents.contains(content) { contents.append(content) }
      }
    }
  }
}
