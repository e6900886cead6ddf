import JSONTools
import JSONTree
import Redaction
import SurfViewer

/// Builds the lines of an `Outline`. Visits open branches only.
struct OutlineWalk {
  /// More lines than a person can scroll through. A last line says that lines are missing.
  static let lineCountMax = 20_000

  private(set) var opened: Set<OutlinePlace>
  /// The length of the runs of each open value.
  private(set) var runLengths: [OutlinePlace: Int]
  private(set) var lines: [OutlineLine] = []
  private var root = 0
  private var isCut = false

  init(_ outline: Outline) {
    (opened, runLengths) = (outline.opened, outline.runLengths)
    for (index, root) in outline.roots.enumerated() {
      self.root = index
      add(
        root.members, root.place, label: root.label, text: root.text, depth: 0, root.framed)
    }
    guard isCut else { return }
    lines.append(
      OutlineLine(
        place: OutlinePlace(JSONPath(), .note(.rest)), root: root, depth: 0, label: "",
        fold: .leaf,
        text: "… more than \(Self.lineCountMax) lines are open: the rest is not listed"))
  }

  private mutating func add(
    _ members: OutlineMembers, _ place: OutlinePlace, label: String, text: String?, depth: Int,
    _ framed: (String) -> String = { $0 }
  ) {
    let fold = fold(place, canOpen: members.count > 0 || members.longText != nil)
    let shown = fold == .unfolded ? members.sizeText : text ?? Excerpt.text(members.value)
    guard add(place, label: label, fold: fold, text: framed(shown), depth: depth) else { return }
    guard fold == .unfolded else { return }
    if let text = members.longText { return add(text, place, depth: depth + 1) }
    let length = OutlineRun.length(splitting: members.count)
    keepOpen(place, length: length)
    add(0..<members.count, length: length, of: members, in: place, depth: depth + 1)
  }

  /// - Parameter length: that of the runs that the range is split into.
  private mutating func add(
    _ range: Range<Int>, length: Int, of members: OutlineMembers, in place: OutlinePlace,
    depth: Int
  ) {
    for first in stride(from: range.lowerBound, to: range.upperBound, by: length) where !isCut {
      if length > 1 {
        let run = OutlineRun(first: first, length: length)
        add(run, to: range.upperBound, of: members, in: place, depth: depth)
      } else if let (element, member) = members[first] {
        let inner = OutlinePlace(
          JSONPath(place.path.elements + [element]), nil, isOld: place.isOld)
        add(OutlineMembers(member), inner, label: element.label, text: nil, depth: depth)
      }
    }
  }

  private mutating func add(
    _ run: OutlineRun, to end: Int, of members: OutlineMembers, in place: OutlinePlace, depth: Int
  ) {
    let range = run.range.clamped(to: 0..<end)
    let runPlace = OutlinePlace(place.path, .run(run), isOld: place.isOld)
    let fold = fold(runPlace, canOpen: true)
    let isAdded = add(
      runPlace, label: "[\(range.lowerBound)…\(range.upperBound - 1)]", fold: fold,
      text: members.text(of: range), depth: depth)
    guard isAdded, fold == .unfolded else { return }
    add(
      range, length: run.length / OutlineRun.lengthMin, of: members, in: place, depth: depth + 1)
  }

  private mutating func add(_ text: String, _ place: OutlinePlace, depth: Int) {
    for (index, line) in TextLines(text).enumerated() {
      let place = OutlinePlace(place.path, .text(index), isOld: place.isOld)
      guard add(place, label: "", fold: .leaf, text: line, depth: depth) else { return }
    }
  }

  /// - Returns: false if there is no room for the line.
  private mutating func add(
    _ place: OutlinePlace, label: String, fold: OutlineLine.Fold, text: String, depth: Int
  ) -> Bool {
    isCut = isCut || lines.count >= Self.lineCountMax
    guard !isCut else { return false }
    lines.append(
      OutlineLine(
        place: place, root: root, depth: depth, label: label, fold: fold, text: text))
    return true
  }

  private func fold(_ place: OutlinePlace, canOpen: Bool) -> OutlineLine.Fold {
    !canOpen ? .leaf : opened.contains(place) ? .unfolded : .folded
  }

  /// Opens the new runs that hold the old members of a value that has grown, so that what was
  /// visible stays so.
  private mutating func keepOpen(_ place: OutlinePlace, length: Int) {
    if var wider = runLengths[place].map({ $0 * OutlineRun.lengthMin }) {
      while wider <= length {
        let run = OutlineRun(first: 0, length: wider)
        opened.insert(OutlinePlace(place.path, .run(run), isOld: place.isOld))
        wider *= OutlineRun.lengthMin
      }
    }
    runLengths[place] = length
  }
}

