import JSONTree
import SurfBasics

/// The scalars of one text in their order: where each stands, and the way to it, while some become
/// longer or shorter.
struct ScalarTable: Sendable {
  // Offsets in the text.
  private var starts: [Int32] = []
  private var ends: [Int32] = []
  /// Which parts they are.
  private var parts: [Int32] = []
  /// All parts but the whole, each by the part that it is a child of, and its number there.
  private var steps: [(parent: Int32, index: Int32)] = []

  /// Octets of a text: offsets have 32 bits.
  static let sizeMax = Int(Int32.max)

  /// Nil if a text is too long.
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

  /// Where a scalar stands in the text.
  subscript(number: Int) -> Range<Int> { Int(starts[number])..<Int(ends[number]) }

  /// The scalar whose text holds a range of octets, or has it at its edge; nil if none does.
  func scalar(holding range: Range<Int>) -> Int? {
    let number = ends.partitionPoint { $0 >= range.upperBound }
    guard number < count, starts[number] <= range.lowerBound else { return nil }
    return number
  }

  /// The numbers of the children on the way to a scalar.
  func way(to number: Int) -> [Int] {
    var way: [Int] = []
    var part = Int(parts[number])
    while part >= 0 {
      way.append(Int(steps[part].index))
      part = Int(steps[part].parent)
    }
    return way.reversed()
  }

  /// A scalar's text grows, and those behind it move.
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
