import JSONTools
import JSONTree

/// JSON values as a tree that a person opens branch by branch, in the debugger's detail pane.
/// Folded branches cost nothing.
///
/// It keeps open branches and the cursor by path, so the next state opens like the last.
package struct Outline: Sendable {
  /// A value with a line of its own at the left edge.
  struct Root: Sendable {
    let place: OutlinePlace
    let members: OutlineMembers
    var label = ""
    /// The text while it is folded; nil for the beginning of the value.
    var text: String?
    /// Around the text: the other value of a change.
    var frame = (before: "", after: "")

    func framed(_ text: String) -> String { frame.before + text + frame.after }
  }

  private(set) var roots: [Root]
  private(set) var opened: Set<OutlinePlace>
  private(set) var runLengths: [OutlinePlace: Int] = [:]
  /// The visible lines.
  package private(set) var lines: [OutlineLine] = []
  /// The cursor's line; 0 also if there are no lines.
  package private(set) var index = 0

  /// The most values that one `unfoldAll` opens.
  static let openedAtOnceMax = 1_000

  /// A single value, opened.
  package init(_ root: JSON) {
    self.init([Root(place: .root, members: OutlineMembers(root))], opened: [.root])
  }

  init(_ roots: [Root], opened: Set<OutlinePlace> = []) {
    (self.roots, self.opened) = (roots, opened)
    walk()
  }

  /// Nil if there are no lines.
  package var cursor: OutlineLine? { lines.indices.contains(index) ? lines[index] : nil }

  /// The path of the value under the cursor; nil if the line shows none.
  package var path: JSONPath? { cursor?.place.valuePath }

  /// The whole value under the cursor; for a part of a value, that value.
  package var value: JSON? {
    guard let cursor, let path else { return nil }
    let root = roots[cursor.root]
    let inner = JSONPath(Array(path.elements.dropFirst(root.place.path.elements.count)))
    return root.members.value[inner.pointer]
  }

  /// Of the first root.
  package func value(at path: JSONPath) -> JSON? { roots.first?.members.value[path.pointer] }

  /// Shows another value with the same branches open. The cursor and the branches follow list
  /// elements that have a name. If the cursor's place is gone, the cursor moves to the nearest
  /// enclosing value.
  package mutating func replace(_ root: JSON) {
    let cursor = follow(to: root)
    replace([Root(place: .root, members: OutlineMembers(root))])
    guard let cursor, self.cursor?.place != cursor else { return }
    // Its element may have moved to a folded run of the list.
    opened.formUnion(branches(to: cursor.path, in: roots[0]).filter { $0 != cursor })
    walk()
    goNear(cursor)
  }

  /// Moves the open branches to where their elements are in the next value.
  ///
  /// - Returns: the cursor's place there, if it is another one.
  private mutating func follow(to next: JSON) -> OutlinePlace? {
    guard roots.count == 1, let root = roots.first, root.place == .root else { return nil }
    var paths = ElementPaths(from: root.members.value, to: next)
    let cursor = self.cursor.map { paths.moved($0.place) }
    var moves: [OutlinePlace: OutlinePlace] = [:]
    for place in opened.union(runLengths.keys) {
      let moved = paths.moved(place)
      if moved != place { moves[place] = moved }
    }
    if !moves.isEmpty {
      opened = Set(opened.map { moves[$0] ?? $0 })
      let lengths = runLengths.map { (moves[$0.key] ?? $0.key, $0.value) }
      runLengths = Dictionary(lengths) { one, _ in one }
    }
    return cursor == self.cursor?.place ? nil : cursor
  }

  mutating func replace(_ roots: [Root]) {
    let place = cursor?.place
    self.roots = roots
    walk()
    place.map { goNear($0) }
  }

  package mutating func move(by count: Int) {
    index = max(0, min(lines.count - 1, index.advanced(by: count.clamped)))
  }

  /// Unfolds the line, or steps into it if it is unfolded.
  package mutating func open() {
    switch cursor?.fold {
    case .leaf, nil: break
    case .folded: cursor.map { set($0.place, isOpen: true) }
    case .unfolded: move(by: 1)
    }
  }

  /// Folds the line, or moves to the enclosing value.
  ///
  /// - Returns: false if it can do neither.
  @discardableResult
  package mutating func close() -> Bool {
    guard let cursor else { return false }
    if cursor.fold == .unfolded {
      set(cursor.place, isOpen: false)
      return true
    }
    guard let around = lines[..<index].lastIndex(where: { $0.depth < cursor.depth }) else {
      return false
    }
    index = around
    return true
  }

  /// Folds all; a single root stays open.
  package mutating func foldAll() {
    let place = cursor?.place
    opened = roots.count == 1 && roots[0].place == .root ? [.root] : []
    walk()
    place.map { goNear($0) }
  }

  /// Opens the value at the cursor and those inside it, level by level, up to `openedAtOnceMax`.
  package mutating func unfoldAll() {
    guard let cursor else { return }
    var count = 0
    while count < Self.openedAtOnceMax {
      let inner = lines.filter { $0.root == cursor.root && $0.place.isIn(cursor.place) }
      let folded = inner.filter { $0.fold == .folded }.prefix(Self.openedAtOnceMax - count)
      if folded.isEmpty { break }
      opened.formUnion(folded.map(\.place))
      count += folded.count
      walk()
    }
    goNear(cursor.place)
  }

  /// Opens the branches around a value, and moves the cursor to the value or to a line of its text.
  /// If too much is open for its line, folds all else.
  mutating func reveal(_ path: JSONPath, textLine: Int? = nil, in root: Int) {
    guard roots.indices.contains(root) else { return }
    let branches = branches(to: path, in: roots[root])
    let part = textLine.map { OutlinePlace.Part.text($0) }
    let place = OutlinePlace(path, part, isOld: roots[root].place.isOld)
    opened.formUnion(branches)
    walk()
    goNear(place)
    guard cursor?.place != place else { return }
    opened = Set(branches)
    walk()
    goNear(place)
  }

  private func branches(to path: JSONPath, in root: Root) -> [OutlinePlace] {
    var branches: [OutlinePlace] = []
    var place = root.place
    var members = root.members
    for element in path.elements.dropFirst(place.path.elements.count) {
      guard let position = members.position(of: element), let (_, member) = members[position]
      else { break }
      branches.append(place)
      var length = OutlineRun.length(splitting: members.count)
      while length > 1 {
        let run = OutlineRun(first: position / length * length, length: length)
        branches.append(OutlinePlace(place.path, .run(run), isOld: place.isOld))
        length /= OutlineRun.lengthMin
      }
      place = OutlinePlace(
        JSONPath(place.path.elements + [element]), nil, isOld: place.isOld)
      members = OutlineMembers(member)
    }
    if members.longText != nil { branches.append(place) }
    return branches
  }

  private mutating func set(_ place: OutlinePlace, isOpen: Bool) {
    if isOpen { opened.insert(place) } else { opened.remove(place) }
    // Only lines below the cursor change.
    walk()
  }

  private mutating func walk() {
    let walk = OutlineWalk(self)
    (lines, opened, runLengths) = (walk.lines, walk.opened, walk.runLengths)
    index = max(0, min(index, lines.count - 1))
  }

  /// Moves the cursor to a place or the nearest one around it. An object may repeat a key, so the
  /// current line is tried first.
  private mutating func goNear(_ place: OutlinePlace) {
    var wanted: OutlinePlace? = place
    while let near = wanted {
      if cursor?.place == near { return }
      if let found = lines.firstIndex(where: { $0.place == near }) {
        index = found
        return
      }
      wanted = near.parent
    }
    index = 0
  }
}

extension Int {
  /// Bounded so that adding an index cannot overflow.
  var clamped: Int { Swift.max(-1 << 40, Swift.min(1 << 40, self)) }
}
