import SurfBasics
import SurfTimeline
import SurfWire
import TerminalScreen

/// The futures of a history, drawn as lines beside the row list. Each row grows from the one above
/// it or, after a jump, from another one. Like Git's graph, but with the newest row at the bottom.
///
/// It stores only rows that start a branch. Appending a row costs one step; inserting one before
/// existing branches lays these out again.
package struct BranchGraph: Sendable {
  /// Branches that need more lanes are only hinted at.
  package static let laneCountMax = 4

  /// A row that grew from a row other than the one above it, and the rows after it up to the next
  /// branch.
  struct Branch: Equatable, Sendable {
    let row: SequenceNumber
    let origin: Position
    /// The branch's last row with a state. Grows while the branch is the newest.
    var end: SequenceNumber
    var lane = 0
    var stem = Stem.none
  }

  /// How a line leads to a branch's first row.
  enum Stem: Equatable, Sendable {
    /// No line: it grew from a state that no row carries.
    case none
    /// Straight down from its origin, in the same lane.
    case straight
    /// Branches off beside its origin, into another lane.
    case aside
    /// No line, because no lane is free.
    case unseen
  }

  /// Ascending. The first is the history from row 0.
  private(set) var branches = [Branch(row: 0, origin: .elsewhere, end: 0)]
  /// For each lane, indices into `branches`, ascending.
  private var lanes: [[Int]] = [[0]]
  /// Row ranges passed by lines without a lane: disjoint, ascending.
  private var crowded: [ClosedRange<SequenceNumber>] = []
  private var newest: SequenceNumber = 0

  package init() {}

  /// Built from the loaded rows.
  package init(_ timeline: Timeline) {
    self.init()
    if let first = timeline.rows.first, let last = timeline.rows.last {
      add(first.number...last.number, in: timeline)
    }
  }

  /// Adds new rows.
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
    // Branches after the new rows may need other lanes.
    let known = branches[kept...]
    let behind = Set(known.map(\.row))
    lay(
      (known + grown.filter { !behind.contains($0.row) }).sorted { $0.row < $1.row },
      behind: kept, in: timeline)
    forgetEvicted(in: timeline)
    branches[branches.count - 1].end = max(newest, branches[branches.count - 1].row)
  }

  /// The columns that the lines take; 0 without branches.
  package var width: Int {
    branches.count > 1 ? lanes.count + (crowded.isEmpty ? 0 : 1) : 0
  }

  // MARK: Relatives

  /// The row that a row grew from. Nil if that is unknown or no row carries that state, or if the
  /// row itself has no state.
  package func origin(of row: SequenceNumber, in timeline: Timeline) -> SequenceNumber? {
    guard let row = timeline.row(row), row.isState else { return nil }
    return timeline.parent(of: row)?.row
  }

  package func futures(of row: SequenceNumber, in timeline: Timeline) -> [SequenceNumber] {
    guard row == 0 || timeline.row(row)?.isState == true else { return [] }
    let after = timeline.rows[timeline.firstIndex(from: row.next)...].first(where: \.isState)
    let next = after.flatMap { $0.record.grownFrom == nil ? $0 : nil }
    let isNext = next.flatMap { timeline.parent(of: $0)?.row } == row
    let grown = branches.lazy.filter { $0.row > 0 && $0.origin.row == row }.map(\.row)
    return (isNext ? [next?.number].compactMap(\.self) : []) + grown
  }

  /// A row and its known ancestors, newest first.
  func line(to row: SequenceNumber) -> [ClosedRange<SequenceNumber>] {
    var runs: [ClosedRange<SequenceNumber>] = []
    var next: SequenceNumber? = row
    while let row = next {
      let branch = branches[index(of: row)]
      runs.append(branch.row...row)
      next = branch.origin.row.flatMap { $0 < branch.row ? $0 : nil }
    }
    return runs
  }

  /// The ancestors, among these rows, of the row before `end`. The rows are ascending.
  func past(of end: SequenceNumber, _ rows: [SequenceNumber]) -> [SequenceNumber] {
    let line = line(to: end.previous)
    return rows.filter { row in
      let run = line.partitionPoint { $0.lowerBound <= row }
      return run < line.count && line[run].contains(row)
    }
  }

  /// Whether a row is known not to be on the way to a later one.
  func areApart(
    _ row: SequenceNumber, _ later: SequenceNumber, in order: HistoryOrder
  ) -> Bool {
    let oldest = line(to: later).last?.lowerBound
    // Nobody knows the way to a state that is in no row.
    guard let oldest, oldest == 0 || branches[index(of: oldest)].origin.row != nil else {
      return false
    }
    return !leads(from: row, to: .record(later), in: order)
  }

  /// Whether a row is on the way to a position, or may be: nobody knows the way to a state that is
  /// in no row.
  ///
  /// - Parameter order: the rows before a move are in one line since.
  func leads(
    from row: SequenceNumber, to position: Position, in order: HistoryOrder
  ) -> Bool {
    guard branches.count > 1, row > order.newestReorder, let end = position.row else {
      return true
    }
    return !past(of: end.next, [row]).isEmpty
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

  /// Chooses a lane that is free from the origin to the newest row.
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

  /// Drops the branches that start at evicted rows, once there are many.
  private mutating func forgetEvicted(in timeline: Timeline) {
    guard branches.count > 2 * timeline.rows.count + 1_000 else { return }
    let kept = branches.dropFirst().filter { timeline.row($0.row) != nil }
    (branches, lanes, crowded) = (Array(branches.prefix(1)), [[0]], [])
    lay(kept, behind: 1, in: timeline)
  }

  // MARK: Drawing

  /// The cells beside a row, from left to right. The cost does not depend on the row.
  ///
  /// - Parameter isState: whether the row has a state; lines pass by a row without one.
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
    let span = crowded[crowded.partitionPoint { $0.upperBound >= row }...].first
    if span?.contains(row) == true { cells[cells.count - 1].dot = .more }
    return cells
  }

  /// The cells between a row and the next one.
  package func cells(behind row: SequenceNumber) -> [BranchCell] {
    guard width > 0 else { return [] }
    var cells = Array(repeating: BranchCell(), count: width)
    for lane in lanes.indices {
      guard let branch = branch(in: lane, at: row), branch.start <= row, row < branch.end
      else { continue }
      cells[lane].sides = [.up, .down]
    }
    let span = crowded[crowded.partitionPoint { $0.upperBound > row }...].first
    if span?.contains(row) == true { cells[cells.count - 1].dot = .more }
    return cells
  }

  private func turn(from own: Int, into lane: Int, _ cells: inout [BranchCell]) {
    for column in min(own, lane)..<max(own, lane) {
      cells[column].sides.insert(.right)
      cells[column + 1].sides.insert(.left)
    }
    cells[lane].sides.insert(.down)
  }

  /// The last branch of a lane whose line begins at or above a row.
  private func branch(in lane: Int, at row: SequenceNumber) -> Branch? {
    let index = lanes[lane].partitionPoint { branches[$0].start > row }
    return index > 0 ? branches[lanes[lane][index - 1]] : nil
  }

  private func index(of row: SequenceNumber) -> Int {
    max(0, branches.partitionPoint { $0.row > row } - 1)
  }
}

extension BranchGraph.Branch {
  fileprivate var start: SequenceNumber {
    switch stem {
    case .straight, .aside: origin.row ?? row
    case .none, .unseen: row
    }
  }
}

/// One cell of the lines beside a list.
package struct BranchCell: Hashable, Sendable {
  package enum Dot: Hashable, Sendable {
    case row
    /// A branch's first row, without a line to its origin.
    case beginning
    /// Lines without a lane pass by.
    case more
  }

  /// The sides that lines lead to.
  package internal(set) var sides: RuleWays = []
  package internal(set) var dot: Dot?

  init() {}

  /// As a box-drawing character.
  package var glyph: Character {
    switch dot {
    case .row: "●"
    case .beginning: "○"
    case .more: "┊"
    case nil: Self.lines[sides] ?? "┼"
    }
  }

  private static let lines: [RuleWays: Character] = [
    []: " ", [.up, .down]: "│", [.left, .right]: "─", [.left, .down]: "╮", [.right, .down]: "╭",
    [.left, .right, .down]: "┬", [.down]: "╷",
  ]
}
