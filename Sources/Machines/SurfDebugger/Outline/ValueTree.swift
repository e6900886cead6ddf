import JSONTree
import SurfTimeline
import SurfViewer
import SurfWire

/// An app's live values as a tree for the debugger's `values` page, with a branch for each scope.
/// Branches stay open as values change.
package struct ValueTree: Sendable {
  /// Nil until there is a value.
  package private(set) var outline: Outline?
  /// All values, and those that pass the filter.
  package private(set) var count = 0
  private(set) var shownCount = 0
  /// Shows only values whose name, or beginning as text, contains this, in any case.
  package var filter = "" {
    didSet { if filter != oldValue { isStale = true } }
  }
  private var read: [ValueName: Entry] = [:]
  private var isStale = false

  private struct Entry: Sendable {
    let record: SequenceNumber
    let value: JSON
  }

  private typealias Leaf = (path: ArraySlice<Substring>, value: JSON)

  /// Larger values are not parsed, because that happens on the thread that draws.
  static let sizeMax = 256 << 10
  /// Nested scopes. Deeper names are not split.
  static let depthMax = 32

  package init() {}

  /// Updates the tree; parses only values that have changed.
  package mutating func take(_ values: KnownValues) {
    let records = values.records
    var now: [ValueName: Entry] = [:]
    now.reserveCapacity(records.count)
    for record in records {
      let name = ValueName(record.name)
      if let known = read[name], known.record == record.sequence {
        now[name] = known
      } else {
        now[name] = Entry(record: record.sequence, value: Self.value(of: record))
        isStale = true
      }
    }
    isStale = isStale || now.count != read.count
    read = now
    guard isStale else { return }
    isStale = false
    lay(records.map { (name: $0.name, value: now[ValueName($0.name)]?.value ?? .null) })
  }

  package mutating func change(_ change: (inout Outline) -> Void) {
    guard var outline else { return }
    self.outline = nil
    change(&outline)
    self.outline = outline
  }

  private mutating func lay(_ values: [(name: String, value: JSON)]) {
    let wanted = filter.lowercased()
    let shown = values.filter { name, value in
      wanted.isEmpty || name.lowercased().contains(wanted)
        || Excerpt.text(value).lowercased().contains(wanted)
    }
    (count, shownCount) = (values.count, shown.count)
    let leaves = shown.map { name, value in
      (path: name.split(separator: "/", omittingEmptySubsequences: false)[...], value: value)
    }
    let tree = Self.branch(leaves[...], 1)
    if outline == nil { outline = Outline(tree) } else { change { $0.replace(tree) } }
  }

  /// The slash stays in a scope's key, because a value may have the same name. Names are sorted, so
  /// those of a scope are adjacent.
  private static func branch(_ values: ArraySlice<Leaf>, _ depth: Int) -> JSON {
    var members: [JSONObject.Member] = []
    var rest = values
    while let first = rest.first {
      let name = first.path.first ?? ""
      guard first.path.count > 1, depth < depthMax else {
        members.append(.init(key: first.path.joined(separator: "/"), value: first.value))
        rest.removeFirst()
        continue
      }
      let scope = rest.prefix { $0.path.count > 1 && $0.path.first == name }
      let inner = scope.map { (path: $0.path.dropFirst(), value: $0.value) }
      members.append(.init(key: "\(name)/", value: branch(inner[...], depth + 1)))
      rest = rest.dropFirst(scope.count)
    }
    return .object(JSONObject(members))
  }

  private static func value(of record: Record) -> JSON {
    guard let payload = record.payload else { return .null }
    guard payload.bytes.count <= sizeMax else {
      return .string("\(byteText(payload.bytes.count)): too large to be opened here")
    }
    return payload.tree
  }
}
