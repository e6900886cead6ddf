extension DevToolsMachine {
  mutating func startBrowsing() {
    guard browse == nil else { return }
    state.reduce(.startBrowsing)
    browse = begin(environment.serviceType)
  }

  /// Keeps the services found so far, so that a user can still pick one.
  mutating func stopBrowsing() {
    browse = nil
    state.reduce(.stopBrowsing)
  }

  private mutating func begin(_ type: String) -> Browse {
    let number = nextNumber()
    return Browse(number: number, handle: app.browse(type, number))
  }

  mutating func connect(to service: DiscoveredService, at now: Duration) {
    connectsToFirst = false
    let known = state.discoveredServices.first { $0.id == service.id && $0.isResolved }
    let best = service.isResolved ? service : known ?? service
    if let host = best.host, let port = best.port { return connect(host, port, at: now) }
    disconnect()
    resolve = Resolve(
      browse: begin(service.type), service: service,
      giveUpAt: now + environment.resolvePatience)
    state.connectionStatus = .connecting
  }

  mutating func giveUpResolving() {
    guard let name = resolve?.service.name else { return }
    resolve = nil
    tell(._connectionFailed(DevToolsError.couldNotResolveService(name)))
  }

  mutating func see(_ sighting: RelaySighting, _ number: UInt, at now: Duration) {
    if number == resolve?.browse.number { return resolved(sighting, at: now) }
    // Otherwise it is a late sighting of a browse that has stopped.
    guard number == browse?.number else { return }
    switch sighting {
    case .found(let service):
      tell(._serviceFound(service))
      connectToFirst(service, at: now)
    case .removed(let service): tell(._serviceRemoved(service))
    case .failed(let reason): note(.connection(reason))
    }
  }

  private mutating func connectToFirst(_ service: DiscoveredService, at now: Duration) {
    guard connectsToFirst, session == nil, retryAt == nil, let host = service.host,
      let port = service.port
    else { return }
    emit(.connect(host: host, port: port))
    connect(host, port, at: now)
  }

  private mutating func resolved(_ sighting: RelaySighting, at now: Duration) {
    guard case .found(let service) = sighting, service.id == resolve?.service.id,
      let host = service.host, let port = service.port
    else { return }
    resolve = nil
    emit(.connect(host: host, port: port))
    connect(host, port, at: now)
  }
}

extension DiscoveredService {
  var isResolved: Bool { host != nil && port != nil }
}
