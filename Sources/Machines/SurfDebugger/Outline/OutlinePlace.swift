import JSONTools

/// The part of a value that a line of an outline shows. Its path stays valid
/// when the value is replaced; `ElementPaths` follows an element that moves in a list.
package struct OutlinePlace: Hashable, Sendable {
  /// The part of the value that a line shows instead of the whole.
  enum Part: Hashable, Sendable {
    case run(OutlineRun)
    /// A line of a long text.
    case text(Int)
    case note(Note)
  }

  /// A line that shows no value.
  enum Note: Hashable, Sendable {
    /// The unchanged values of a list of changes.
    case unchanged
    /// Changes that got no line.
    case further
    /// The lines beyond `OutlineWalk.lineCountMax`.
    case rest
  }

  package var path: JSONPath
  /// Nil for the whole value.
  var part: Part?
  /// Whether the value is in the old state of two.
  var isOld = false

  package init(_ path: JSONPath = JSONPath()) { self.path = path }

  init(_ path: JSONPath, _ part: Part?, isOld: Bool = false) {
    (self.path, self.part, self.isOld) = (path, part, isOld)
  }

  package static let root = OutlinePlace()

  /// The path of the value; nil for a note.
  var valuePath: JSONPath? {
    if case .note = part { nil } else { path }
  }

  /// The enclosing value; nil for the root.
  var parent: OutlinePlace? {
    if part != nil { return OutlinePlace(path, nil, isOld: isOld) }
    guard !path.elements.isEmpty else { return nil }
    return OutlinePlace(JSONPath(path.elements.dropLast()), nil, isOld: isOld)
  }

  /// Whether this is `other` or inside it.
  func isIn(_ other: OutlinePlace) -> Bool {
    guard isOld == other.isOld, path.elements.starts(with: other.path.elements) else {
      return false
    }
    guard case .run(let outer) = other.part else { return true }
    if path == other.path {
      if case .run(let run) = part { return outer.range.contains(run.first) } else { return false }
    }
    if case .index(let index) = path.elements[other.path.elements.count] {
      return outer.range.contains(index)
    }
    // Members of an object have no index, so whether one is in the run is unknown here.
    return false
  }
}

/// A run of members of a long value. The last one may be shorter than its length, and grow.
struct OutlineRun: Hashable, Sendable {
  let first: Int
  let length: Int

  var range: Range<Int> { first..<first + length }

  /// Members in the shortest run. The length of longer runs is a power of this.
  static let lengthMin = 100

  /// The length of the runs that this many members are split into: at most `lengthMin` runs. 1 if
  /// they are not split.
  static func length(splitting count: Int) -> Int {
    var length = 1
    while length * lengthMin < count { length *= lengthMin }
    return length
  }
}
