/// Where the app is and what its rows are, by the rules alone (Protocol.md §11.5, §11.7).
struct Model: Equatable {
  enum Row: Equatable { case action, rewrite, silent }
  enum Place: Equatable {
    case row(Int)
    case elsewhere
  }

  /// Row 0 is the initial state.
  var rows: [Row] = [.rewrite]
  /// What each row's state was when it came.
  var states = [""]
  /// Of each row the place that it grew from; nil of one that did not move the app.
  var parents: [Place?] = [nil]
  var place = Place.row(0)
  var text = ""
  var checkpoint = ""
  var inForce: [Int] = []
  var skipped: Set<Int> = []
  var isLocked = false
  var isPaused = false

  var targets: [Int] { rows.indices.filter { rows[$0] != .silent } }

  var back: Int? {
    switch place {
    case .row(0): nil
    case .row(let row):
      if case .row(let parent) = parents[row] { parent } else { targets.last { $0 < row } }
    case .elsewhere: targets.last
    }
  }

  var forward: Int? {
    place == .elsewhere ? nil : parents.lastIndex { $0 == place }
  }

  /// The parent that a record must name: nil if that is the last target before it.
  func grownFrom(of row: Int) -> Place? {
    parents[row] == targets.last { $0 < row }.map(Place.row) ? nil : parents[row]
  }

  /// - Parameter text: The state of the program itself after it.
  mutating func add(_ row: Row, _ text: String = "") {
    parents.append(row == .silent ? nil : place)
    rows.append(row)
    states.append(text)
    guard row != .silent else { return }
    (place, self.text) = (.row(rows.count - 1), text)
    if row == .action { inForce.append(rows.count - 1) }
  }

  mutating func act(_ text: String) {
    if isLocked { return add(.silent) }
    if isPaused { (place, self.text) = (.elsewhere, text) } else { add(.action, text) }
  }

  mutating func move(to row: Int) { (place, text) = (.row(row), states[row]) }

  mutating func sweep() {
    inForce.removeAll(where: skipped.contains)
    skipped = []
  }

  /// History starts over, with `text`.
  mutating func begin(with text: String) { (inForce, skipped, checkpoint) = ([], [], text) }
}
