import JSONTree

/// The scalars of a text that edits replace by others, for `JSONRereader`. The values around them
/// are rebuilt only on demand. Ignored scalars are not parsed before then either.
struct ScalarChanges: Sendable {
  private var table: ScalarTable
  /// For each scalar its index in `met`, or -1.
  private var slots: [Int32]
  private var met: [MetScalar] = []
  private var foreseen: [Foreseen] = []
  /// Whether nobody needs the scalar at a path.
  private let ignores: @Sendable (JSONPath) -> Bool

  private struct MetScalar: Sendable {
    let number: Int
    let way: [Int]
    let path: JSONPath
    let isIgnored: Bool
    /// Nil if it has not been parsed.
    var json: JSON?
    /// Whether the values around it do not have it yet.
    var isStale = false
  }

  /// A scalar's replacement, until `follow` accepts it.
  private struct Foreseen: Sendable {
    let slot: Int
    let growth: Int
    let json: JSON?
  }

  /// - Parameter start: the value's offset in its text.
  init?(
    of whole: JSONPart, from start: Int, ignoring ignores: @escaping @Sendable (JSONPath) -> Bool
  ) {
    guard let table = ScalarTable(whole, from: start) else { return nil }
    (self.table, self.ignores) = (table, ignores)
    slots = Array(repeating: -1, count: table.count)
  }

  /// What the edits replace; nil unless they only replace scalars by scalars.
  mutating func foresee(
    _ text: [UInt8], _ edits: [JSONRereader.Edit], in whole: JSONPart
  ) -> ForeseenChanges? {
    foreseen.removeAll(keepingCapacity: true)
    guard text.count <= ScalarTable.sizeMax else { return nil }
    var changes = ForeseenChanges()
    var rest = edits[...]
    while let first = rest.popFirst() {
      guard let number = table.scalar(holding: first.old) else { return nil }
      let old = table[number]
      var last = first
      while let next = rest.first, next.old.upperBound <= old.upperBound {
        last = next
        rest.removeFirst()
      }
      let start = old.lowerBound + first.new.lowerBound - first.old.lowerBound
      let end = old.upperBound + last.new.upperBound - last.old.upperBound
      guard start < end else { return nil }
      let slot = slot(of: number, in: whole)
      guard foresee(text[start..<end], at: slot, &changes) else { return nil }
    }
    return changes
  }

  /// False if the text is not a scalar.
  private mutating func foresee(
    _ text: ArraySlice<UInt8>, at slot: Int, _ changes: inout ForeseenChanges
  ) -> Bool {
    let scalar = met[slot]
    let growth = text.count - table[scalar.number].count
    if scalar.isIgnored {
      guard ScalarText.isValid(text) else { return false }
      changes.isComplete = false
      foreseen.append(Foreseen(slot: slot, growth: growth, json: nil))
    } else {
      guard let json = ScalarText.value(of: text) else { return false }
      changes.replaced.append(JSONReplacement(scalar.path, scalar.json, json))
      foreseen.append(Foreseen(slot: slot, growth: growth, json: json))
    }
    return true
  }

  private mutating func slot(of number: Int, in whole: JSONPart) -> Int {
    if slots[number] >= 0 { return Int(slots[number]) }
    let way = table.way(to: number)
    let (path, json) = whole.walk(way)
    slots[number] = Int32(met.count)
    met.append(
      MetScalar(number: number, way: way, path: path, isIgnored: ignores(path), json: json))
    return met.count - 1
  }

  /// Accepts what was foreseen.
  mutating func follow() {
    for change in foreseen {
      table.grow(met[change.slot].number, by: change.growth)
      met[change.slot].json = change.json
      met[change.slot].isStale = true
    }
    foreseen.removeAll(keepingCapacity: true)
  }

  /// Puts the accepted scalars into the value.
  mutating func make(_ whole: inout JSONPart, of text: [UInt8]) {
    for slot in met.indices where met[slot].isStale {
      let range = table[met[slot].number]
      let json = met[slot].json ?? ScalarText.value(of: text[range])
      guard let json else { preconditionFailure("only what is valid is followed") }
      whole.replace(met[slot].way[...], with: JSONPart(json, size: range.count))
      met[slot].json = json
      met[slot].isStale = false
    }
    whole.freshen()
  }
}

/// The parts of a state's text that its row's edits replace, for `RowWalk`.
package struct ForeseenChanges: Sendable {
  package fileprivate(set) var replaced: [JSONReplacement] = []
  /// False if ignored scalars may have changed, too.
  package fileprivate(set) var isComplete = true
}

extension JSONPart {
  /// The path and the value at the end of a way.
  fileprivate func walk(_ way: [Int]) -> (path: JSONPath, json: JSON) {
    var path = JSONPath()
    path.elements.reserveCapacity(way.count)
    var part = self
    for index in way {
      path.elements.append(part.element(index))
      part = part.children[index].part
    }
    return (path, part.json)
  }
}

/// Reads octets that may be exactly one scalar.
enum ScalarText {
  /// Nil if there is anything else, even white space.
  static func value(of text: ArraySlice<UInt8>) -> JSON? {
    guard let first = text.first, let last = text.last, !JSONSkimmer.isSpace(first),
      !JSONSkimmer.isSpace(last), let json = JSON(ifValid: Array(text)), json.isScalar
    else { return nil }
    return json
  }

  static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    isPlain(text) || value(of: text) != nil
  }

  /// Recognizes the most common scalars without a parser: digits, and ASCII strings without
  /// escapes. False means unknown.
  private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    if first == ASCII.quote {
      return text.count > 1 && text.last == ASCII.quote
        && text.dropFirst().dropLast().allSatisfy {
          (ASCII.space..<0x7F).contains($0) && $0 != ASCII.quote && $0 != ASCII.backslash
        }
    }
    return (first != ASCII.zero || text.count == 1)
      && text.allSatisfy { ASCII.zero...ASCII.nine ~= $0 }
  }
}
