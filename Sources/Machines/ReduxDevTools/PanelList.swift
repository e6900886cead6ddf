import SurfWire

/// The rows of a `PanelInstance` from top to bottom, as a panel lists them, and the app's place.
struct PanelList: Equatable, Sendable {
  /// What the row with id 0 shows.
  enum Beginning: Equatable, Sendable {
    /// The state that history starts with.
    case whole
    /// The state of a row, because earlier rows are not here. Nil if no row can stand for them.
    case cut(base: SequenceNumber?)
  }

  /// A last row that stands for no record.
  enum Tail: Equatable, Sendable {
    /// Recording is paused, and the app may do anything. Its position, if no other row has it.
    case paused(Position?)
    /// The app is in a state that no row has.
    case elsewhere(Position)
  }

  var beginning = Beginning.whole
  /// The rows of actions and remarks, without the beginning.
  private(set) var ids: [SequenceNumber] = []
  var tail: Tail?
  /// The app's place in the list; 0 is the beginning.
  var index = 0
  private var isAscending = true

  /// Replaces all rows: actions in the order of history, each remark behind the action before it.
  mutating func arrange(_ actions: ArraySlice<SequenceNumber>, remarks: [SequenceNumber]) {
    ids = remarks.isEmpty ? Array(actions) : Self.merge(actions, remarks)
    isAscending = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Adds a row if a panel can append it.
  ///
  /// - Returns: false, without effect, if it cannot.
  mutating func append(_ row: SequenceNumber, isRemark: Bool) -> Bool {
    guard tail == nil, isAscending ? row > (ids.last ?? 0) : !isRemark else { return false }
    ids.append(row)
    return true
  }

  private static func merge(_ actions: ArraySlice<SequenceNumber>, _ remarks: [SequenceNumber])
    -> [SequenceNumber]
  {
    var following: [SequenceNumber: [SequenceNumber]] = [:]
    var earlier: SequenceNumber = 0
    var later = actions.sorted()[...]
    for remark in remarks {
      while let next = later.first, next < remark {
        earlier = next
        later.removeFirst()
      }
      following[earlier, default: []].append(remark)
    }
    return (following[0] ?? []) + actions.flatMap { [$0] + (following[$0] ?? []) }
  }
}
