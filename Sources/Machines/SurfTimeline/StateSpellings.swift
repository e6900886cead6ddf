import JSONTree
import SurfWire

/// A state from a file, in the spellings that an app may have recorded. Editors and `jq` change
/// white space and the order of keys. Apps escape slashes, and others do not (RFC 8259 §7).
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

extension Timeline {
  /// The row whose recorded state is one of these spellings, and that state. If several rows have
  /// it, the app's position comes first, and then the newest row.
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
}
