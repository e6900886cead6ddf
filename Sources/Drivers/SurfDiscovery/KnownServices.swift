import SurfBasics

/// The services that browses see, and how far each is resolved, for `DiscoveryMachine`.
///
/// The daemon reports a service once per address family, so sightings are counted: a service is
/// present from the first to the last of them.
struct KnownServices: Sendable {
  /// Bounds the memory that strangers on the network can make us use.
  static let countMax = 1024
  /// Each open resolve costs a thread and a bus connection inside the library.
  static let resolveCountMax = 64
  /// Resolves that stay open, to learn of a changed record. A person has a few relays.
  ///
  /// Two things remain unknown: changes of services beyond this number, since each costs a thread;
  /// and the removal of a record without a replacement, which Avahi's library does not report. The
  /// record of an instance never changes, so its resolves are not kept open.
  static let watchCountMax = 16
  /// A present service answers within a second. The daemon's own queries end after five.
  static let resolveTimeout: Duration = .seconds(5)
  /// A daemon that has just resolved a service knows the address.
  static let addressTimeout: Duration = .seconds(2)
  /// For a daemon that halted for a moment. Bounded, because strangers' services without an address
  /// would use up the resolves of others.
  static let lateAddressTimeout: Duration = .seconds(10)

  enum Resolution: Equatable, Sendable {
    case waiting(until: Duration)
    /// Requested, and not open yet.
    case opening(OperationID)
    case open(OperationID, until: Duration)
    /// Reported without its address, which is still requested.
    case told(OperationID, until: Duration)
    case resolved

    var operation: OperationID? {
      switch self {
      case .opening(let id), .open(let id, _), .told(let id, _): id
      case .waiting, .resolved: nil
      }
    }

    /// When the operation times out.
    var end: Duration? {
      switch self {
      case .open(_, let until), .told(_, let until): until
      case .waiting, .opening, .resolved: nil
      }
    }
  }

  /// Where a service is, and its record.
  struct Location: Equatable, Sendable {
    let hostTarget: String
    let port: UInt16
    var record: [UInt8]
    var address: String?
  }

  private struct Entry {
    let service: Service
    var sightings: [OperationID: Int]
    var resolution: Resolution
    var failures = 0
    var location: Location?
    /// The resolve that stays open.
    var watch: OperationID?

    var operations: [OperationID] { [resolution.operation, watch].compactMap(\.self) }
  }

  private var entries: [Service: Entry] = [:]

  /// - Returns: whether the service is new, and was kept.
  mutating func found(_ service: Service, by browse: OperationID, at now: Duration) -> Bool {
    if entries[service] != nil {
      entries[service]?.sightings[browse, default: 0] += 1
      return false
    }
    guard entries.count < Self.countMax else { return false }
    entries[service] = Entry(
      service: service, sightings: [browse: 1], resolution: .waiting(until: now))
    return true
  }

  /// Takes one sighting back. After the last, returns the operations to end.
  mutating func lost(_ service: Service, by browse: OperationID) -> [OperationID]? {
    guard let entry = entries[service], let count = entry.sightings[browse] else { return nil }
    entries[service]?.sightings[browse] = count > 1 ? count - 1 : nil
    guard count == 1, entry.sightings.count == 1 else { return nil }
    entries[service] = nil
    return entry.operations
  }

  /// Every service that a browse sees, by name.
  func seen(by browse: OperationID) -> [Service] {
    entries.values.filter { $0.sightings[browse] != nil }.map(\.service)
      .inOrder { ($0.name, $0.interface) < ($1.name, $1.interface) }
  }

  /// Takes all sightings of an ended browse back, as `lost` does for one.
  mutating func lostAll(of service: Service, by browse: OperationID) -> [OperationID]? {
    if entries[service]?.sightings[browse] != nil { entries[service]?.sightings[browse] = 1 }
    return lost(service, by: browse)
  }
}

// Services that may change after they were resolved.
extension KnownServices {
  /// Lets a resolve that has answered stay open, unless too many do.
  mutating func watch(_ service: Service, by id: OperationID) -> Bool {
    let count = entries.values.count { $0.watch != nil }
    guard entries[service] != nil, count < Self.watchCountMax else { return false }
    entries[service]?.watch = id
    return true
  }

