/// Keeps goals alive across restarts of the daemon, and resolves the services that browses find.
///
/// `DiscoveryDriver` takes its outputs one by one, performs them, and reports the results. Each
/// goal has its own operation with its own connection to the daemon, because Avahi's library cannot
/// share one. So each goal notices a dead daemon and retries on its own.
///
/// Avahi returns the same error, "unknown", for a dead daemon and for one that browses but may not
/// publish. A refused registration must not end the browse.
package struct DiscoveryMachine: Sendable {
  /// An app has one goal per store, a viewer one per interface.
  package static let goalCountMax = 64

  /// What the driver must do, in order.
  package enum Output: Equatable, Sendable {
    /// Start an operation, then call `opened` or `failed`.
    case open(OperationID, ServiceRequest)
    case close(OperationID)
    case event(DiscoveryEvent)
  }

  private var goals: [GoalState] = []
  private var services = KnownServices()
  private var requests: [OperationID: ServiceRequest] = [:]
  private var outputs: [Output] = []
  private var daemon = DaemonState.connecting
  private var operationCount: UInt64 = 0

  package init() {}

  /// When the driver must call `advance(to:)`, if ever.
  package var deadline: Duration? {
    (goals.compactMap(\.deadline) + [services.deadline].compactMap(\.self)).min()
  }

  /// The next output, or nil.
  package mutating func takeOutput() -> Output? {
    outputs.isEmpty ? nil : outputs.removeFirst()
  }

  /// Replaces the goals: starts new ones, and ends those that are not in `wanted`.
  package mutating func pursue(_ wanted: [DiscoveryGoal], at now: Duration) {
    for state in goals where !wanted.contains(state.goal) {
      if let id = state.operation { endGoalOperation(id) }
    }
    goals.removeAll { !wanted.contains($0.goal) }
    for goal in wanted where !goals.contains(where: { $0.goal == goal }) {
      guard goals.count < Self.goalCountMax else { break }
      goals.append(GoalState(goal, dueAt: now))
    }
    advance(to: now)
  }

  /// Starts operations that are due, and ends those that have timed out.
  package mutating func advance(to now: Duration) {
    for id in services.overdue(at: now) { expire(id, at: now) }
    for index in goals.indices where goals[index].isDue(at: now) {
      goals[index].phase = .opening(start(goals[index].request))
    }
    while let service = services.startResolve(as: nextOperation, at: now) {
      start(.resolve(service))
    }
  }
}

// Results of operations.
extension DiscoveryMachine {
  package mutating func opened(_ id: OperationID, at now: Duration) {
    switch requests[id] {
    case .resolve(let service):
      services.opened(service, as: id, for: KnownServices.resolveTimeout, at: now)
    case .address(let service, _):
      services.opened(service, as: id, for: KnownServices.addressTimeout, at: now)
    case nil: break
    case .browse, .register:
      guard let index = goals.firstIndex(where: { $0.operation == id }) else { return }
      goals[index].phase = .open(id, since: now)
      report(.running)
    }
  }

  /// An operation has answered. Late answers of ended operations are ignored.
  package mutating func answered(_ id: OperationID, _ answer: ServiceAnswer, at now: Duration) {
    switch (requests[id], answer) {
    case (.some, .failed(let failure)): failed(id, failure, at: now)
    case (.register(let advertisement, _), .registered(let name)):
      outputs.append(.event(.registered(advertisement, name: name)))
    case (.browse, .found(let service)): found(service, by: id, at: now)
    case (.browse, .removed(let service)): settle(service, services.lost(service, by: id))
    case (.resolve(let service), .resolved(let hostTarget, let port, let record)):
      resolved(
        service, KnownServices.Location(hostTarget: hostTarget, port: port, record: record), by: id)
    case (.address(let service, _), .record(let bytes)) where bytes.count == 4:
      retire(id)
      complete(service, address: bytes.map(String.init).joined(separator: "."))
    default: break
    }
    advance(to: now)
  }

  /// An operation could not start, or has ended.
  package mutating func failed(
    _ id: OperationID, _ failure: ServiceFailure, at now: Duration
  ) {
    if let service = requests[id]?.service, services.isWatched(service, by: id) {
      services.endWatch(service)
      retire(id)
    } else if requests[id]?.service != nil {
      endResolve(id, at: now)
    } else if let index = goals.firstIndex(where: { $0.operation == id }) {
      endGoalOperation(id)
      if failure != .nameConflict || !goals[index].rename(at: now) {
        wait(index, after: failure, at: now)
      }
    }
    advance(to: now)
  }
}

