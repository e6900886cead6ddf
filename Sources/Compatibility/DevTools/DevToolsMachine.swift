internal import ReduxDevTools
internal import SurfControl
internal import SurfRelay
internal import SurfStreams

/// Keeps the history of an app, and a panel's view of it, over a relay that comes and goes.
struct DevToolsMachine<Action: Sendable, State: Sendable>: StreamMachine {
  enum Input: Sendable {
    /// The mailbox has something.
    case mail
    case action(DevToolsAction)
    /// Of the browse with this number.
    case sighting(RelaySighting, UInt)
  }

  /// What is done to the history, by the panel's numbers.
  enum Order {
    case jump(Int)
    /// `then` follows if something came of it.
    case rewrite(HistoryCommand<Int>, then: [HistoryCommand<Int>] = [])

    /// Whether a person chose the state, and no reducer computes it.
    var bringsState: Bool {
      switch self {
      case .jump, .rewrite(.replace, _): true
      case .rewrite: false
      }
    }
  }

  /// A restore that is under way: the history as it will be once the app is in its state.
  struct Restoring {
    let number: UInt
    let order: Order
    let outcome: NumberedHistory<Action, State>
    let surfacing: DevToolsAction?
    let question: Int?
  }

  /// A panel's command, or one of the app's.
  struct Asked {
    let command: PanelCommand
    /// Whether the app has not dispatched it in its own store.
    let isNews: Bool
    /// The number by which the relay waits for our answer.
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
  let app: AppPort<Action, State>
  let random: @Sendable () -> UInt64
  /// Milliseconds since 1970.
  let wallTime: @Sendable () -> Int64
  var state = DevToolsState()
  var published = DevToolsState()
  /// Nil until the app's first state is known.
  var history: NumberedHistory<Action, State>?
  /// Whether a panel put the app where it is: actions make it live again.
  var isTravelling = false
  /// Whether actions were dropped: the next was not applied to the state of the one before it.
  var isCut = false
  var restoring: Restoring?
  /// The commands to obey after it.
  var waiting: [Asked] = []
  /// What the app is told once the command that is being obeyed has succeeded.
  var surfacing: DevToolsAction?
  /// The question of the relay's that is being obeyed, and why nothing came of it.
  var question: Int?
  var refusal: String?
  /// Whether the mailbox is being read.
  var isReading = false
  /// What the app's own `DevToolsState` says, as far as its store has come.
  var told = DevToolsState()
  /// What its store has yet to take.
  var underWay: [Emission] = []
  /// The last number of a restore, a browse or an emission.
  var number: UInt = 0
  var streams = StreamIDs.connecting
  var session: RelaySession?
  /// The relay to be connected to, while it is wanted.
  var wish: RelayAddress?
  var failures = 0
  var retryAt: Duration?
  /// Whether to connect to the first relay found.
  var connectsToFirst = false
  var browse: Browse?
  var resolve: Resolve?
  var actions: [StreamAction] = []

  init(
    environment: DevToolsEnvironment, app: AppPort<Action, State>,
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
    app.publish(state)
  }

  var deadline: Duration? {
    [retryAt, resolve?.giveUpAt, session?.deadline].compactMap(\.self).min()
  }

  mutating func takeActions() -> [StreamAction] {
    defer { actions = [] }
    return actions
  }

  mutating func nextNumber() -> UInt {
    number &+= 1
    return number
  }
}

extension DevToolsMachine {
  /// Does what the app asks for.
  ///
  /// - Parameter isNews: Whether it did not dispatch this in its own store.
  mutating func apply(_ action: DevToolsAction, isNews: Bool, at now: Duration) {
    switch action {
    // Only the machine knows.
    case ._connected, ._connectionFailed, ._connectionLost, ._synchronized: return
    default: break
    }
    if let command = PanelCommand(action) {
      return obey(Asked(command: command, isNews: isNews), at: now)
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
      obey(Asked(command: command.command, isNews: true), at: now)
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

  /// Something happened of which the app is told.
  mutating func tell(_ event: DevToolsAction) {
    state.reduce(event)
    emit(event)
  }
}

// The app's own `DevToolsState`.
extension DevToolsMachine {
  mutating func emit(_ action: DevToolsAction) {
    guard let emit = app.emit else { return }
    let emission = Emission(number: nextNumber(), action: action)
    underWay.append(emission)
    emit(action, emission.number)
  }

  /// The app's store has taken this emission, and so those before it.
  mutating func noteTaken(_ number: UInt) {
    while let first = underWay.first, first.number <= number {
      told.reduce(first.action)
      underWay.removeFirst()
    }
  }

  /// Corrects the app's own state, once it has heard all and nothing is about to change it.
  private mutating func synchronize() {
    guard app.emit != nil, underWay.isEmpty, restoring == nil else { return }
    if told.hasHistory(of: state) {
      // Arrays that share their elements are compared at once.
      told.takeHistory(of: state)
    } else {
      emit(._synchronized(state))
    }
  }
}
