import SurfTimeline
import SurfViewer
import SurfWire

/// The table of all apps over the panes: the line with the cursor, the order of the lines, and
/// which are shown.
struct AppTable: Sendable {
  enum Column: String, CaseIterable, Sendable {
    case name, life, rows, rate, errors
    case action = "last action"
    case viewers, driver, trust, realm, host

    /// The letter of the title that sorts by the column. None is a key that moves the cursor.
    var key: Character {
      switch self {
      case .name: "n"
      case .life: "f"
      case .rows: "r"
      case .rate: "t"
      case .errors: "e"
      case .action: "c"
      case .viewers: "v"
      case .driver: "d"
      case .trust: "u"
      case .realm: "m"
      case .host: "o"
      }
    }

    var isNumber: Bool { self == .rows || self == .rate || self == .errors }
  }

  /// Nil for the order of the tabs.
  private(set) var sorting: Column?
  var isReversed = false
  var field = TextField()
  var isTyping = false
  private(set) var cursor: SessionID?

  init(at app: SessionID?) { cursor = app }

  /// The line of the cursor; the first if its app is not listed.
  func index(in lines: [AppLine]) -> Int { lines.firstIndex { $0.session == cursor } ?? 0 }

  mutating func move(by count: Int, in lines: [AppLine]) {
    let index = max(0, min(lines.count - 1, index(in: lines) + count))
    if lines.indices.contains(index) { cursor = lines[index].session }
  }

  // MARK: Order

  mutating func sort(by column: Column) {
    isReversed = sorting == column && !isReversed
    sorting = column
  }

  /// From the order of the tabs through all columns, and back to it.
  mutating func sortByNext() {
    let all = [nil] + Column.allCases.map(Optional.some)
    let index = all.firstIndex(of: sorting) ?? 0
    (sorting, isReversed) = (all[(index + 1) % all.count], false)
  }

  /// The lines that pass the filter, in order. Those of gone apps stay after the others.
  func arranged(_ lines: [AppLine]) -> [AppLine] {
    let wanted = field.text.lowercased().split(separator: " ")
    let passing = lines.filter { line in
      let words = line.words
      return wanted.allSatisfy { words.contains($0) }
    }
    return sorted(passing.filter(\.isLive)) + sorted(passing.filter { !$0.isLive })
  }

  private func sorted(_ lines: [AppLine]) -> [AppLine] {
    guard let sorting else { return isReversed ? lines.reversed() : lines }
    // Large numbers and early letters come first, and unknown values last.
    let known = lines.filter { $0.cells[sorting] != nil }
    let unknown = lines.filter { $0.cells[sorting] == nil }
    let sorted = known.enumerated().sorted { left, right in
      guard let one = left.element.cells[sorting], let other = right.element.cells[sorting],
        one != other
      else { return left.offset < right.offset }
      return (sorting.isNumber ? other < one : one < other) != isReversed
    }
    return sorted.map(\.element) + unknown
  }

  mutating func endTyping() { (isTyping, field) = (false, TextField()) }
}

/// What the table says of one app.
struct AppLine: Sendable {
  let session: SessionID
  let isLive: Bool
  /// Without those that are not known.
  let cells: [AppTable.Column: Cell]

  struct Cell: Comparable, Sendable {
    let text: String
    /// Nil for a text.
    let number: Double?

    init(_ text: String, _ number: Double? = nil) { (self.text, self.number) = (text, number) }

    static func < (left: Cell, right: Cell) -> Bool {
      if let one = left.number, let other = right.number { return one < other }
      return left.text.lowercased() < right.text.lowercased()
    }

    /// Equal in order.
    static func == (left: Cell, right: Cell) -> Bool { !(left < right) && !(right < left) }
  }

  func text(_ column: AppTable.Column) -> String { cells[column]?.text ?? "–" }

  /// Where a filter looks.
  fileprivate var words: String {
    let columns: [AppTable.Column] = [
      .name, .life, .action, .viewers, .driver, .trust, .realm, .host,
    ]
    return columns.compactMap { cells[$0]?.text.lowercased() }.joined(separator: " ")
  }
}

/// How many rows apps have made in the last seconds, counted by their newest rows.
struct RowRates: Sendable {
  private struct Sample: Sendable {
    let time: Duration
    var newest: UInt64
  }

  private var samples: [SessionID: [Sample]] = [:]

  private static let window = Duration.seconds(3)
  /// Changes within this time count as one.
  private static let spacing = Duration.milliseconds(250)

  mutating func note(_ catalog: Catalog, at now: Duration) {
    for instance in catalog.instances {
      let newest = instance.timeline.newestNumber.rawValue
      guard samples[instance.session]?.last?.newest != newest else { continue }
      note(newest, of: instance.session, at: now)
    }
  }

  mutating func forget(_ session: SessionID) { samples[session] = nil }

  var sessions: [SessionID] { Array(samples.keys) }

  private mutating func note(_ newest: UInt64, of session: SessionID, at now: Duration) {
    var known = samples[session] ?? []
    if let last = known.last, now < last.time + Self.spacing {
      known[known.count - 1].newest = newest
    } else {
      known.append(Sample(time: now, newest: newest))
    }
    // Keeps one sample from before the window, to count what has arrived since.
    while known.count > 1, known[1].time <= now - Self.window { known.removeFirst() }
    samples[session] = known
  }

  /// Rows a second; nil for an app that has just appeared.
  func perSecond(_ session: SessionID, at now: Duration) -> Double? {
    guard let known = samples[session], let newest = known.last?.newest else { return nil }
    let start = known.last { $0.time <= now - Self.window }
    guard let before = start ?? known.first else { return nil }
    let count = Double(newest &- min(before.newest, newest))
    let time = start == nil ? now - before.time : Self.window
    return time < .seconds(1) ? nil : count / (time / .seconds(1))
  }

  /// Whether a rate changes as time passes.
  func isRunning(at now: Duration) -> Bool {
    samples.keys.contains { (perSecond($0, at: now) ?? 1) > 0 }
  }
}
