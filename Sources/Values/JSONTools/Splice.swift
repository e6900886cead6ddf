import JSONTree

/// A value of which some neighbouring children came, went or became others: those before and behind
/// them are kept, and only the ones between are parsed.
struct Splice {
  let part: JSONPart
  /// How many children are kept in front, and at the end.
  private let headCount: Int
  private let tailCount: Int

  /// Nil if it is not so, or nothing could be kept.
  init?(
    _ old: JSONPart, from oldStart: Int, at start: Int, depth: Int,
    in pass: inout RereadingPass
  ) {
    // Taken for true if nothing behind the value has another size. All octets are compared or
    // parsed, so if it is false, nothing fits.
    let end = pass.new.count - (pass.old.count - oldStart - old.size)
    guard !old.children.isEmpty, start + 1 < end, end <= pass.new.count,
      pass.new[start] == pass.old[oldStart]
    else { return nil }
    let head = Self.head(of: old, from: oldStart, at: start, before: end, pass)
    guard
      let tail = Self.tail(
        of: old, endingAt: oldStart + old.size, at: end, behind: head.place,
        countMax: old.children.count - max(head.count, 1), pass),
      head.count + tail.count > 0, let text = pass.guess(head.place..<tail.place),
      var middle = Middle(
        text, brackets: (pass.new[start], pass.new[end - 1]), isFirst: head.count == 0,
        depth: depth)
    else { return nil }
    // A comma would stand behind the bracket.
    guard head.count > 0 || !middle.part.children.isEmpty else { return nil }
    (headCount, tailCount) = (head.count, tail.count)
    var kept = old.children.suffix(tail.count)
    if !kept.isEmpty { kept[kept.startIndex].lead += middle.space }
    if !middle.part.children.isEmpty { middle.part.children[0].lead += middle.lead }
    part = JSONPart(
      old.json.replacing(from: head.count, before: tail.count, with: middle.part.json),
      size: end - start,
      children: old.children.prefix(head.count) + middle.part.children + kept)
  }

  /// The children that stand in front in both texts, and where they end.
  private static func head(
    of old: JSONPart, from oldStart: Int, at start: Int, before end: Int, _ pass: RereadingPass
  ) -> (count: Int, place: Int) {
    var (oldPlace, place, count) = (oldStart, start, 0)
    for child in old.children {
      let text = oldPlace..<oldPlace + child.size
      guard place + child.size < end, pass.isSame(text, at: place),
        child.part.isClosed || pass.isEnd(place + child.size)
      else { break }
      (oldPlace, place, count) = (text.upperBound, place + child.size, count + 1)
    }
    return (count, place)
  }

  /// The children that stand at the end in both texts, and where they begin.
  private static func tail(
    of old: JSONPart, endingAt oldEnd: Int, at end: Int, behind limit: Int, countMax: Int,
    _ pass: RereadingPass
  ) -> (count: Int, place: Int)? {
    var (oldPlace, place, count) = (oldEnd - old.tailSize, end - old.tailSize, 0)
    guard place >= limit, pass.isSame(oldPlace..<oldEnd, at: place) else { return nil }
    for child in old.children.suffix(countMax).reversed() {
      let text = oldPlace - child.size..<oldPlace
      guard place - child.size >= limit, pass.isSame(text, at: place - child.size) else { break }
      (oldPlace, place, count) = (text.lowerBound, place - child.size, count + 1)
    }
    return (count, place)
  }

  /// The members that are not kept, as they were and as they are. Nil if it is not an object, or
  /// one that has a name twice.
  func replacedMembers(of old: JSONPart) -> [(key: String, old: JSON?, new: JSON?)]? {
    guard let oldObject = old.json.object, let newObject = part.json.object,
      oldObject.indexes.count == oldObject.members.count,
      newObject.indexes.count == newObject.members.count
    else { return nil }
    let went = JSONObject(between(oldObject.members))
    let came = JSONObject(between(newObject.members))
    return went.members.map { ($0.key, $0.value, came[$0.key]) }
      + came.members.filter { went[$0.key] == nil }.map { ($0.key, nil, $0.value) }
  }
}

// Whether a text that is another says another thing.
extension Splice {
  func differs(from old: JSONPart) -> Bool {
    guard let elements = old.json.array, let others = part.json.array else {
      return old.json != part.json
    }
    return between(elements) != between(others)
  }

  /// Those that are not kept.
  private func between<Child>(_ children: [Child]) -> [Child] {
    Array(children.dropFirst(headCount).dropLast(tailCount))
  }
}

/// The children between those that are kept.
private struct Middle {
  /// They alone, in brackets.
  var part: JSONPart
  /// Octets before the comma of the first one.
  private(set) var lead = 0
  /// Octets behind the last one.
  private(set) var space = 0

  /// - Parameters:
  ///   - brackets: of the whole value.
  ///   - isFirst: whether the text begins with the bracket. Otherwise it begins behind a child.
  init?(
    _ text: ArraySlice<UInt8>, brackets: (open: UInt8, close: UInt8), isFirst: Bool, depth: Int
  ) {
    var text = Array(text)
    var isEmpty = false
    if !isFirst {
      lead = JSONSkimmer(text).spaceEnd(from: 0)
      isEmpty = lead == text.count
      guard isEmpty || text[lead] == ASCII.comma else { return nil }
      text.replaceSubrange(0..<min(lead + 1, text.count), with: [brackets.open])
    }
    text.append(brackets.close)
    guard let json = JSON(ifValid: text),
      let skim = JSONSkimmer(text).skim(at: 0, depth: depth), let part = JSONPart(json, skim),
      // Behind a comma there must be a child.
      isFirst || isEmpty == part.children.isEmpty
    else { return nil }
    self.part = part
    space = isEmpty ? lead : part.tailSize - 1
    if isEmpty { lead = 0 }
  }
}

extension JSON {
  /// With other children between the first and last ones.
  fileprivate func replacing(from headCount: Int, before tailCount: Int, with middle: JSON) -> JSON
  {
    switch (self, middle) {
    case (.object(let object), .object(let other)):
      let members = object.members
      return .object(
        JSONObject(members.prefix(headCount) + other.members + members.suffix(tailCount)))
    case (.array(let elements), .array(let others)):
      return .array(elements.prefix(headCount) + others + elements.suffix(tailCount))
    default: return self
    }
  }
}