/// The members of a value, or some of them, that an outline lists.
struct OutlineMembers: Sendable {
  let value: JSON
  /// Nil for all.
  let shown: [Int]?

  init(_ value: JSON, shown: [Int]? = nil) { (self.value, self.shown) = (value, shown) }

  var count: Int { value.marked == nil ? shown?.count ?? value.memberCount : 0 }

  subscript(position: Int) -> (JSONPath.Element, JSON)? {
    value.member(shown?[position] ?? position)
  }

  /// The position of a member; of members with the same key, the last one.
  func position(of element: JSONPath.Element) -> Int? {
    let index: Int? =
      switch (element, value) {
      case (.index(let index), .array(let elements)):
        elements.indices.contains(index) ? index : nil
      case (.key(let key), .object(let object)):
        object.members.lastIndex { $0.key.isExactly(key) }
      default: nil
      }
    guard let index, let shown else { return index }
    return shown.firstIndex(of: index)
  }

  /// The text, if it is too long for a line.
  var longText: String? { value.string.flatMap { TextLines.isLong($0) ? $0 : nil } }

  /// The first and the last key of a run, if its members have any.
  func text(of range: Range<Int>) -> String {
    let ends = [range.lowerBound, range.upperBound - 1].compactMap { self[$0] }
    guard ends.count == 2 else { return "" }
    if case (.key, .key) = (ends[0].0, ends[1].0) {
      return "\(ends[0].0.label) … \(ends[1].0.label)"
    }
    guard let key = ListKey(of: ends.map(\.1)) else { return "" }
    let values = ends.map { key.value(of: $0.1).map { Excerpt.text($0, limit: 40) } ?? "" }
    return "\(key.rawValue) \(values[0]) … \(values[1])"
  }

  /// `3 keys`, `1 element`, or how long a text is.
  var sizeText: String {
    switch value {
    case .object: countText(count, "key")
    case .array: countText(count, "element")
    case .string(let text): "\(byteText(text.utf8.count)) of text"
    case .null, .bool, .number: Excerpt.text(value)
    }
  }
}

/// The lines of a long text. A line that is longer than a screen is cut into several.
struct TextLines: Sequence, IteratorProtocol {
  private var rest: Substring.UnicodeScalarView?

  /// Scalars, which fill most of a narrow pane.
  static let lengthMax = 400

  /// Octets that most panes show in a line.
  private static let sizeMax = 60

  init(_ text: String) { rest = text[...].unicodeScalars }

  static func isLong(_ text: String) -> Bool {
    text.utf8.count > sizeMax || text.utf8.contains { $0 == 0x0A }
  }

  mutating func next() -> String? {
    guard let text = rest else { return nil }
    let line = text.prefix(Self.lengthMax).prefix { $0 != "\n" }
    if line.endIndex == text.endIndex {
      rest = nil
    } else if text[line.endIndex] == "\n" {
      rest = text[text.index(after: line.endIndex)...]
    } else {
      rest = text[line.endIndex...]
    }
    return String(line)
  }
}

extension JSON {
  var memberCount: Int {
    switch self {
    case .array(let elements): elements.count
    case .object(let object): object.members.count
    case .null, .bool, .number, .string: 0
    }
  }

  func member(_ index: Int) -> (JSONPath.Element, JSON)? {
    switch self {
    case .array(let elements) where elements.indices.contains(index):
      (.index(index), elements[index])
    case .object(let object) where object.members.indices.contains(index):
      (.key(object.members[index].key), object.members[index].value)
    default: nil
    }
  }
}

extension JSONPath.Element {
  /// Short enough for a line; a key may be as long as a state. An empty key would be invisible.
  var label: String {
    switch self {
    case .key(""): "\"\""
    case .key(let key): Excerpt.text(key, limit: 80)
    case .index(let index): "[\(index)]"
    }
  }
}

/// A line of an outline, not yet cut to a width.
package struct OutlineLine: Equatable, Sendable {
  package enum Fold: Equatable, Sendable {
    /// It opens no further.
    case leaf
    case folded
    case unfolded
  }

  package let place: OutlinePlace
  /// The index of the root that it belongs to.
  let root: Int
  package let depth: Int
  /// The key, `[index]`, or `[0…99]` for a run; empty for the root and for lines of a text.
  package let label: String
  package let fold: Fold
  /// A leaf's value, the beginning of a folded value, or the size of an unfolded one.
  package let text: String

  /// Whether it is a line of an opened text, which is never cut.
  var isText: Bool { if case .text = place.part { true } else { false } }
}