extension DiscoveryMachine {
  private mutating func wait(
    _ index: Int, after failure: ServiceFailure, at now: Duration
  ) {
    goals[index].fail(at: now)
    outputs.append(.event(.failed(goals[index].goal, failure)))
    if !goals.contains(where: \.isOpen) { report(.unavailable(failure)) }
  }

  private mutating func endGoalOperation(_ id: OperationID) {
    retire(id)
    for service in services.seen(by: id) {
      settle(service, services.lostAll(of: service, by: id))
    }
  }

  private mutating func found(_ service: Service, by id: OperationID, at now: Duration) {
    if services.found(service, by: id, at: now) { outputs.append(.event(.found(service))) }
  }

  private mutating func settle(_ service: Service, _ ended: [OperationID]?) {
    guard let ended else { return }
    for operation in ended { retire(operation) }
    outputs.append(.event(.removed(service)))
  }

  private mutating func expire(_ id: OperationID, at now: Duration) {
    if case .address(let service, _) = requests[id],
      let location = services.tellWithoutAddress(service, at: now)
    {
      tell(service, location)
    } else {
      endResolve(id, at: now)
    }
  }

  private mutating func endResolve(_ id: OperationID, at now: Duration) {
    switch requests[id] {
    case .resolve(let service):
      retire(id)
      services.resolveFailed(service, at: now)
    case .address(let service, _):
      retire(id)
      guard !services.isTold(service) else { return services.giveAddressUp(service) }
      complete(service, address: nil)
    default: break
    }
  }

  private mutating func resolved(
    _ service: Service, _ location: KnownServices.Location, by id: OperationID
  ) {
    if services.isWatched(service, by: id) { return changed(service, location) }
    if service.isInstance {
      retire(id)
      services.locate(service, location)
      return tell(service, location)
    }
    if !services.watch(service, by: id) { retire(id) }
    askAddress(of: service, location)
  }

  /// Asks for a service's address, because the system's resolver may know nothing of `.local`. An
  /// instance needs none: its datagrams show its address.
  private mutating func askAddress(of service: Service, _ location: KnownServices.Location) {
    let id = nextOperation
    services.locate(service, location, asking: id)
    start(.address(service, hostTarget: location.hostTarget))
  }

  private mutating func changed(_ service: Service, _ location: KnownServices.Location) {
    let change = services.change(service, to: location)
    if let told = change.told { tell(service, told) }
    guard change.isMoved else { return }
    if let operation = change.operation { retire(operation) }
    askAddress(of: service, location)
  }

  private mutating func complete(_ service: Service, address: String?) {
    guard let location = services.complete(service, address: address) else { return }
    tell(service, location)
  }

  private mutating func tell(_ service: Service, _ location: KnownServices.Location) {
    outputs.append(.event(resolution(of: service, location)))
  }

  private func resolution(
    of service: Service, _ location: KnownServices.Location
  ) -> DiscoveryEvent {
    guard service.isInstance else { return .located(LocatedService(service, location)) }
    do throws(InstanceAdvertisementError) {
      let instance = try InstanceAdvertisement(decoding: location.record)
      return .resolved(
        ResolvedService(
          service: service, hostTarget: location.hostTarget, port: location.port,
          instance: instance))
    } catch {
      return .malformed(service, error)
    }
  }

  private mutating func report(_ state: DaemonState) {
    guard state != daemon else { return }
    daemon = state
    outputs.append(.event(.daemon(state)))
  }

  private var nextOperation: OperationID { OperationID(number: operationCount + 1) }

  @discardableResult
  private mutating func start(_ request: ServiceRequest) -> OperationID {
    let id = nextOperation
    operationCount += 1
    requests[id] = request
    outputs.append(.open(id, request))
    return id
  }

  /// Drops an operation, and closes it unless the driver has not opened it yet.
  private mutating func retire(_ id: OperationID) {
    guard let request = requests.removeValue(forKey: id) else { return }
    if let index = outputs.firstIndex(of: .open(id, request)) {
      outputs.remove(at: index)
    } else {
      outputs.append(.close(id))
    }
  }
}

extension Service {
  /// The daemon ends the names of types with a dot.
  fileprivate var isInstance: Bool { type == Self.type || type == "\(Self.type)." }
}

extension ServiceRequest {
  /// The service that the request is about; nil for a goal's request.
  fileprivate var service: Service? {
    switch self {
    case .resolve(let service), .address(let service, _): service
    case .register, .browse: nil
    }
  }
}

extension LocatedService {
  fileprivate init(_ service: Service, _ location: KnownServices.Location) {
    var record = TXTRecord()
    do throws(TXTRecordError) {
      record = try TXTRecord(decoding: location.record)
    } catch {
      // The record of another program's service is optional.
    }
    self.init(
      service: service, hostTarget: location.hostTarget, port: location.port,
      address: location.address, record: record)
  }
}
