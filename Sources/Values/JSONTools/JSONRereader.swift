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
    /// - Parameters:
    ///   - isSame: whether the value is equal to the one before.
    ///   - replaced: where the text is another. All else is as it was. Nil if there was no value.
    case value(JSON, isSame: Bool, replaced: [JSONReplacement]?)
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
    return .value(new.json, isSame: !pass.differs, replaced: pass.replaced)
  }

  /// Parses the whole text.
  private mutating func begin(_ text: [UInt8]) -> Reading {
    let before = root?.json
    root = nil
    guard let json = JSON(ifValid: text) else { return .invalid }
    let skimmer = JSONSkimmer(text)
    lead = skimmer.spaceEnd(from: 0)
    root = skimmer.skim(at: lead, depth: 0).flatMap { JSONPart(json, $0) }
    let replacement = before.map { JSONReplacement(JSONPath(), $0, json) }
    return .value(json, isSame: json == before, replaced: replacement.map { [$0] })
  }
}
