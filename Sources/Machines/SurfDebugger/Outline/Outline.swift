import JSONTools
import JSONTree

/// A JSON value as a tree that a person opens branch by branch, in the debugger's detail pane.
/// Folded branches cost nothing.
///
/// It keeps open branches and the cursor by path, so the next state opens like the last.
package struct Outline: Sendable {
  private var root: JSON
  private var opened: Set<OutlinePlace> = [.root]
  /// The visible lines; the root is the first.
  package private(set) var lines: [OutlineLine] = []
  package private(set) var index = 0

  /// The most values that one `unfoldAll` opens.
  static let openedAtOnceMax = 1_000

  package init(_ root: JSON) {
    self.root = root
    walk()
  }

  package var cursor: OutlineLine { lines[index] }

  /// The whole value under the cursor; for a run of members, the value that contains them.
  package var value: JSON? { root[cursor.place.path.pointer] }

  package func value(at path: JSONPath) -> JSON? { root[path.pointer] }

  /// Shows another value with the same branches open. If the cursor's place is gone, the cursor
  /// moves to the nearest enclosing value.
  package mutating func replace(_ root: JSON) {
    let place = cursor.place
    self.root = root
    walk()
    goNear(place)
  }

  package mutating func move(by count: Int) {
    index = max(0, min(lines.count - 1, index.advanced(by: count.clamped)))
  }

  /// Unfolds the line, or steps into it if it is unfolded.
  package mutating func open() {
    switch cursor.fold {
    case .leaf: break
    case .folded: set(cursor.place, isOpen: true)
    case .unfolded: move(by: 1)
    }
  }

  /// Folds the line, or moves to the enclosing value.
  ///
  /// - Returns: false if it can do neither.
  @discardableResult
  package mutating func close() -> Bool {
    if cursor.fold == .unfolded {
      set(cursor.place, isOpen: false)
      return true
    }
    let depth = cursor.depth
    guard let around = lines[..<index].lastIndex(where: { $0.depth < depth }) else { return false }
    index = around
    return true
  }

  /// Folds all but the root.
  package mutating func foldAll() {
    let place = cursor.place
    opened = [.root]
    walk()
    goNear(place)
  }

  /// Opens the value at the cursor and those inside it, level by level, up to `openedAtOnceMax`.
  package mutating func unfoldAll() {
    let place = cursor.place
    var count = 0
    while count < Self.openedAtOnceMax {
      let folded = lines.filter { $0.fold == .folded && $0.place.isIn(place) }
        .prefix(Self.openedAtOnceMax - count)
      if folded.isEmpty { break }
      opened.formUnion(folded.map(\.place))
      count += folded.count
      walk()
    }
    goNear(place)
  }

  private mutating func set(_ place: OutlinePlace, isOpen: Bool) {
    if isOpen { opened.insert(place) } else { opened.remove(place) }
    // Only lines below the cursor change.
    walk()
  }

  private mutating func walk() {
    lines = OutlineWalk(root, opened: opened).lines
    index = min(index, lines.count - 1)
  }

  /// Moves the cursor to a place or the nearest one around it. An object may repeat a key, so the
  /// current line is tried first.
  private mutating func goNear(_ place: OutlinePlace) {
    var wanted: OutlinePlace? = place
    while let near = wanted {
      if lines[index].place == near { return }
      if let found = lines.firstIndex(where: { $0.place == near }) {
        index = found
        return
      }
      wanted = near.parent
    }
  }
}

extension OutlinePlace {
  /// Whether this is `other` or inside it.
  func isIn(_ other: OutlinePlace) -> Bool {
    guard path.elements.starts(with: other.path.elements) else { return false }
    guard let outer = other.bucket else { return true }
    if path == other.path { return bucket.map { outer.contains($0.lowerBound) } ?? false }
    if case .index(let index) = path.elements[other.path.elements.count] {
      return outer.contains(index)
    }
    // Members of an object have no index, so this cannot tell whether one is in the run.
    return false
  }
}

extension Int {
  /// Bounded so that adding an index cannot overflow.
  var clamped: Int { Swift.max(-1 << 40, Swift.min(1 << 40, self)) }
}

/// What a line of an outline shows. It stays valid when the value is replaced.
package struct OutlinePlace: Hashable, Sendable {
  package var path: JSONPath
  /// A run of members of the value at `path`; nil for the value itself.
  var bucket: Range<Int>?

  package init(_ path: JSONPath = JSONPath(), bucket: Range<Int>? = nil) {
    self.path = path
    self.bucket = bucket
  }

  package static let root = OutlinePlace()

  /// The enclosing value; nil for the root.
  var parent: OutlinePlace? {
    if bucket != nil { return OutlinePlace(path) }
    return path.elements.isEmpty ? nil : OutlinePlace(JSONPath(path.elements.dropLast()))
  }
}
