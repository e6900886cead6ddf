public import FoundationEssentials
internal import SurfBasics
public import SurfStore

/// The data that `SwiftyEngine` keeps apart from the state. Setters return what they replace, so
/// that the program's values are not released under the lock.
struct Notebook: Sendable {
  typealias Rule = Validator<any SwiftyStateStoreProtocol>

  struct Subscriber: Sendable {
    let body: SwiftySubscription.Body
    let subscription: Subscription
  }

  private(set) var validators: [Rule] = []
  var isRunning = true
  var gate: SwiftyGate?
  /// Whether no row led to the state, so that the next change does not follow from the last row.
  var isElsewhere = false
  var travel = Travel()
  var subscribers: [String: Subscriber] = [:]
  var observers: [Int: Listener<SwiftyRow>] = [:]
  var isDebugging = false
  private(set) var rows = RowLog()
  private var subscriberCount = 0
  private var observerCount = 0

  /// Adds a validator, or replaces the one with the same name and returns that.
  mutating func set(_ validator: Rule) -> Rule? {
    guard let index = validators.firstIndex(where: { $0.name == validator.name }) else {
      validators.append(validator)
      return nil
    }
    defer { validators[index] = validator }
    return validators[index]
  }

  mutating func add(_ subscriber: Subscriber) -> String {
    subscriberCount += 1
    let id = "f\(subscriberCount)"
    subscribers[id] = subscriber
    return id
  }

  mutating func add(_ observer: Listener<SwiftyRow>) -> Int {
    observerCount += 1
    observers[observerCount] = observer
    return observerCount
  }

  mutating func startDebug(_ row: SwiftyRow, rowCountMax: Int) -> [SwiftyRow] {
    isDebugging = true
    rows.countMax = max(rowCountMax, 1)
    return rows.isEmpty ? rows.append(row) : []
  }

  /// Keeps a row while debugging. Returns the rows that it evicts.
  mutating func collect(_ row: SwiftyRow) -> [SwiftyRow] { isDebugging ? rows.append(row) : [] }
}

/// A struct, because Swift rewraps a closure that is a generic value at each access.
struct SwiftyGate: Sendable {
  let admits: @Sendable (SwiftyChange) -> Bool
}

/// The newest rows, up to a limit.
struct RowLog: Sendable {
  var countMax = 1
  private var rows = Queue<SwiftyRow>()

  var isEmpty: Bool { rows.isEmpty }
  var elements: [SwiftyRow] { Array(rows) }

  /// - Returns: the rows that it evicts.
  mutating func append(_ row: SwiftyRow) -> [SwiftyRow] {
    rows.append(row)
    var forgotten: [SwiftyRow] = []
    while rows.count > countMax, let first = rows.popFirst() { forgotten.append(first) }
    return forgotten
  }
}

/// The states for `undo` and `redo`.
struct Travel: Sendable {
  typealias State = any SwiftyStateStoreProtocol

  static let pastCountMax = 100

  private var past: [State] = []
  private var future: [State] = []

  /// Adds the state before a change. Returns the states that are no longer reachable: releasing
  /// them can run the program's code, so the caller does that outside the lock.
  mutating func changed(from previous: State) -> [State] {
    var forgotten = future
    future = []
    past.append(previous)
    if past.count > Self.pastCountMax { forgotten.append(past.removeFirst()) }
    return forgotten
  }

  /// Goes back to the state before the last change, if it is kept.
  mutating func undo(from state: State) -> State? {
    guard let previous = past.popLast() else { return nil }
    future.append(state)
    return previous
  }

  /// Goes back to the state before the last `undo`, if it is kept.
  mutating func redo(from state: State) -> State? {
    guard let next = future.popLast() else { return nil }
    past.append(state)
    return next
  }
}

/// The change that a row made to the state, for viewers that replay it.
public struct SwiftyChange: Sendable, CustomStringConvertible, CustomReflectable {
  let event: SwiftyEngine.Event

  /// The action, as `String(describing:)` shows it, or `load` or `loadJSON`.
  public var description: String { String(describing: event.subject) }

  /// The mirror of the action itself.
  public var customMirror: Mirror { Mirror(reflecting: event.subject) }

  /// The state after the change. It depends only on `state`, so viewers can skip an earlier change.
  public func applied<State: SwiftyStateStoreProtocol>(to state: State) -> State {
    switch event {
    case .run(let action, _): action.reducer(state: state) as? State ?? state
    case .load(let loaded, _): loaded as? State ?? state
    }
  }
}

/// One change of the state, or one that was prevented.
public struct SwiftyRow: Sendable {
  /// The outcome of a change.
  public enum Outcome: Hashable, Sendable {
    /// The change took effect.
    case applied
    /// A validator objected to the new state.
    case rejected(Objection)
    /// The engine was stopped.
    case frozen
    /// The gate refused the change, for reasons of its own.
    case refused
  }

  /// When the change happened.
  public let date: Date
  /// The state afterwards; `nil` if no store was set.
  public let state: (any SwiftyStateStoreProtocol)?
  /// The outcome of the change.
  public let fate: Outcome
  /// The change; `nil` if the row marks the start of debugging.
  public let change: SwiftyChange?
  private let subject: any Sendable

  init(
    _ subject: any Sendable, state: (any SwiftyStateStoreProtocol)?, fate: Outcome = .applied,
    change: SwiftyEngine.Event? = nil
  ) {
    date = Date()
    self.subject = subject
    self.change = change.map { SwiftyChange(event: $0) }
    self.state = state
    self.fate = fate
  }

  /// The action, as `String(describing:)` shows it, or `load` or `loadJSON`.
  public var action: String { String(describing: subject) }

  /// Whether no validator objected.
  public var valid: Bool { reason == nil }

  /// Why a validator rejected the change.
  public var reason: String? {
    if case .rejected(let objection) = fate { objection.description } else { nil }
  }

  /// The objection for viewers to show; `nil` if the change took effect or the gate refused it.
  public var objection: Objection? {
    switch fate {
    case .rejected(let objection): objection
    case .frozen: Objection(validator: "SwiftyState", reason: "the engine is stopped")
    case .applied, .refused: nil
    }
  }
}
