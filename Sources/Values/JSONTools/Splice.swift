import JSONTree

/// A value with one run of neighbouring children inserted, removed or replaced. It keeps the
/// children on both sides, and parses only the run. `RereadingPass` tries it before it parses the
/// whole value.
struct Splice {
  let part: JSONPart
  /// The numbers of children kept at the beginning and at the end.
  private let headCount: Int
  private let tailCount: Int

  /// Nil if the value did not change in this way, or if no child could be kept.
  init?(
    _ old: JSONPart, from oldStart: Int, at start: Int, depth: Int,
    in pass: inout RereadingPass
  ) {
    // Assumes that nothing after the value has changed its size. All octets are compared or parsed,
    // so with a wrong guess nothing fits.
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
    // Otherwise a comma would follow the opening bracket.
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

  /// The number of children that both texts begin with, and where they end.
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

  /// The number of children that both texts end with, and where they begin.
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

  /// The members outside the kept ones, old and new. Nil unless both values are objects without
  /// repeated keys.
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

// Whether the value differs, and not only its text.
extension Splice {
  func differs(from old: JSONPart) -> Bool {
    guard let elements = old.json.array, let others = part.json.array else {
      return old.json != part.json
    }
    return between(elements) != between(others)
  }

  /// The children outside the kept ones.
  private func between<Child>(_ children: [Child]) -> [Child] {
    Array(children.dropFirst(headCount).dropLast(tailCount))
  }
}

/// The run of children between the kept ones.
private struct Middle {
  /// The run alone, in brackets.
  var part: JSONPart
  /// Octets before the run's first comma.
  private(set) var lead = 0
  /// Octets after the last child.
  private(set) var space = 0

  /// - Parameters:
  ///   - brackets: the brackets of the whole value.
  ///   - isFirst: whether the text begins with the bracket, and not after a child.
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
      // A child must follow a comma.
      isFirst || isEmpty == part.children.isEmpty
    else { return nil }
    self.part = part
    space = isEmpty ? lead : part.tailSize - 1
    if isEmpty { lead = 0 }
  }
}

extension JSON {
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
