public import FoundationEssentials
internal import SurfBasics
public import SurfStore

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

/// The states that can be returned to.
struct Travel: Sendable {
  typealias State = any SwiftyStateStoreProtocol

  static let pastCountMax = 100

  private var past: [State] = []
  private var future: [State] = []

  /// The state is another now. Gives the states that nobody can return to any more: their last
  /// release can run code of the program's, so it must not happen under a lock.
  mutating func changed(from previous: State) -> [State] {
    var forgotten = future
    future = []
    past.append(previous)
    if past.count > Self.pastCountMax { forgotten.append(past.removeFirst()) }
    return forgotten
  }

  /// The state before the last change, if there is one.
  mutating func undo(from state: State) -> State? {
    guard let previous = past.popLast() else { return nil }
    future.append(state)
    return previous
  }

  /// The state before the last `undo`, if there is one.
  mutating func redo(from state: State) -> State? {
    guard let next = future.popLast() else { return nil }
    past.append(state)
    return next
  }
}

/// What a row did to the state, for viewers that run it again.
public struct SwiftyChange: Sendable, CustomStringConvertible, CustomReflectable {
  let happening: SwiftyEngine.Event

  /// The action, as `String(describing:)` shows it, or `load` or `loadJSON`.
  public var description: String { String(describing: happening.subject) }

  /// That of the action itself.
  public var customMirror: Mirror { Mirror(reflecting: happening.subject) }

  /// The state after it. It depends on nothing else, so that viewers can leave out an earlier one.
  public func applied<State: SwiftyStateStoreProtocol>(to state: State) -> State {
    switch happening {
    case .run(let action, _): action.reducer(state: state) as? State ?? state
    case .load(let loaded, _): loaded as? State ?? state
    }
  }
}

/// One thing that happened to the state, or that was not let happen.
public struct SwiftyRow: Sendable {
  /// What came of it.
  public enum Outcome: Hashable, Sendable {
    /// It is the state now.
    case applied
    /// It would have led to a state that may not be.
    case rejected(Objection)
    /// It came while the engine was stopped.
    case frozen
    /// The gate did not let it pass; whoever set that knows why.
    case refused
  }

  /// When it happened.
  public let date: Date
  /// The state after it; `nil` if no store was set.
  public let state: (any SwiftyStateStoreProtocol)?
  /// What came of it.
  public let fate: Outcome
  /// What was done, or was to be done; `nil` if the row tells of the recording itself.
  public let change: SwiftyChange?
  private let subject: any Sendable

  init(
    _ subject: any Sendable, state: (any SwiftyStateStoreProtocol)?, fate: Outcome = .applied,
    change: SwiftyEngine.Event? = nil
  ) {
    date = Date()
    self.subject = subject
    self.change = change.map { SwiftyChange(happening: $0) }
    self.state = state
    self.fate = fate
  }

  /// The action, as `String(describing:)` shows it, or `load` or `loadJSON`.
  public var action: String { String(describing: subject) }

  /// Whether no validator objected.
  public var valid: Bool { reason == nil }

  /// Why it was rejected.
  public var reason: String? {
    if case .rejected(let objection) = fate { objection.description } else { nil }
  }

  /// What viewers are to be told of a change that did not happen; `nil` if it did, or if the gate
  /// did not let it pass.
  public var objection: Objection? {
    switch fate {
    case .rejected(let objection): objection
    case .frozen: Objection(validator: "SwiftyState", reason: "the engine is stopped")
    case .applied, .refused: nil
    }
  }
}
