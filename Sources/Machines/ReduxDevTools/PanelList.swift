import SurfWire

/// The rows in a panel's list, from top to bottom, and which of them the app is in.
struct PanelList: Equatable, Sendable {
  /// What the row with id 0 stands for.
  enum Beginning: Equatable, Sendable {
    /// The state that history begins with.
    case whole
    /// The state of a row: earlier rows are not here. Nil if no row can stand for it.
    case cut(base: SequenceNumber?)
  }

  /// A last row for which no record stands.
  enum Tail: Equatable, Sendable {
    /// Recording is paused, and the app may do anything; its position, if no other row has it.
    case paused(Position?)
    /// The app is in a state that no row has.
    case elsewhere(Position)
  }

  var beginning = Beginning.whole
  /// Numbers of actions and remarks, without the beginning.
  private(set) var ids: [SequenceNumber] = []
  var tail: Tail?
  /// Which row the app is in; 0 is the beginning.
  var index = 0
  private var isAscending = true

  /// All rows anew: actions in the order of history, and each remark behind the action after which
  /// it was made.
  mutating func arrange(_ actions: ArraySlice<SequenceNumber>, remarks: [SequenceNumber]) {
    ids = remarks.isEmpty ? Array(actions) : Self.merge(actions, remarks)
    isAscending = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// Adds a row that a panel can put behind all that it has.
  ///
  /// - Returns: false, and nothing happens, if the panel cannot.
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
