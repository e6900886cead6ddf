import JSONTree

/// Reads one text with the help of the previous one, for `JSONRereader.read`.
struct RereadingPass {
  let old: [UInt8]
  let new: [UInt8]
  /// Whether any value differs from the old one in its place.
  private(set) var differs = false
  private(set) var replaced: [JSONReplacement] = []
  /// Octets parsed, each as often as it was.
  private(set) var parsedSize = 0
  /// The path to the current part.
  private var path = JSONPath()

  init(old: [UInt8], new: [UInt8]) { (self.old, self.new) = (old, new) }

  /// Reads the new text's value in place of an old part, if there is one.
  mutating func reread(
    _ part: JSONPart, from oldPlace: Int, at place: Int, depth: Int
  ) -> JSONPart? {
    let text = oldPlace..<oldPlace + part.size
    if isSame(text, at: place), part.isClosed || isEnd(place + part.size) { return part }
    let replacedCount = replaced.count
    if !part.children.isEmpty,
      let new = compareChildren(of: part, from: oldPlace, at: place, depth: depth)
    {
      return new
    }
    // The whole value is replaced, and not these parts of it.
    replaced.removeLast(replaced.count - replacedCount)
    if let splice = Splice(part, from: oldPlace, at: place, depth: depth, in: &self) {
      note(splice, of: part)
      return splice.part
    }
    return parse(at: place, depth: depth, insteadOf: part)
  }

  /// Nil unless only the values of children changed, and neither keys nor counts.
  private mutating func compareChildren(
    of part: JSONPart, from oldStart: Int, at start: Int, depth: Int
  ) -> JSONPart? {
    var (oldPlace, place) = (oldStart, start)
    var parts: [(index: Int, part: JSONPart)] = []
    for (index, child) in part.children.enumerated() {
      guard isSame(oldPlace..<oldPlace + child.lead, at: place) else { return nil }
      oldPlace += child.lead
      place += child.lead
      let text = oldPlace..<oldPlace + child.part.size
      if !isSame(text, at: place) || !(child.part.isClosed || isEnd(place + text.count)) {
        path.elements.append(part.element(index))
        let new = reread(child.part, from: oldPlace, at: place, depth: depth + 1)
        path.elements.removeLast()
        guard let new else { return nil }
        parts.append((index, new))
        place += new.size
      } else {
        place += text.count
      }
      oldPlace = text.upperBound
    }
    let tail = oldPlace..<oldStart + part.size
    guard isSame(tail, at: place) else { return nil }
    return JSONPart(part, size: place + tail.count - start, replacing: parts)
  }

  private mutating func parse(
    at place: Int, depth: Int, insteadOf part: JSONPart
  ) -> JSONPart? {
    guard let skim = JSONSkimmer(new).skim(at: place, depth: depth),
      let json = JSON(ifValid: Array(new[place..<place + skim.size]))
    else { return nil }
    parsedSize += skim.size
    differs = differs || json != part.json
    replaced.append(JSONReplacement(path, part.json, json))
    return JSONPart(json, skim)
  }

  /// Notes each member of an object as a replacement, but an array as a whole, because elements
  /// moved.
  private mutating func note(_ splice: Splice, of part: JSONPart) {
    guard let members = splice.replacedMembers(of: part) else {
      differs = differs || splice.differs(from: part)
      return replaced.append(JSONReplacement(path, part.json, splice.part.json))
    }
    for (key, old, new) in members {
      differs = differs || old != new
      replaced.append(JSONReplacement(JSONPath(path.elements + [.key(key)]), old, new))
    }
  }

  /// Octets for `Splice` to try to parse. Nil once the pass has parsed so much that parsing the
  /// whole text takes less time.
  mutating func guess(_ range: Range<Int>) -> ArraySlice<UInt8>? {
    guard parsedSize + range.count <= 4 * new.count else { return nil }
    parsedSize += range.count
    return new[range]
  }

  /// Whether a number or word ends here.
  func isEnd(_ place: Int) -> Bool {
    guard place < new.count else { return true }
    return JSONSkimmer.endsWord(new[place])
  }

  /// Whether the new text has the same octets at `place` as the old one in `range`.
  ///
  /// - Parameter isTail: whether these must also be the last octets of the new text.
  func isSame(_ range: Range<Int>, at place: Int, isTail: Bool = false) -> Bool {
    guard range.count <= new.count - place, !isTail || range.count == new.count - place else {
      return false
    }
    return old.withUnsafeBytes { old in
      new.withUnsafeBytes { new in
        Self.isSame(old, range.lowerBound, new, place, count: range.count)
      }
    }
  }

  /// Compares eight octets at a time. The caller checks the bounds.
  private static func isSame(
    _ first: UnsafeRawBufferPointer, _ start: Int, _ second: UnsafeRawBufferPointer, _ place: Int,
    count: Int
  ) -> Bool {
    var offset = 0
    while offset + 8 <= count {
      let word = first.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
      guard second.loadUnaligned(fromByteOffset: place + offset, as: UInt64.self) == word else {
        return false
      }
      offset += 8
    }
    while offset < count {
      guard first[start + offset] == second[place + offset] else { return false }
      offset += 1
    }
    return true
  }
}

/// A place in a value, with the old and the new value there.
package struct JSONReplacement: Hashable, Sendable {
  package let path: JSONPath
  /// Nil if the place did not exist before.
  package let old: JSON?
  /// Nil if the place no longer exists.
  package let new: JSON?

  package init(_ path: JSONPath, _ old: JSON?, _ new: JSON?) {
    (self.path, self.old, self.new) = (path, old, new)
  }
}
