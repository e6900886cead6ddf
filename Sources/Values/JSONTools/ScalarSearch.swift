import JSONTree

/// Finds the scalar whose text holds a range of octets.
struct ScalarSearch {
  /// The numbers of the children on the way to it, and what leads to them.
  private(set) var way: [Int] = []
  private(set) var path = JSONPath()
  private let range: Range<Int>

  struct Found {
    let start: Int
    let part: JSONPart

    var end: Int { start + part.size }
  }

  init(_ range: Range<Int>) {
    self.range = range
    way.reserveCapacity(Self.depth)
    path.elements.reserveCapacity(Self.depth)
  }

  /// Most scalars stand no deeper.
  private static let depth = 4

  /// Nil if the range is not all within one scalar, or at its edge.
  mutating func find(in part: JSONPart, at start: Int) -> Found? {
    guard !part.json.isScalar else {
      let found = Found(start: start, part: part)
      return start <= range.lowerBound && range.upperBound <= found.end ? found : nil
    }
    var place = start
    for index in part.children.indices {
      let end = place + part.children[index].size
      guard range.upperBound > end else {
        place += part.children[index].lead
        guard place <= range.lowerBound else { return nil }
        way.append(index)
        path.elements.append(part.element(index))
        return find(in: part.children[index].part, at: place)
      }
      place = end
    }
    return nil
  }
}
