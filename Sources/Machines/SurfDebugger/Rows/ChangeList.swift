import JSONTools
import JSONTree
import Redaction

/// The difference of two states for the Diff tab: each change, then the unchanged values, folded
/// and counted.
package struct ChangeList: Equatable, Sendable {
  /// All changes, shown or not.
  package let count: Int
  /// Whether there may be changes that the app redacts: marks are equal whatever they replace.
  package let mayHideChanges: Bool
  package private(set) var lines: [ChangeLine] = []
  /// The cursor's line; 0 also if there are no lines.
  package private(set) var index = 0
  package private(set) var showsUnchanged = false

  private let changed: [ChangeLine]
  /// The paths of the lines in `changed`, and below in `same`.
  private let changedPlaces: [JSONPath]
  private let samePlaces: [JSONPath]
  /// Top-level values in which nothing changed.
  private let same: [ChangeLine]
  private let sameCount: Int

  /// The most changes, and the most unchanged values, that get lines. A last line counts further
  /// changes.
  static let lineCountMax = 5_000

  /// Compares the whole values. Do not call it with large ones on the thread that draws.
  package init(from old: JSON, to new: JSON) {
    let changes = JSON.diff(old, new)
    count = changes.count
    mayHideChanges = new.hasMark
    let shown = changes.prefix(Self.lineCountMax)
    let more = changes.count - shown.count
    let lines = shown.map { (ChangeLine.lines($0), $0.path) }
    changed = lines.flatMap(\.0) + (more > 0 ? [.further(more)] : [])
    changedPlaces = lines.flatMap { lines, path in lines.map { _ in path } }
    let touched = Set(changes.compactMap(\.touched))
    (same, samePlaces, sameCount) = Self.same(
      in: new, without: touched, isAll: changes.isEmpty)
    lay()
  }

  /// Takes over the cursor's path and the fold of the unchanged values from `other`.
  package mutating func take(placesOf other: ChangeList) {
    showsUnchanged = other.showsUnchanged
    lay()
    let path = other.lines.indices.contains(other.index) ? other.lines[other.index].path : nil
    index = path.flatMap { path in lines.firstIndex { $0.path == path } } ?? 0
  }

  package mutating func move(by count: Int) {
    index = max(0, min(lines.count - 1, index.advanced(by: count.clamped)))
  }

  package mutating func toggleUnchanged() {
    showsUnchanged.toggle()
    lay()
  }

  /// The full path of the cursor's line; nil if the line has none.
  package var place: JSONPath? {
    if changedPlaces.indices.contains(index) { return changedPlaces[index] }
    let index = index - changed.count - 1
    return showsUnchanged && samePlaces.indices.contains(index) ? samePlaces[index] : nil
  }

  /// The changes as text, a line for each; two if its old or new value is a container.
  package var text: String {
    changed.compactMap { line in
      switch line {
      case .change(let kind, let path, let values): "\(kind.rawValue) \(path): \(values)\n"
      case .further(let count): "… \(count) more changes\n"
      case .unchanged, .same: nil
      }
    }.joined()
  }

  private mutating func lay() {
    lines = changed
    if sameCount > 0 {
      lines.append(.unchanged(sameCount, isOpen: showsUnchanged))
      if showsUnchanged { lines += same }
    }
    index = max(0, min(index, lines.count - 1))
  }

  private static func same(
    in value: JSON, without touched: Set<JSONPath.Element>, isAll: Bool
  ) -> ([ChangeLine], [JSONPath], Int) {
    var lines: [ChangeLine] = []
    var places: [JSONPath] = []
    var count = 0
    for index in 0..<value.memberCount {
      guard let (element, member) = value.member(index), isAll || !touched.contains(element) else {
        continue
      }
      count += 1
      guard lines.count < lineCountMax else { continue }
      let place = JSONPath([element])
      let label = place.description
      places.append(place)
      lines.append(.same(label: Excerpt.text(label), value: Excerpt.text(member)))
    }
    return (lines, places, count)
  }
}

extension Change {
  /// The top-level value of the new state that contains the change; nil if it was removed.
  fileprivate var touched: JSONPath.Element? {
    if case .removed(let path, _) = self, path.elements.count == 1 { return nil }
    return path.elements.first
  }
}

extension ChangeLine {
  /// One line, or two for a change from or to an array or an object.
  fileprivate static func lines(_ change: Change) -> [ChangeLine] {
    let path = Excerpt.text(change.path.description)
    switch change {
    case .added(_, let value): return [.change(.added, path: path, values: Excerpt.text(value))]
    case .removed(_, let value):
      return [.change(.removed, path: path, values: Excerpt.text(value))]
    case .changed(_, let old, let new) where old.isScalar && new.isScalar:
      let values = "\(Excerpt.text(old)) → \(Excerpt.text(new))"
      return [.change(.changed, path: path, values: values)]
    case .changed(_, let old, let new):
      return [
        .change(.removed, path: path, values: Excerpt.text(old)),
        .change(.added, path: path, values: Excerpt.text(new)),
      ]
    }
  }
}

/// A line of a `ChangeList`.
package enum ChangeLine: Equatable, Sendable {
  /// A change, with the beginning of its values.
  case change(DiffLine.Kind, path: String, values: String)
  /// This many changes are not shown.
  case further(Int)
  /// The header of the unchanged top-level values.
  case unchanged(Int, isOpen: Bool)
  /// An unchanged value.
  case same(label: String, value: String)

  /// Identifies the line when the states change; nil if it has no place.
  var path: String? {
    switch self {
    case .change(_, let path, _): path
    case .same(let label, _): label
    case .further, .unchanged: nil
    }
  }
}
