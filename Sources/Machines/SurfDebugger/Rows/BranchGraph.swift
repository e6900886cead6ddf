import SurfBasics
import SurfTimeline
import SurfWire

/// The futures of a history, as lines beside its list: each row grows from the one above it, or,
/// after a jump, from another one. As Git's graph, but with the newest row at the bottom.
///
/// It keeps those rows alone that grew from elsewhere. A new row at the end costs one step; one
/// before such rows lays these out again.
package struct BranchGraph: Sendable {
  /// What has no room in so many lanes is only hinted at.
  package static let laneCountMax = 4

  /// A row that grew from elsewhere, and those behind it up to the next such row.
  struct Branch: Equatable, Sendable {
    let row: SequenceNumber
    let origin: Position
    /// The last row with a state in it; of the newest branch it still moves on.
    var end: SequenceNumber
    var lane = 0
    var stem = Stem.none
  }

  /// How a line leads to the first row of a branch.
  enum Stem: Equatable, Sendable {
    /// It grew from a state that is in no row.
    case none
    /// Down from its origin, in the same lane.
    case straight
    /// From beside its origin, in a lane of its own.
    case aside
    /// No lane was free.
    case unseen
  }

  /// The first is the history from row 0 on. Ascending.
  private(set) var branches = [Branch(row: 0, origin: .elsewhere, end: 0)]
  /// The branches of each lane, ascending: indices of `branches`.
  private var lanes: [[Int]] = [[0]]
  /// What lines without a lane pass by: apart, and ascending.
  private var crowded: [ClosedRange<SequenceNumber>] = []
  private var newest: SequenceNumber = 0

  package init() {}

  /// Of the rows that are there.
  package init(_ timeline: Timeline) {
    self.init()
    if let first = timeline.rows.first, let last = timeline.rows.last {
      add(first.number...last.number, in: timeline)
    }
  }

  /// Takes rows that are new.
  package mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    var grown: [Branch] = []
    for row in timeline.rows[timeline.firstIndex(from: rows.lowerBound)...] {
      guard row.number <= rows.upperBound else { break }
      if row.isState { newest = max(newest, row.number) }
      if row.isState, let grownFrom = row.record.grownFrom {
        grown.append(Branch(row: row.number, origin: grownFrom.origin, end: row.number))
      }
    }
    let kept = branches.partitionPoint { $0.row >= max(1, rows.lowerBound) }
    // Those behind the new rows may have lost their place.
    let known = branches[kept...]
    let behind = Set(known.map(\.row))
    lay(
      (known + grown.filter { !behind.contains($0.row) }).sorted { $0.row < $1.row },
      behind: kept, in: timeline)
    forget(before: timeline.rows.first?.number ?? 0, in: timeline)
    branches[branches.count - 1].end = max(newest, branches[branches.count - 1].row)
  }

  /// Columns that the lines take; none without branches.
  package var width: Int {
    branches.count > 1 ? lanes.count + (crowded.isEmpty ? 0 : 1) : 0
  }

  // MARK: Relatives

  /// The row that a row grew from; nil if that is not known, from a state that is in no row, and of
  /// a row without a state.
  package func origin(of row: SequenceNumber, in timeline: Timeline) -> SequenceNumber? {
    guard let row = timeline.row(row), row.isState else { return nil }
    return timeline.parent(of: row)?.row
  }

  /// The rows that grew from a row, ascending.
  package func futures(of row: SequenceNumber, in timeline: Timeline) -> [SequenceNumber] {
    guard row == 0 || timeline.row(row)?.isState == true else { return [] }
    let after = timeline.rows[timeline.firstIndex(from: row.next)...].first(where: \.isState)
    let next = after.flatMap { $0.record.grownFrom == nil ? $0 : nil }
    let isNext = next.flatMap { timeline.parent(of: $0)?.row } == row
    let grown = branches.lazy.filter { $0.row > 0 && $0.origin.row == row }.map(\.row)
    return (isNext ? [next?.number].compactMap(\.self) : []) + grown
  }

  // MARK: Laying out

  private mutating func lay(_ more: [Branch], behind count: Int, in timeline: Timeline) {
    guard !more.isEmpty || branches.count > count else { return }
    if branches.count > count {
      branches.removeSubrange(count...)
      for lane in lanes.indices { lanes[lane].removeLast(lanes[lane].count { $0 >= count }) }
    }
    lanes.removeLast(lanes.reversed().prefix { $0.isEmpty }.count)
    if more.contains(where: { $0.stem == .unseen }) {
      crowded = []
      for branch in branches where branch.stem == .unseen { crowd(branch) }
    }
    for branch in more { lay(branch, in: timeline) }
  }

  private mutating func lay(_ branch: Branch, in timeline: Timeline) {
    let last = timeline.rows[..<timeline.firstIndex(from: branch.row)].last(where: \.isState)
    let before = branches.count - 1
    branches[before].end = max(branches[before].row, last?.number ?? 0)
    var branch = branch
    (branch.lane, branch.stem) = way(to: branch)
    if branch.stem == .unseen { crowd(branch) }
    if branch.lane == lanes.count { lanes.append([]) }
    lanes[branch.lane].append(branches.count)
    branches.append(branch)
  }

  /// A lane that is free from the origin on. At the end, every lane is.
  private func way(to branch: Branch) -> (lane: Int, stem: Stem) {
    guard let origin = branch.origin.row, origin < branch.row else { return (0, .none) }
    let own = branches[index(of: origin)].lane
    if end(ofLane: own) == origin { return (own, .straight) }
    let free = lanes.indices.first { lanes[$0].isEmpty || end(ofLane: $0) < origin }
    if let lane = free ?? (lanes.count < Self.laneCountMax ? lanes.count : nil) {
      return (lane, .aside)
    }
    return (0, .unseen)
  }

  private func end(ofLane lane: Int) -> SequenceNumber {
    lanes[lane].last.map { branches[$0].end } ?? 0
  }

  private mutating func crowd(_ branch: Branch) {
    var lower = branch.origin.row ?? 0
    while let last = crowded.last, last.upperBound >= lower {
      lower = min(lower, last.lowerBound)
      crowded.removeLast()
    }
    crowded.append(lower...branch.row)
  }

  /// Rows had to make room: of what grew from elsewhere among them, nothing is shown any more.
  private mutating func forget(before first: SequenceNumber, in timeline: Timeline) {
    guard branches.count > 2 * timeline.rows.count + 1_000 else { return }
    let kept = branches.dropFirst().filter { $0.row >= first }
    (branches, lanes, crowded) = (Array(branches.prefix(1)), [[0]], [])
    lay(kept, behind: 1, in: timeline)
  }

  // MARK: Drawing

  /// What stands beside a row, from left to right; it costs the same wherever the row is.
  ///
  /// - Parameter isState: whether the row has a state; lines pass by those that have none.
  package func cells(beside row: SequenceNumber, isState: Bool) -> [BranchCell] {
    guard width > 0 else { return [] }
    var cells = Array(repeating: BranchCell(), count: width)
    let own = branches[index(of: row)]
    for lane in lanes.indices {
      guard let branch = branch(in: lane, at: row) else { continue }
      if isState, lane == own.lane {
        let isOpen = row > 0 && row == own.row && [.none, .unseen].contains(own.stem)
        cells[lane].dot = isOpen ? .beginning : .row
      } else if branch.start == row, branch.stem == .aside {
        turn(from: own.lane, into: lane, &cells)
      } else if branch.start < row, row <= branch.end {
        cells[lane].sides.formUnion([.up, .down])
      }
    }
    let span = crowded.partitionPoint { $0.upperBound >= row }
    if crowded.indices.contains(span), crowded[span].contains(row) {
      cells[cells.count - 1].dot = .more
    }
    return cells
  }

  /// What stands between a row and the next one.
  package func cells(behind row: SequenceNumber) -> [BranchCell] {
    guard width > 0 else { return [] }
    var cells = Array(repeating: BranchCell(), count: width)
    for lane in lanes.indices {
      guard let branch = branch(in: lane, at: row), branch.start <= row, row < branch.end
      else { continue }
      cells[lane].sides = [.up, .down]
    }
    let span = crowded.partitionPoint { $0.upperBound > row }
    if crowded.indices.contains(span), crowded[span].contains(row) {
      cells[cells.count - 1].dot = .more
    }
    return cells
  }

  private func turn(from own: Int, into lane: Int, _ cells: inout [BranchCell]) {
    for column in min(own, lane)..<max(own, lane) {
      cells[column].sides.insert(.right)
      cells[column + 1].sides.insert(.left)
    }
    cells[lane].sides.insert(.down)
  }

  /// The last branch of a lane whose line begins at a row or above it.
  private func branch(in lane: Int, at row: SequenceNumber) -> Branch? {
    let index = lanes[lane].partitionPoint { branches[$0].start > row }
    return index > 0 ? branches[lanes[lane][index - 1]] : nil
  }

  /// The branch that a row is in.
  private func index(of row: SequenceNumber) -> Int {
    max(0, branches.partitionPoint { $0.row > row } - 1)
  }
}

