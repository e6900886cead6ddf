/// Maps names of values to elements. `a/b` lies below `a`, as in viewers (Protocol.md §10.10).
///
/// Each call takes one step per part of the name, however many names there are.
struct NameTree<Element: Sendable>: Sendable {
  private var element: Element?
  private var below: [Part: NameTree] = [:]
  /// The elements of the name itself and of all below it.
  private(set) var count = 0

  /// A call recurses once per part, on the app's thread, whose stack may be small.
  private static var partCountMax: Int { 64 }

  /// Whether a name has few enough parts for this tree.
  static func takes(_ name: String) -> Bool {
    name.utf8.count { $0 == UInt8(ascii: "/") } < partCountMax
  }

  /// Whether there is an element for this name, or for a name below it.
  func holds(_ name: String) -> Bool { holds(name.utf8[...]) }

  /// Changes, adds or removes the element of a name.
  mutating func update(_ name: String, _ change: (inout Element?) -> Void) {
    update(name.utf8[...], change)
  }

  /// Removes the elements of a name and of all names below it, and returns them.
  @discardableResult
  mutating func cut(_ name: String) -> NameTree { cut(name.utf8[...]) }

  /// All elements, unordered.
  var elements: [Element] {
    var all: [Element] = []
    all.reserveCapacity(count)
    collect(into: &all)
    return all
  }

  private func collect(into all: inout [Element]) {
    if let element { all.append(element) }
    for tree in below.values { tree.collect(into: &all) }
  }

  private func holds(_ name: Substring.UTF8View) -> Bool {
    let (part, rest) = Part.first(of: name)
    guard let tree = below[part] else { return false }
    return rest.map(tree.holds) ?? true
  }

  private mutating func update(
    _ name: Substring.UTF8View, _ change: (inout Element?) -> Void
  ) {
    let (part, rest) = Part.first(of: name)
    let added = below[part, default: NameTree()].change(rest, change)
    count += added
    if added <= 0, below[part]?.count == 0 { below[part] = nil }
  }

  /// Returns by how much `count` has grown.
  private mutating func change(
    _ name: Substring.UTF8View?, _ change: (inout Element?) -> Void
  ) -> Int {
    let before = count
    if let name { update(name, change) } else { self.change(change) }
    return count - before
  }

  private mutating func change(_ change: (inout Element?) -> Void) {
    count -= element == nil ? 0 : 1
    change(&element)
    count += element == nil ? 0 : 1
  }

  private mutating func cut(_ name: Substring.UTF8View) -> NameTree {
    let (part, rest) = Part.first(of: name)
    guard var tree = below.removeValue(forKey: part) else { return NameTree() }
    count -= tree.count
    guard let rest else { return tree }
    let taken = tree.cut(rest)
    count += tree.count
    if tree.count > 0 { below[part] = tree }
    return taken
  }

  /// A part of a name, compared by octets: `String` treats some different names as equal.
  private struct Part: Hashable {
    let text: Substring.UTF8View

    /// The part before the first `/`, and the rest after it; nil if the name has no `/`.
    static func first(of name: Substring.UTF8View) -> (Part, rest: Substring.UTF8View?) {
      guard let end = name.firstIndex(of: UInt8(ascii: "/")) else { return (Part(text: name), nil) }
      return (Part(text: name[..<end]), name[name.index(after: end)...])
    }

    static func == (left: Part, right: Part) -> Bool { left.text.elementsEqual(right.text) }

    func hash(into hasher: inout Hasher) {
      let isWhole: Void? = text.withContiguousStorageIfAvailable {
        hasher.combine(bytes: UnsafeRawBufferPointer($0))
      }
      guard isWhole == nil else { return }
      for octet in text { hasher.combine(octet) }
    }
  }
}
