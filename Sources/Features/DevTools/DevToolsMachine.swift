internal import JSONTree
internal import RelayClient
internal import SurfStreams

/// Keeps the history of an app, and a panel's view of it, over a relay that comes and goes.
struct DevToolsMachine: StreamMachine {
  enum Input: Sendable {
    /// The mailbox has something.
    case mail
    case action(DevToolsAction)
    /// Of the browse with this number.
    case sighting(RelaySighting, UInt)
  }

  /// What becomes of the history once the app is in the state that was restored.
  enum Change {
    /// The app is at this place.
    case place(Int)
    /// History begins anew: at the state of the start, or at the one that was committed.
    case beginning, commit
    case imported(ImportedLiftedState)
  }

  /// A restore that is under way, and what follows it.
  struct Restoring {
    let number: UInt
    let change: Change
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
  let app: AppPort
  let random: @Sendable () -> UInt64
  /// Milliseconds since 1970.
  let wallTime: @Sendable () -> Int64
  var state = DevToolsState()
  var published = DevToolsState()
  /// Nil until the app's first state is known.
  var history: History?
  /// The state at the start, as JSON.
  var initial = ""
  /// The place that the panel numbers 0.
  var panelBase = 0
  var restoring: Restoring?
  /// What is to be done after it.
  var waiting: [RemoteDevCommand] = []
  /// Whether the mailbox is being read.
  var isReading = false
  /// The last number of a restore or a browse.
  var number: UInt = 0
  var streams = StreamIDs.connecting
  var session: RelaySession?
  /// What to be connected to, for as long as it is wanted.
  var wish: RelayAddress?
  var failures = 0
  var retryAt: Duration?
  /// Whether the first relay that is found is connected to.
  var connectsToFirst = false
  var browse: Browse?
  var resolve: Resolve?
  var actions: [StreamAction] = []

  init(
    environment: DevToolsEnvironment, app: AppPort, random: @escaping @Sendable () -> UInt64,
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
    case .action(let action): apply(action, at: now)
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
  /// Does what the app or a panel asks for.
  mutating func apply(_ action: DevToolsAction, at now: Duration) {
    switch action {
    case .activate: activate(at: now)
    case .connect(let host, let port):
      connectsToFirst = false
      connect(host, port, at: now)
    case .connectToService(let service): connect(to: service, at: now)
    case .startBrowsing: startBrowsing()
    case .stopBrowsing: stopBrowsing()
    case .disconnect: disconnect()
    // Only the machine knows.
    case ._connected, ._connectionFailed, ._connectionLost: break
    case ._serviceFound(let service): add(service)
    case ._serviceRemoved(let service):
      state.discoveredServices.removeAll { $0.id == service.id }
    case ._received(let command): obey(command, at: now)
    case .jumpToAction(let index): obey(.jumpToAction(index), at: now)
    case .jumpToState(let index): obey(.jumpToState(index), at: now)
    case .toggleAction(let index): obey(.toggleAction(index), at: now)
    case .sweep: obey(.sweep, at: now)
    case .reset: obey(.reset, at: now)
    case .commit: obey(.commit, at: now)
    case .rollback: obey(.rollback, at: now)
    case .importState(let lifted): obey(.importState(lifted), at: now)
    case .dispatchAction(let text): obey(.dispatch(text), at: now)
    case .pause: obey(.pauseRecording(true), at: now)
    case .resume: obey(.pauseRecording(false), at: now)
    case .lockChanges: obey(.lockChanges(true), at: now)
    case .unlockChanges: obey(.lockChanges(false), at: now)
    }
  }

  private mutating func activate(at now: Duration) {
    switch environment.connectionMode {
    case .manual: break
    case .connectOnLaunch(let host, let port): connect(host, port, at: now)
    case .browseOnLaunch: startBrowsing()
    case .autoConnect:
      connectsToFirst = true
      startBrowsing()
    }
  }
}