extension BranchGraph.Branch {
  /// Where its line begins.
  fileprivate var start: SequenceNumber {
    switch stem {
    case .straight, .aside: origin.row ?? row
    case .none, .unseen: row
    }
  }
}

/// One place of the lines beside a list.
package struct BranchCell: Hashable, Sendable {
  /// To which sides a line leads.
  package struct Sides: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let up = Sides(rawValue: 1)
    package static let down = Sides(rawValue: 2)
    package static let left = Sides(rawValue: 4)
    package static let right = Sides(rawValue: 8)
  }

  package enum Dot: Hashable, Sendable {
    case row
    /// A row from whose origin no line leads here.
    case beginning
    /// Lines that have no room pass by.
    case more
  }

  package internal(set) var sides: Sides = []
  package internal(set) var dot: Dot?

  init() {}

  /// As a character of boxes.
  package var glyph: Character {
    switch dot {
    case .row: "●"
    case .beginning: "○"
    case .more: "┊"
    case nil: Self.lines[sides] ?? "┼"
    }
  }

  private static let lines: [Sides: Character] = [
    []: " ", [.up, .down]: "│", [.left, .right]: "─", [.left, .down]: "╮", [.right, .down]: "╭",
    [.left, .right, .down]: "┬", [.down]: "╷",
  ]
}
