import JSONTools
import JSONTree
import Redaction

/// Builds the lines of an `Outline`. Visits open branches only.
struct OutlineWalk {
  /// Members in one run. A longer value is split into runs of this length, of its square, and so
  /// on.
  static let bucketCount = 100
  /// More lines than a person can scroll through. Lines beyond that are left out silently.
  static let lineCountMax = 20_000

  let opened: Set<OutlinePlace>
  private(set) var lines: [OutlineLine] = []

  init(_ root: JSON, opened: Set<OutlinePlace>) {
    self.opened = opened
    add(root, OutlinePlace.root, label: "", depth: 0)
  }

  private mutating func add(_ value: JSON, _ place: OutlinePlace, label: String, depth: Int) {
    guard lines.count < Self.lineCountMax else { return }
    let count = value.marked == nil ? value.memberCount : 0
    let fold = fold(place, count)
    lines.append(
      OutlineLine(
        place: place, depth: depth, label: label, fold: fold,
        text: fold == .unfolded ? value.countText : Excerpt.text(value)))
    if fold == .unfolded { addMembers(0..<count, of: value, at: place.path, depth: depth + 1) }
  }

  private mutating func addMembers(
    _ range: Range<Int>, of value: JSON, at path: JSONPath, depth: Int
  ) {
    let step = Self.step(range.count)
    guard step > 1 else {
      for index in range { addMember(index, of: value, at: path, depth: depth) }
      return
    }
    for first in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      let bucket = first..<min(first + step, range.upperBound)
      addBucket(bucket, of: value, at: path, depth: depth)
    }
  }

  private mutating func addMember(_ index: Int, of value: JSON, at path: JSONPath, depth: Int) {
    guard let (element, member) = value.member(index) else { return }
    let place = OutlinePlace(JSONPath(path.elements + [element]))
    add(member, place, label: element.label, depth: depth)
  }

  private mutating func addBucket(
    _ bucket: Range<Int>, of value: JSON, at path: JSONPath, depth: Int
  ) {
    guard lines.count < Self.lineCountMax else { return }
    let place = OutlinePlace(path, bucket: bucket)
    let fold = fold(place, bucket.count)
    lines.append(
      OutlineLine(
        place: place, depth: depth, label: "[\(bucket.lowerBound)…\(bucket.upperBound - 1)]",
        fold: fold, text: ""))
    if fold == .unfolded { addMembers(bucket, of: value, at: path, depth: depth + 1) }
  }

  private func fold(_ place: OutlinePlace, _ count: Int) -> OutlineLine.Fold {
    count == 0 ? .leaf : opened.contains(place) ? .unfolded : .folded
  }

  /// The length of a run that makes at most `bucketCount` runs.
  static func step(_ count: Int) -> Int {
    var step = 1
    while step * bucketCount < count { step *= bucketCount }
    return step
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

  var countText: String {
    let count = memberCount
    if case .object = self { return count == 1 ? "1 key" : "\(count) keys" }
    return count == 1 ? "1 element" : "\(count) elements"
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
  /// Short enough for a line; a key may be as long as a state.
  var label: String {
    switch self {
    case .key(let key): Excerpt.text(key, limit: 80)
    case .index(let index): "[\(index)]"
    }
  }
}

/// A line of an outline, not yet cut to a width.
package struct OutlineLine: Equatable, Sendable {
  package enum Fold: Equatable, Sendable {
    /// Not a container, or empty.
    case leaf
    case folded
    case unfolded
  }

  package let place: OutlinePlace
  package let depth: Int
  /// The key, `[index]`, or `[0…99]` for a run; empty for the root.
  package let label: String
  package let fold: Fold
  /// A leaf's value, the beginning of a folded value, or the number of members.
  package let text: String
}
