import JSONTree
import SurfBasics

/// The scalars of one text in order, for `ScalarChanges`. Has each one's path from the root, and
/// its position, which it updates as scalars grow or shrink.
struct ScalarTable: Sendable {
  // Offsets in the text.
  private var starts: [Int32] = []
  private var ends: [Int32] = []
  /// Each scalar's index in `steps`, or -1 for the root.
  private var parts: [Int32] = []
  /// All parts but the root: the parent's index in this array, or -1, and the child's index there.
  private var steps: [(parent: Int32, index: Int32)] = []

  /// The maximum size of a text in octets: offsets have 32 bits.
  static let sizeMax = Int(Int32.max)

  /// Nil if the text is too long.
  init?(_ whole: JSONPart, from start: Int) {
    guard start + whole.size <= Self.sizeMax else { return nil }
    add(whole, -1, from: start)
  }

  private mutating func add(_ part: JSONPart, _ number: Int32, from start: Int) {
    guard !part.json.isScalar else {
      starts.append(Int32(start))
      ends.append(Int32(start + part.size))
      return parts.append(number)
    }
    var place = start
    for index in part.children.indices {
      steps.append((number, Int32(index)))
      place += part.children[index].lead
      add(part.children[index].part, Int32(steps.count - 1), from: place)
      place += part.children[index].part.size
    }
  }

  var count: Int { starts.count }

  /// A scalar's range in the text.
  subscript(number: Int) -> Range<Int> { Int(starts[number])..<Int(ends[number]) }

  /// The scalar that contains a range of octets, or borders on an empty one; nil if none does.
  func scalar(holding range: Range<Int>) -> Int? {
    let number = ends.partitionPoint { $0 >= range.upperBound }
    guard number < count, starts[number] <= range.lowerBound else { return nil }
    return number
  }

  /// The indexes of children that lead from the root to a scalar.
  func way(to number: Int) -> [Int] {
    var way: [Int] = []
    var part = Int(parts[number])
    while part >= 0 {
      way.append(Int(steps[part].index))
      part = Int(steps[part].parent)
    }
    return way.reversed()
  }

  /// Resizes a scalar and shifts those after it.
  mutating func grow(_ number: Int, by growth: Int) {
    guard growth != 0 else { return }
    let growth = Int32(growth)
    ends[number] += growth
    for behind in number + 1..<count {
      starts[behind] += growth
      ends[behind] += growth
    }
  }
}
