internal import ReduxDevTools
internal import SurfBasics
internal import SurfControl
internal import SurfRelay
internal import SurfStreams

/// The logic of `DevTools` on its loop's thread: keeps the app's history, connects to a relay and
/// reconnects, and obeys the panel.
struct DevToolsMachine<Action: Sendable, State: Sendable>: StreamMachine {
  enum Input: Sendable {
    /// The mailbox is no longer empty.
    case mail
    case action(DevToolsAction)
    /// From the browse with this number.
    case sighting(RelaySighting, UInt)
  }

  /// A change of the history, by the panel's numbers.
  enum Order {
    case jump(Int)
    /// `then` follows if the command succeeds.
    case rewrite(HistoryCommand<Int>, then: [HistoryCommand<Int>] = [])

    /// Whether the command selects an existing state, and no reducer computes it.
    var bringsState: Bool {
      switch self {
      case .jump, .rewrite(.replace, _): true
      case .rewrite: false
      }
    }
  }

  /// A restore in progress, with the history as it will be afterwards.
  struct Restoring {
    let number: UInt
    let order: Order
    let outcome: NumberedHistory<Action, State>
    let echo: DevToolsAction?
    let question: Int?
  }

  /// A command from a panel or from the app.
  struct Request {
    let command: PanelCommand
    /// False if the app dispatched the command in its own store, and so knows it already.
    let isNews: Bool
    /// The relay's question that the outcome answers.
    var question: Int?
  }

  /// An action for the app's own reducer.
  struct Emission {
    let number: UInt
    let action: DevToolsAction
  }

  struct Browse {
    let number: UInt
    let handle: any Sendable & AnyObject
  }

  struct Resolve {
    let browse: Browse
    let service: DiscoveredService
    let giveUpAt: Duration
  }

  let environment: DevToolsEnvironment
  let app: StoreLink<Action, State>
  let random: @Sendable () -> UInt64
  /// Milliseconds since 1970.
  let wallTime: @Sendable () -> Int64
  var state = DevToolsState()
  var published = DevToolsState()
  /// Nil until the app's first state is known.
  var history: NumberedHistory<Action, State>?
  /// Whether a panel put the app into its state. The app's next action makes it live again.
  var isTravelling = false
  /// Whether actions were dropped, so that the next one cannot be replayed on the previous state.
  var isCut = false
  var restoring: Restoring?
  /// Commands to obey after the restore.
  var waiting: [Request] = []
  /// The action to emit to the app once the current command has succeeded.
  var echo: DevToolsAction?
  /// The relay's question for the current command, and the reason if the command failed.
  var question: Int?
  var refusal: String?
  /// Whether the mailbox is being read.
  var isReading = false
  /// The app's own `DevToolsState`, after the emissions that its store has confirmed.
  var confirmedState = DevToolsState()
  /// Emissions that the app's store has not confirmed.
  var unconfirmed: [Emission] = []
  /// The latest number of a restore, browse or emission.
  var number: UInt = 0
  var streams = StreamIDs.connecting
  var session: RelaySession?
  /// The relay to connect to. Nil after `disconnect`.
  var target: RelayAddress?
  var failures = 0
  var retryAt: Duration?
  /// Whether to connect to the first relay found.
  var connectsToFirst = false
  var browse: Browse?
  var resolve: Resolve?
  var actions: [StreamAction] = []

  init(
    environment: DevToolsEnvironment, app: StoreLink<Action, State>,
    random: @escaping @Sendable () -> UInt64,
    wallTime: @escaping @Sendable () -> Int64
  ) {
    self.environment = environment
    self.app = app
    self.random = random
    self.wallTime = wallTime
  }

  mutating func receive(_ input: Input, at now: Duration) {
    switch input {
    case .mail: takeMail(at: now)
    case .action(let action): apply(action, isNews: true, at: now)
    case .sighting(let sighting, let number): see(sighting, number, at: now)
    }
  }

  mutating func advance(to now: Duration) {
    if let due = retryAt, due <= now { retry(at: now) }
    if let due = resolve?.giveUpAt, due <= now { giveUpResolving() }
    if session?.id == nil, let due = session?.giveUpAt, due <= now {
      endSession("the relay did not answer in time", at: now)
    }
    session?.link?.advance(to: now)
    drainLink(at: now)
    synchronize()
    guard state != published else { return }
    published = state
    app.board.restore(state)
  }

  var deadline: Duration? {
    [retryAt, resolve?.giveUpAt, session?.deadline].compactMap(\.self).min()
  }

  mutating func takeActions() -> [StreamAction] { actions.takeAll() }

  mutating func nextNumber() -> UInt {
    number &+= 1
    return number
  }
}

extension DevToolsMachine {
  /// Performs an action of the app or its user.
  ///
  /// - Parameter isNews: False if the app dispatched the action in its own store.
  mutating func apply(_ action: DevToolsAction, isNews: Bool, at now: Duration) {
    switch action {
    // Only the machine emits these.
    case ._connected, ._connectionFailed, ._connectionLost, ._synchronized: return
    default: break
    }
    if let command = PanelCommand(action) {
      return obey(Request(command: command, isNews: isNews), at: now)
    }
    if isNews { emit(action) }
    switch action {
    case .activate: activate(at: now)
    case .connect(let host, let port):
      connectsToFirst = false
      connect(host, port, at: now)
    case .connectToService(let service): connect(to: service, at: now)
    case .startBrowsing: startBrowsing()
    case .stopBrowsing: stopBrowsing()
    case .disconnect: disconnect()
    case ._received(let command):
      state.reduce(action)
      obey(Request(command: command.command, isNews: true), at: now)
    default: state.reduce(action)
    }
  }

  private mutating func activate(at now: Duration) {
    switch environment.connectionMode {
    case .manual: break
    case .connectOnLaunch(let host, let port):
      apply(.connect(host: host, port: port), isNews: true, at: now)
    case .browseOnLaunch: apply(.startBrowsing, isNews: true, at: now)
    case .autoConnect:
      connectsToFirst = true
      apply(.startBrowsing, isNews: true, at: now)
    }
  }

  /// Applies an event to the state, and emits it to the app.
  mutating func tell(_ event: DevToolsAction) {
    state.reduce(event)
    emit(event)
  }
}

// The app's own `DevToolsState`.
extension DevToolsMachine {
  mutating func emit(_ action: DevToolsAction) {
    guard app.takesEmissions else { return }
    let emission = Emission(number: nextNumber(), action: action)
    unconfirmed.append(emission)
    app.emit(action, emission.number)
  }

  /// Notes that the app's store has taken this emission, and all before it.
  mutating func noteTaken(_ number: UInt) {
    while let first = unconfirmed.first, first.number <= number {
      confirmedState.reduce(first.action)
      unconfirmed.removeFirst()
    }
  }

  /// Corrects the app's own state if it differs, once the store has confirmed all emissions and no
  /// restore is in progress.
  private mutating func synchronize() {
    guard app.takesEmissions, unconfirmed.isEmpty, restoring == nil else { return }
    if confirmedState.hasHistory(of: state) {
      // Now the arrays share storage, so the next comparison takes constant time.
      confirmedState.takeHistory(of: state)
    } else {
      emit(._synchronized(state))
    }
  }
}
