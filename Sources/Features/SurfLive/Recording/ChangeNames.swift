internal import JSONTree
internal import SurfBasics
internal import SurfWire

/// Names changes that the program made without an action, by the members that differ from the state
/// before. Redacted values are marks in both states, so they never differ.
struct ChangeNames: Sendable {
  /// The app's state before the next change; nil if it is unknown, or not JSON.
  private var state: JSON?
  /// Whether there has been a change, so that states are worth parsing.
  private var isUsed = false

  /// More names than these would hide the rest of a row.
  private static let nameCountMax = 3
  /// A row has room for this many levels.
  private static let depthMax = 3

  mutating func name(of change: Entry.Change, to content: Content?) -> String {
    isUsed = true
    let former = state
    note(content?.bytes)
    guard change == .after, let former, let state else { return change.rawValue }
    guard former != state else { return "changed nothing that is shown" }
    let (verb, paths) = Self.changedPaths(from: former, to: state, depth: 1)
    let more = paths.count - Self.nameCountMax
    let names = paths.prefix(Self.nameCountMax).map(Self.withoutDot).joined(separator: ", ")
    return names.isEmpty ? "changed" : "\(verb) \(names)\(more > 0 ? " and \(more) more" : "")"
  }

  /// Notes the state that the app is in now; nil if that is unknown. A state that a viewer brought
  /// is rare, so it is worth parsing even before the first change.
  mutating func note(_ octets: [UInt8]?, ofViewer: Bool = false) {
    state = isUsed || ofViewer ? octets.flatMap { JSON(ifValid: $0) } : nil
  }

  private static func withoutDot(_ path: String) -> Substring {
    path.first == "." ? path.dropFirst() : path[...]
  }

  /// The members that differ, with a dot before each key; of a single one, what differs below it,
  /// if that is little. Empty if one of the two is not an object. The verb says whether elements of
  /// a dictionary came or went.
  private static func changedPaths(
    from old: JSON, to new: JSON, depth: Int
  ) -> (verb: String, [String]) {
    guard let old = old.object, let new = new.object else { return ("changed", []) }
    let (places, newPlaces) = (old.indexes, new.indexes)
    let former = { (key: String) in places[key].map { old.members[$0].value } }
    let changed = new.members.filter { former($0.key) != $0.value }
    let removed = old.members.map(\.key).filter { newPlaces[$0] == nil }
    let keys = changed.map(\.key) + removed
    // Without ids, changes of the same kind have the same name, and `report` counts them together.
    let plain = keys.filter { !$0.isID }
    let names = plain.map { ".\($0)" } + (plain.count < keys.count ? [elided] : [])
    if keys.count == 1, depth < depthMax, let after = changed.first?.value,
      let before = former(keys[0])
    {
      let (verb, below) = changedPaths(from: before, to: after, depth: depth + 1)
      return (verb, 1...nameCountMax ~= below.count ? below.map { names[0] + $0 } : names)
    }
    guard plain.isEmpty else { return ("changed", names) }
    if changed.isEmpty { return ("removed", names) }
    let isAdded = removed.isEmpty && changed.allSatisfy { former($0.key) == nil }
    return (isAdded ? "added" : "changed", names)
  }

  private static let elided = "[…]"
}
