import JSONTree

/// Parses a sequence of similar JSON texts for `RowWalk`. It compares the parts that stayed the
/// same, and parses only the others, so a small change in a large state costs little.
///
/// The result always equals that of `JSON(parsing:)`.
package struct JSONRereader: Sendable {
  private var bytes: [UInt8] = []
  private var root: JSONPart?
  /// Octets of white space before the root.
  private var lead = 0
  /// Octets parsed to read the last text.
  package private(set) var parsedSize = 0
  /// The root's scalars, since the first `foresee` after a `read`.
  private var changes: ScalarChanges?
  private let ignores: @Sendable (JSONPath) -> Bool

  /// - Parameter ignores: whether `foresee` may leave out replacements of the scalar at a path.
  ///   Must always give the same answer.
  package init(ignoring ignores: @escaping @Sendable (JSONPath) -> Bool = { _ in false }) {
    self.ignores = ignores
  }

  package enum Reading: Equatable, Sendable {
    /// The text is not JSON.
    case invalid
    /// - Parameters:
    ///   - isSame: whether the value equals the previous one.
    ///   - replaced: the places whose text differs. Nil if there was no previous value.
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

// Texts given as edits of the previous one.
extension JSONRereader {
  package typealias Edit = (old: Range<Int>, new: Range<Int>)

  /// With more edits, `read` is quicker, because each one is looked up, and may shift all scalars
  /// after it.
  private static let foreseenCountMax = 256

  /// What the next text replaces; nil if it does more than replace scalars by scalars. Changes
  /// nothing until `follow`.
  ///
  /// - Parameter edits: all differences from the previous text, in order.
  package mutating func foresee(_ text: [UInt8], _ edits: [Edit]) -> ForeseenChanges? {
    guard let root, edits.count <= Self.foreseenCountMax else { return nil }
    if changes == nil { changes = ScalarChanges(of: root, from: lead, ignoring: ignores) }
    return changes?.foresee(text, edits, in: root)
  }

  /// Makes the text that was just foreseen the current one. `value` is built only when read.
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

  /// The value of the current text; nil if it is not JSON.
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