  func isWatched(_ service: Service, by id: OperationID) -> Bool { entries[service]?.watch == id }

  mutating func endWatch(_ service: Service) { entries[service]?.watch = nil }

  /// The record of a watched service has changed. Returns what to report, if the service was
  /// reported before. If it has moved to another machine, returns the address operation to end.
  mutating func change(
    _ service: Service, to location: Location
  ) -> (told: Location?, isMoved: Bool, operation: OperationID?) {
    guard let entry = entries[service], let old = entry.location else { return (nil, false, nil) }
    guard old.hostTarget == location.hostTarget else {
      return (nil, true, entry.resolution.operation)
    }
    var location = location
    location.address = old.address
    entries[service]?.location = location
    guard location != old else { return (nil, false, nil) }
    switch entry.resolution {
    case .told, .resolved: return (location, false, nil)
    case .waiting, .opening, .open: return (nil, false, nil)
    }
  }
}

// Resolving: the longest wait first, and a bounded number at a time.
extension KnownServices {
  private var isResolveFree: Bool {
    entries.values.count { $0.resolution.operation != nil } < Self.resolveCountMax
  }

  private var nextWaiting: (service: Service, until: Duration)? {
    let waiting = entries.values.compactMap { entry -> (service: Service, until: Duration)? in
      guard case .waiting(let until) = entry.resolution else { return nil }
      return (entry.service, until)
    }
    return waiting.min { ($0.until, $0.service.name) < ($1.until, $1.service.name) }
  }

  /// Starts the next resolve that is due, unless too many are open.
  mutating func startResolve(as id: OperationID, at now: Duration) -> Service? {
    guard isResolveFree, let next = nextWaiting, next.until <= now else { return nil }
    entries[next.service]?.resolution = .opening(id)
    return next.service
  }

  mutating func opened(
    _ service: Service, as id: OperationID, for timeout: Duration, at now: Duration
  ) {
    guard entries[service]?.resolution == .opening(id) else { return }
    entries[service]?.resolution = .open(id, until: now + timeout)
  }

  /// A resolve has answered. `id`: the operation that requests the address, if one does.
  mutating func locate(_ service: Service, _ location: Location, asking id: OperationID? = nil) {
    entries[service]?.location = location
    entries[service]?.resolution = id.map { .opening($0) } ?? .resolved
  }

  /// The address has arrived; nil if it will not.
  mutating func complete(_ service: Service, address: String?) -> Location? {
    entries[service]?.resolution = .resolved
    entries[service]?.location?.address = address
    return entries[service]?.location
  }

  /// The address is late. The first time, returns the location without it.
  mutating func tellWithoutAddress(_ service: Service, at now: Duration) -> Location? {
    guard case .open(let id, _) = entries[service]?.resolution else { return nil }
    entries[service]?.resolution = .told(id, until: now + Self.lateAddressTimeout)
    return entries[service]?.location
  }

  /// Stops asking for the address of a service that was reported without it.
  mutating func giveAddressUp(_ service: Service) { entries[service]?.resolution = .resolved }

  func isTold(_ service: Service) -> Bool {
    if case .told = entries[service]?.resolution { true } else { false }
  }

  /// Makes a resolve wait for its next try.
  mutating func resolveFailed(_ service: Service, at now: Duration) {
    guard var entry = entries[service] else { return }
    entry.failures += 1
    entry.resolution = .waiting(until: now + GoalState.backoff.delay(failures: entry.failures))
    entries[service] = entry
  }

  /// The open resolves that were not answered in time.
  func overdue(at now: Duration) -> [OperationID] {
    entries.values.compactMap { entry -> OperationID? in
      guard let end = entry.resolution.end, end <= now else { return nil }
      return entry.resolution.operation
    }.inOrder { $0.number < $1.number }
  }

  /// When the next resolve can start or times out.
  var deadline: Duration? {
    let ends = entries.values.compactMap(\.resolution.end)
    let starts = isResolveFree ? nextWaiting.map { [$0.until] } ?? [] : []
    return (ends + starts).min()
  }
}
