import JSONTools
import JSONTree

/// A value as a tree that a person opens branch by branch. What is folded costs nothing.
///
/// Which branches are open, and where the cursor is, is kept by path: the next state opens where
/// the last one did.
package struct Outline: Sendable {
  private var root: JSON
  private var opened: Set<OutlinePlace> = [.root]
  /// Of what is open, from top to bottom; the root is the first.
  package private(set) var lines: [OutlineLine] = []
  /// The line of the cursor.
  package private(set) var index = 0

  /// Values that `unfoldAll` opens at most.
  static let openedAtOnceMax = 1_000

  package init(_ root: JSON) {
    self.root = root
    walk()
  }

  package var cursor: OutlineLine { lines[index] }

  /// The value under the cursor, whole: that in which it is, for a run of members.
  package var value: JSON? { root[cursor.place.path.pointer] }

  /// Nil if it has no such place.
  package func value(at path: JSONPath) -> JSON? { root[path.pointer] }

  /// Shows another value, with the same branches open. A cursor whose place is gone goes to the
  /// nearest value around it.
  package mutating func replace(_ root: JSON) {
    let place = cursor.place
    self.root = root
    walk()
    goNear(place)
  }

  package mutating func move(by count: Int) {
    index = max(0, min(lines.count - 1, index.advanced(by: count.clamped)))
  }

  /// Opens what is folded; steps in where it is open.
  package mutating func open() {
    switch cursor.fold {
    case .leaf: break
    case .folded: set(cursor.place, isOpen: true)
    case .unfolded: move(by: 1)
    }
  }

  /// Folds what is open; else goes to the value around it.
  ///
  /// - Returns: false if there is nothing to fold, and nothing around it.
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

  package mutating func toggle() {
    if cursor.fold == .folded { open() } else if cursor.fold == .unfolded { close() }
  }

  /// Folds all but the root.
  package mutating func foldAll() {
    let place = cursor.place
    opened = [.root]
    walk()
    goNear(place)
  }

  /// Opens what is at the cursor and in it, level by level, until that is enough for a screen.
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

  /// Puts the cursor on a line; one that does not exist changes nothing.
  package mutating func select(line: Int) {
    if lines.indices.contains(line) { index = line }
  }

  private mutating func set(_ place: OutlinePlace, isOpen: Bool) {
    if isOpen { opened.insert(place) } else { opened.remove(place) }
    // What is below the cursor changes; the cursor's line does not.
    walk()
  }

  private mutating func walk() {
    lines = OutlineWalk(root, opened: opened).lines
    index = min(index, lines.count - 1)
  }

  /// Keys may be there twice: the line where the cursor was comes first.
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
  /// Whether this is `other`, or in it.
  func isIn(_ other: OutlinePlace) -> Bool {
    guard path.elements.starts(with: other.path.elements) else { return false }
    guard let outer = other.bucket else { return true }
    if path == other.path { return bucket.map { outer.contains($0.lowerBound) } ?? false }
    if case .index(let index) = path.elements[other.path.elements.count] {
      return outer.contains(index)
    }
    // The members of an object have no numbers: those of a run are opened one by one.
    return false
  }
}

extension Int {
  /// A step that no sum with an index can pass the ends of `Int`.
  var clamped: Int { Swift.max(-1 << 40, Swift.min(1 << 40, self)) }
}

/// What a line of an outline stands for. It keeps its meaning when the value is replaced.
package struct OutlinePlace: Hashable, Sendable {
  package var path: JSONPath
  /// A run of the members of the value at `path`; nil for the value itself.
  var bucket: Range<Int>?

  package init(_ path: JSONPath = JSONPath(), bucket: Range<Int>? = nil) {
    self.path = path
    self.bucket = bucket
  }

  package static let root = OutlinePlace()

  /// The value that this one is in; nil for the root.
  var parent: OutlinePlace? {
    if bucket != nil { return OutlinePlace(path) }
    return path.elements.isEmpty ? nil : OutlinePlace(JSONPath(path.elements.dropLast()))
  }
}
