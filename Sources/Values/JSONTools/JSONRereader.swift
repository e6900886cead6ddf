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
  /// Octets that were parsed to read the last text.
  package private(set) var parsedSize = 0
  /// Of the root, once something was foreseen.
  private var changes: ScalarChanges?
  private let ignores: @Sendable (JSONPath) -> Bool

  /// - Parameter ignores: whether nobody asks when a scalar at a place becomes another. Its answer
  ///   is the same each time.
  package init(ignoring ignores: @escaping @Sendable (JSONPath) -> Bool = { _ in false }) {
    self.ignores = ignores
  }

  package enum Reading: Equatable, Sendable {
    /// The text is not JSON.
    case invalid
    /// - Parameters:
    ///   - isSame: whether the value is equal to the one before.
    ///   - replaced: where the text is another. All else is as it was. Nil if there was no value.
    case value(JSON, isSame: Bool, replaced: [JSONReplacement]?)
  }

  package mutating func read(_ text: [UInt8]) -> Reading {
    defer { bytes = text }
    parsedSize = 0
    freshen()
    changes = nil
    guard let old = root else { return begin(text) }
    var pass = RereadingPass(old: bytes, new: text)
    defer { parsedSize += pass.parsedSize }
    guard pass.isSame(0..<lead, at: 0),
      let new = pass.reread(old, from: lead, at: lead, depth: 0),
      pass.isSame(lead + old.size..<bytes.count, at: lead + new.size, isTail: true)
    else { return begin(text) }
    root = new
    return .value(new.json, isSame: !pass.differs, replaced: pass.replaced)
  }

  /// Parses the whole text.
  private mutating func begin(_ text: [UInt8]) -> Reading {
    let before = root?.json
    root = nil
    parsedSize += text.count
    guard let json = JSON(ifValid: text) else { return .invalid }
    let skimmer = JSONSkimmer(text)
    lead = skimmer.spaceEnd(from: 0)
    root = skimmer.skim(at: lead, depth: 0).flatMap { JSONPart(json, $0) }
    let replacement = before.map { JSONReplacement(JSONPath(), $0, json) }
    return .value(json, isSame: json == before, replaced: replacement.map { [$0] })
  }
}

// Texts of which it is known where they differ from the one before.
extension JSONRereader {
  package typealias Edit = (old: Range<Int>, new: Range<Int>)

  /// Scalars are found one by one, and the octets behind each may move: of many, reading is
  /// quicker.
  private static let foreseenCountMax = 256

  /// What another text would replace, if that is nothing but scalars by scalars; otherwise nil.
  ///
  /// - Parameter edits: in order, all in which it differs from the text before.
  package mutating func foresee(_ text: [UInt8], _ edits: [Edit]) -> ForeseenChanges? {
    guard let root, edits.count <= Self.foreseenCountMax else { return nil }
    if changes == nil { changes = ScalarChanges(of: root, from: lead, ignoring: ignores) }
    return changes?.foresee(text, edits, in: root)
  }

  /// Takes what was foreseen for true. The value is not made before it is wanted.
  package mutating func follow(_ text: [UInt8], _ edits: [Edit]) {
    for (old, new) in edits {
      if old.count == new.count {
        for place in new { bytes[place] = text[place] }
      } else {
        bytes.replaceSubrange(new.lowerBound..<new.lowerBound + old.count, with: text[new])
      }
    }
    changes?.follow()
  }

  /// The value of the last text; nil if it has none.
  package var value: JSON? {
    mutating get {
      freshen()
      return root?.json
    }
  }

  private mutating func freshen() {
    guard var whole = root.take() else { return }
    changes?.make(&whole, of: bytes)
    root = whole
  }
}
