import JSONTools
import JSONTree
import Redaction
import SurfViewer

/// The difference of two states for the Diff tab: each change, then the unchanged values, folded
/// and counted. Every value opens.
package struct ChangeList: Sendable {
  /// All changes, shown or not.
  package let count: Int
  /// Whether there may be changes that the app redacts: marks are equal whatever they replace.
  package let mayHideChanges: Bool
  package var outline: Outline

  /// The kind of each root of the outline that is a change; these come first.
  private let kinds: [DiffLine.Kind]
  /// How many top-level values did not change.
  private let sameCount: Int

  /// The most changes that get lines. A last line counts further changes.
  static let lineCountMax = 5_000

  /// Compares the whole values. Do not call it with large ones on the thread that draws.
  package init(from old: JSON, to new: JSON) {
    let changes = JSON.diff(old, new)
    count = changes.count
    mayHideChanges = new.hasMark
    let shown = changes.prefix(Self.lineCountMax).flatMap(\.sides)
    kinds = shown.map(\.kind)
    let same = Self.same(in: new, changes)
    sameCount = same.count
    var roots = shown.map(\.root)
    if changes.count > Self.lineCountMax { roots.append(.note(.further, OutlineMembers(.null))) }
    if !same.isEmpty { roots.append(.note(.unchanged, OutlineMembers(new, shown: same))) }
    outline = Outline(roots)
  }

  /// Takes over the cursor's path and the open branches from `other`. From the folded line at the
  /// end, the cursor goes to the top: that of a long list would be far from where a reader begins.
  package mutating func take(placesOf other: ChangeList) {
    let roots = outline.roots
    let wasAtNote = other.outline.cursor.map {
      $0.place.part == .note(.unchanged) && $0.fold == .folded
    }
    outline = other.outline
    outline.replace(roots)
    if wasAtNote == true { outline.move(by: -outline.index) }
  }

  package var lines: [ChangeLine] { outline.lines.map(line) }

  /// The list's line for a line of the outline.
  func line(_ line: OutlineLine) -> ChangeLine {
    switch line.place.part {
    case .note(.further): return .further(count - Self.lineCountMax)
    case .note(.unchanged): return .unchanged(sameCount, isOpen: line.fold == .unfolded)
    case .note(.rest), .run, .text, nil:
      let kind = kinds.indices.contains(line.root) ? kinds[line.root] : nil
      guard let kind, line.depth == 0 else {
        let side: DiffLine.Kind = line.place.isOld ? .removed : .added
        return .part(line, of: kind == .changed ? side : kind)
      }
      return .change(kind, path: line.label, values: line.text, fold: line.fold)
    }
  }

  /// The changes as text, a line for each; two if neither its old nor its new value fits into one.
  package var text: String {
    let lines = zip(kinds, outline.roots).map { kind, root in
      "\(kind.rawValue) \(root.label): \(root.framed(root.text ?? ""))\n"
    }
    let more = count - Self.lineCountMax
    return lines.joined() + (more > 0 ? "… \(countText(more, "more change"))\n" : "")
  }

  /// The positions of the top-level values without a change.
  private static func same(in value: JSON, _ changes: [Change]) -> [Int] {
    if changes.isEmpty { return Array(0..<value.memberCount) }
    let touched = Set(changes.compactMap(\.touched))
    return (0..<value.memberCount).filter { index in
      value.member(index).map { !touched.contains($0.0) } ?? false
    }
  }
}

extension Outline.Root {
  fileprivate static func note(_ note: OutlinePlace.Note, _ members: OutlineMembers) -> Self {
    Self(place: OutlinePlace(JSONPath(), .note(note)), members: members)
  }
}

extension Change {
  /// The top-level value of the new state that contains the change; nil if it was removed.
  fileprivate var touched: JSONPath.Element? {
    if case .removed(let path, _) = self, path.elements.count == 1 { return nil }
    return path.elements.first
  }

  /// One root, which opens to the value that does not fit into a line; two if neither value does.
  fileprivate var sides: [(kind: DiffLine.Kind, root: Outline.Root)] {
    switch self {
    case .added(_, let value): return [(.added, root(value))]
    case .removed(_, let value): return [(.removed, root(value, isOld: true))]
    case .moved(let move): return [(.moved, root(move.value, Excerpt.text(move.text)))]
    case .changed(_, let old, let new) where old.fitsLine && new.fitsLine:
      return [(.changed, root(new, "\(Excerpt.text(old)) → \(Excerpt.text(new))"))]
    case .changed(_, let old, let new):
      if old.fitsLine { return [(.changed, root(new, before: "\(Excerpt.text(old)) → "))] }
      if new.fitsLine {
        return [(.changed, root(old, isOld: true, after: " → \(Excerpt.text(new))"))]
      }
      return [
        (.changed, root(old, isOld: true, after: " →")), (.changed, root(new, before: "→ ")),
      ]
    }
  }

  private func root(
    _ value: JSON, _ text: String? = nil, isOld: Bool = false, before: String = "",
    after: String = ""
  ) -> Outline.Root {
    Outline.Root(
      place: OutlinePlace(path, nil, isOld: isOld), members: OutlineMembers(value),
      label: Excerpt.text(path.description), text: text ?? Excerpt.text(value),
      frame: (before, after))
  }
}

extension JSON {
  fileprivate var fitsLine: Bool {
    marked != nil || isScalar && string.map(TextLines.isLong) != true
  }
}

/// A line of a `ChangeList`.
package enum ChangeLine: Equatable, Sendable {
  /// A change, with the beginning of its values.
  case change(DiffLine.Kind, path: String, values: String, fold: OutlineLine.Fold = .leaf)
  /// This many changes are not shown.
  case further(Int)
  /// The header of the unchanged top-level values.
  case unchanged(Int, isOpen: Bool)
  /// A line inside of a change, or of the unchanged values.
  case part(OutlineLine, of: DiffLine.Kind?)
}
