import JSONTree

/// Reads one JSON text after another, each much like the one before: what is the same is compared
/// and not parsed. So a large state of which little has changed costs little.
///
/// It always has the value that `JSON(parsing:)` makes of the whole text.
package struct JSONRereader: Sendable {
  private var bytes: [UInt8] = []
  private var root: JSONPart?
  /// Octets before the root.
  private var lead = 0

  package init() {}

  package enum Reading: Equatable, Sendable {
    /// The text is not JSON.
    case invalid
    /// - Parameter isSame: whether the value is equal to the one before.
    case value(JSON, isSame: Bool)
  }

  package mutating func read(_ text: [UInt8]) -> Reading {
    defer { bytes = text }
    guard let old = root else { return begin(text) }
    var pass = RereadingPass(old: bytes, new: text)
    guard pass.isSame(0..<lead, at: 0),
      let new = pass.reread(old, from: lead, at: lead, depth: 0),
      pass.isSame(lead + old.size..<bytes.count, at: lead + new.size, isTail: true)
    else { return begin(text) }
    root = new
    return .value(new.json, isSame: !pass.differs)
  }

  /// Parses the whole text.
  private mutating func begin(_ text: [UInt8]) -> Reading {
    let before = root?.json
    root = nil
    guard let json = JSON(ifValid: text) else { return .invalid }
    let skimmer = JSONSkimmer(text)
    lead = skimmer.spaceEnd(from: 0)
    root = skimmer.skim(at: lead, depth: 0).flatMap { JSONPart(json, $0) }
    return .value(json, isSame: json == before)
  }
}

/// A value and where its parts stand.
struct JSONPart: Sendable {
  let json: JSON
  /// Octets of its text.
  let size: Int
  /// Its members or elements, in order.
  var children: [Child] = []

  struct Child: Sendable {
    /// Octets between it and the one before, or the beginning.
    let lead: Int
    var part: JSONPart
  }

  /// Nil if they are not of the same value.
  init?(_ json: JSON, _ skim: JSONSkimmer.Skim) {
    (self.json, size) = (json, skim.size)
    let values: [JSON] =
      switch json {
      case .object(let object): object.members.map(\.value)
      case .array(let elements): elements
      case .null, .bool, .number, .string: []
      }
    guard values.count == skim.children.count else { return nil }
    children.reserveCapacity(values.count)
    for (value, child) in zip(values, skim.children) {
      guard let part = JSONPart(value, child.skim) else { return nil }
      children.append(Child(lead: child.lead, part: part))
    }
  }

  /// With other values for some children.
  init(_ old: JSONPart, size: Int, replacing parts: [(index: Int, part: JSONPart)]) {
    self.size = size
    children = old.children
    for (index, part) in parts { children[index].part = part }
    switch old.json {
    case .object(let object):
      var members = object.members
      for (index, part) in parts { members[index].value = part.json }
      json = .object(JSONObject(members))
    case .array(var elements):
      for (index, part) in parts { elements[index] = part.json }
      json = .array(elements)
    case .null, .bool, .number, .string: json = old.json
    }
  }

  /// Whether its text ends by itself, whatever comes next.
  var isClosed: Bool {
    switch json {
    case .string, .array, .object: true
    case .null, .bool, .number: false
    }
  }
}

/// Reads one text with the help of another.
private struct RereadingPass {
  private let old: [UInt8]
  private let new: [UInt8]
  /// Whether a value is not equal to the one in its place before.
  private(set) var differs = false

  init(old: [UInt8], new: [UInt8]) { (self.old, self.new) = (old, new) }

  /// The value that stands in the new text where the old one has a part; nil if there is none.
  mutating func reread(
    _ part: JSONPart, from oldPlace: Int, at place: Int, depth: Int
  ) -> JSONPart? {
    let text = oldPlace..<oldPlace + part.size
    if isSame(text, at: place), part.isClosed || isEnd(place + part.size) { return part }
    if !part.children.isEmpty,
      let new = compareChildren(of: part, from: oldPlace, at: place, depth: depth)
    {
      return new
    }
    return parse(at: place, depth: depth, insteadOf: part)
  }

  /// Nil if more than the values of children has changed.
  private mutating func compareChildren(
    of part: JSONPart, from oldStart: Int, at start: Int, depth: Int
  ) -> JSONPart? {
    var (oldPlace, place) = (oldStart, start)
    var replaced: [(index: Int, part: JSONPart)] = []
    for (index, child) in part.children.enumerated() {
      guard isSame(oldPlace..<oldPlace + child.lead, at: place) else { return nil }
      oldPlace += child.lead
      place += child.lead
      let text = oldPlace..<oldPlace + child.part.size
      if !isSame(text, at: place) || !(child.part.isClosed || isEnd(place + text.count)) {
        guard let new = reread(child.part, from: oldPlace, at: place, depth: depth + 1) else {
          return nil
        }
        replaced.append((index, new))
        place += new.size
      } else {
        place += text.count
      }
      oldPlace = text.upperBound
    }
    let tail = oldPlace..<oldStart + part.size
    guard isSame(tail, at: place) else { return nil }
    return JSONPart(part, size: place + tail.count - start, replacing: replaced)
  }

  private mutating func parse(
    at place: Int, depth: Int, insteadOf part: JSONPart
  ) -> JSONPart? {
    guard let skim = JSONSkimmer(new).skim(at: place, depth: depth),
      let json = JSON(ifValid: new[place..<place + skim.size])
    else { return nil }
    differs = differs || json != part.json
    return JSONPart(json, skim)
  }

  /// Whether a number or word ends here.
  private func isEnd(_ place: Int) -> Bool {
    guard place < new.count else { return true }
    return JSONSkimmer.endsWord(new[place])
  }

  /// Whether octets of the old text stand in the new one.
  ///
  /// - Parameter isTail: and are its last ones.
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

  /// Eight octets at a time.
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
