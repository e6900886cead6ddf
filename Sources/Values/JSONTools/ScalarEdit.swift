import JSONTree

/// A scalar that becomes another, while all around it stays.
struct ScalarEdit: Sendable {
  /// To it, by the numbers of children.
  let way: [Int]
  let part: JSONPart
  let replacement: JSONReplacement

  /// Takes the first of the edits, and those behind it that are of the same scalar. Nil if it is
  /// not of a scalar, or does not leave one.
  init?(
    taking edits: inout ArraySlice<JSONRereader.Edit>, in root: JSONPart, at lead: Int,
    _ text: [UInt8]
  ) {
    guard let first = edits.popFirst() else { return nil }
    var search = ScalarSearch(first.old)
    guard let found = search.find(in: root, at: lead) else { return nil }
    var last = first
    while let next = edits.first, next.old.upperBound <= found.end {
      last = next
      edits.removeFirst()
    }
    let start = found.start + first.new.lowerBound - first.old.lowerBound
    let end = found.end + last.new.upperBound - last.old.upperBound
    guard start < end, let json = Self.scalar(text[start..<end]) else { return nil }
    way = search.way
    part = JSONPart(json, size: end - start)
    replacement = JSONReplacement(search.path, found.part.json, json)
  }

  /// Nil if there is anything else in the text, if only a space.
  private static func scalar(_ text: ArraySlice<UInt8>) -> JSON? {
    guard let first = text.first, let last = text.last, !JSONSkimmer.isSpace(first),
      !JSONSkimmer.isSpace(last), let json = JSON(ifValid: Array(text)), json.isScalar
    else { return nil }
    return json
  }
}
