internal import SurfBasics
internal import SurfStore

/// What an engine knows besides the state. Each change hands back what it replaces, so that no
/// value of the program's is released under the lock.
struct Notebook: Sendable {
  typealias Rule = Validator<any SwiftyStateStoreProtocol>

  private(set) var validators: [Rule] = []
  var isRunning = true
  var gate: SwiftyGate?
  /// Whether no row led to the state: the next change cannot be run from the row before it.
  var isElsewhere = false
  var travel = Travel()
  var subscribers: [String: SwiftyListener] = [:]
  var observers: [Int: RowObserver] = [:]
  var isDebugging = false
  private(set) var rows = RowLog()
  private var subscriberCount = 0
  private var observerCount = 0

  /// Takes the place of one with the same name, or of none.
  mutating func set(_ validator: Rule) -> Rule? {
    guard let index = validators.firstIndex(where: { $0.name == validator.name }) else {
      validators.append(validator)
      return nil
    }
    defer { validators[index] = validator }
    return validators[index]
  }

  mutating func add(_ listener: SwiftyListener) -> String {
    subscriberCount += 1
    let id = "f\(subscriberCount)"
    subscribers[id] = listener
    return id
  }

  mutating func add(_ observer: RowObserver) -> Int {
    observerCount += 1
    observers[observerCount] = observer
    return observerCount
  }

  mutating func startDebug(_ row: SwiftyRow, rowCountMax: Int) -> [SwiftyRow] {
    isDebugging = true
    rows.countMax = max(rowCountMax, 1)
    return rows.isEmpty ? rows.append(row) : []
  }

  /// Keeps a row, if rows are wanted.
  mutating func collect(_ row: SwiftyRow) -> [SwiftyRow] { isDebugging ? rows.append(row) : [] }
}

/// In a struct: Swift wraps a closure that is itself the value of a generic type once more at each
/// access.
struct SwiftyGate: Sendable {
  let admits: @Sendable (SwiftyChange) -> Bool
}

/// The newest rows.
struct RowLog: Sendable {
  var countMax = 1
  private var rows = Queue<SwiftyRow>()

  var isEmpty: Bool { rows.isEmpty }
  var elements: [SwiftyRow] { Array(rows) }

  /// Gives the rows that had to go for it.
  mutating func append(_ row: SwiftyRow) -> [SwiftyRow] {
    rows.append(row)
    var forgotten: [SwiftyRow] = []
    while rows.count > countMax, let first = rows.popFirst() { forgotten.append(first) }
    return forgotten
  }
}
