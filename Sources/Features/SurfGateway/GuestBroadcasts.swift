import SurfControl
import SurfNetwork
import SurfObserver
import SurfSockets
import SurfThreads
import SurfWire

/// Announces the gateway's guests on the network of apps, for `Gateway`. Each guest has a stream of
/// its own, so that every viewer sees it.
///
/// It encodes the guests' states on a thread of its own: with states of megabytes, panels would
/// otherwise wait for it.
final class GuestBroadcasts: Sendable {
  private let network: Observer.Configuration
  /// Nil after `stop`.
  private let guests = Monitor<[InstanceID: GuestBroadcast]?>([:])
  private let works = Monitor(Works())
  private let send: @Sendable (GatewayInput) -> Void

  private struct Works {
    var waiting: [GatewayRequest] = []
    var isBusy = false
  }

  /// - Parameters:
  ///   - network: the network where the gateway looks for apps.
  ///   - send: called with viewers' requests to guests, and after each `.report`; returns soon.
  init(on network: Observer.Configuration, send: @escaping @Sendable (GatewayInput) -> Void) {
    (self.network, self.send) = (network, send)
  }

  // MARK: Requests

  /// Queues a request to guests, or one to free the memory of those that left.
  func perform(_ request: GatewayRequest) {
    let mustStart = works.withLock { works in
      works.waiting.append(request)
      defer { works.isBusy = true }
      return !works.isBusy
    }
    guard mustStart else { return }
    do throws(ThreadError) {
      // Parsing and printing deep states recurses.
      _ = try Thread.start(name: "statesurf-guest", stackSize: 8 << 20) { [self] in work() }
    } catch {
      work()
    }
  }

  private func work() {
    while let requests = takeRequests() {
      for request in requests { carryOut(request) }
    }
  }

  /// Nil if the thread may end.
  private func takeRequests() -> [GatewayRequest]? {
    works.withLock { works in
      defer { works.waiting = [] }
      works.isBusy = !works.waiting.isEmpty
      return works.isBusy ? works.waiting : nil
    }
  }

  private func carryOut(_ request: GatewayRequest) {
    switch request {
    case .announce(let guest): announce(guest)
    case .tell(let instance, let step): tell(instance, step)
    case .settle(let instance, let request, let answer): settle(instance, request, answer)
    case .withdraw(let instance): withdraw(instance)
    case .report(let size): send(.carried(size))
    case .trimMemory: trimMemory()
    case .follow, .values, .refetch, .reset, .command, .note: break
    }
  }

  private func announce(_ guest: GuestAnnouncement) {
    let instance = guest.instance
    let broadcast = GuestBroadcast(guest, on: network) { [weak self] reset in
      self?.receive(reset, for: instance)
    }
    let isKept: Void? = guests.withLock { $0?[instance] = broadcast }
    if isKept != nil { broadcast.resume() }
  }

  private func tell(_ instance: InstanceID, _ step: GuestStep) {
    let found = guests.withLock { guests in
      guests?[instance].map { (guest: $0, count: guests?.count ?? 1) }
    }
    guard let (guest, count) = found else { return }
    guest.tell(step, among: count)
    if guest.size > Self.sizeUnchecked { boundAll() }
  }

  /// All guests together stay within the limit while each has no more than this.
  private static let sizeUnchecked = GatewayLimits.guestSizeMax / (2 * GatewayLimits.guestCountMax)

  /// The largest guests give up half of what they hold, until the sum is within the limit.
  private func boundAll() {
    let all = guests.withLock { $0?.values.map { (guest: $0, size: $0.size) } ?? [] }
    var total = all.reduce(0) { $0 + $1.size }
    guard total > GatewayLimits.guestSizeMax else { return }
    for (guest, size) in all.sorted(by: { $0.size > $1.size })
    where total > GatewayLimits.guestSizeMax {
      guest.shrink(to: size / 2)
      total -= size - size / 2
    }
  }

  /// Answers the viewer: the guest has carried out the request, or refused it.
  private func settle(_ instance: InstanceID, _ request: GuestRequest, _ answer: GuestAnswer) {
    guests.withLock { $0?[instance] }?.settle(request, answer)
  }

  private func withdraw(_ instance: InstanceID) {
    guests.withLock { $0?.removeValue(forKey: instance) }?.leave()
    for guest in guests.withLock({ $0?.values.map(\.self) ?? [] }) { guest.grow() }
  }

  /// Carries out what is queued, says goodbye for all guests, and waits until the goodbyes are
  /// sent.
  func stop() {
    works.wait { !$0.isBusy }
    let rest = guests.withLock { $0.take() }
    for guest in rest?.values.map(\.self) ?? [] { guest.suspend() }
  }

  /// Runs on the guest's own thread, which must not send.
  private func receive(_ reset: IncomingReset, for instance: InstanceID) {
    guard let guest = guests.withLock({ $0?[instance] }) else { return }
    do throws(RefusedCommand) {
      let wish = try guest.wish(of: reset)
      send(.asked(instance, GuestRequest(reset: reset, wish: wish)))
    } catch {
      guest.refuse(reset, error.description)
    }
  }
}

private final class GuestBroadcast: Sendable {
  private let broadcaster: Broadcaster
  private let records = Monitor(GuestRecords())
  private let beganAt = uptimeNow()
  /// Whether it had to shrink, and keeps less than usual.
  private let isShort = Monitor(false)

  /// Small, because there may be many guests, and each sends little.
  private static let historySizeMax = 16 * 1_024 * 1_024

  init(
    _ guest: GuestAnnouncement, on network: Observer.Configuration,
    onReset: @escaping @Sendable (IncomingReset) -> Void
  ) {
    var configuration = Broadcaster.Configuration(instance: guest.instance, app: guest.app)
    configuration.process = HostFacts(
      name: guest.host ?? HostFacts.current.name, processID: UInt32(guest.port))
    configuration.realm = network.realms.realm
    configuration.interface = network.interface
    configuration.group = network.group
    configuration.port = network.port
    configuration.registersDNSSD = network.browsesDNSSD
    // On a network with a key nothing may be sent in the clear, not even for a guest.
    configuration.sealing = network.sealing
    configuration.historySizeMax = Self.historySizeMax
    // RemoteInspector has no message for a reset.
    configuration.acceptsResets = guest.travels
    if guest.travels { configuration.control = .allCommands }
    broadcaster = Broadcaster(configuration: configuration, onReset: onReset)
  }

  func resume() { broadcaster.resume() }

  /// Sends a step, or gives its record up if the network has stalled: the gateway must not wait.
  func tell(_ step: GuestStep, among count: Int) {
    let uptime = UInt64(max(0, uptimeNow() - beganAt))
    let hasRoom = broadcaster.hasRoom
    let (record, givenUp) = records.withLock { records -> (Record?, Heartbeat.GivenUp?) in
      let before = records.givenUp
      var record: Record?
      if hasRoom {
        record = records.record(step, wallTime: wallNow(), uptime: uptime, among: count)
      } else {
        records.giveUp()
      }
      return (record, records.givenUp == before ? nil : records.givenUp)
    }
    if let givenUp { broadcaster.perform(.givenUp(givenUp)) }
    if let record { broadcaster.perform(.records([record])) }
    if case .stand(let standing) = step { announce(standing) }
  }

  /// Octets kept for viewers, and for building its next states.
  var size: Int { broadcaster.keptSize + records.withLock { $0.size } }

  func shrink(to size: Int) {
    isShort.withLock { $0 = true }
    records.withLock { $0.shrink(to: size / 2) }
    broadcaster.perform(.bound(size / 2))
  }

  /// Call when another guest has left: this one may keep as much as usual again.
  func grow() {
    let wasShort = isShort.withLock { isShort in
      defer { isShort = false }
      return isShort
    }
    guard wasShort else { return }
    broadcaster.perform(.bound(2 * Self.historySizeMax))
  }

  private func announce(_ standing: GuestProgress) {
    var control = Heartbeat.Control.allCommands
    if standing.isLocked { control.insert(.locked) }
    if standing.isPaused { control.insert(.paused) }
    if standing.items.contains(where: \.isSkipped) { control.insert(.leavesOut) }
    broadcaster.perform(.control(control))
  }

  /// Translates a viewer's request from rows to the guest's own action ids.
  func wish(of reset: IncomingReset) throws(RefusedCommand) -> GuestRequest.Wish {
    let history = records.withLock { $0.history }
    let bytes = reset.state?.bytes
    guard reset.isCommand else {
      guard let id = history.action(at: reset.target),
        bytes == nil || history.state(of: id) == nil || history.state(of: id) == bytes
      else {
        throw RefusedCommand(
          "it can only be moved to states of rows in its history")
      }
      return .jump(id, state: bytes.map { String(decoding: $0, as: UTF8.self) })
    }
    let command: HistoryCommand<UInt64>
    do throws(ControlError) {
      command = try HistoryCommand(parsing: bytes ?? [])
    } catch {
      throw RefusedCommand(error.description)
    }
    return .command(
      try command.map { row throws(RefusedCommand) in
        if let id = history.action(at: .record(SequenceNumber(row))) { return id }
        throw RefusedCommand("row \(row) is not an action of the current history")
      })
  }

  func settle(_ request: GuestRequest, _ answer: GuestAnswer) {
    switch answer {
    case .done: broadcaster.perform(.answer(request.reset, .applied))
    case .refused(let reason): refuse(request.reset, reason)
    }
  }

  func refuse(_ reset: IncomingReset, _ reason: String) {
    broadcaster.perform(.answer(reset, .rejected(reason: reason)))
  }

  func suspend() { broadcaster.suspend() }

  /// Says goodbye on a thread of its own: that may take half a second, and panels must not wait.
  func leave() {
    do throws(ThreadError) {
      _ = try Thread.start(name: "statesurf-bye") { self.suspend() }
    } catch {
      suspend()
    }
  }
}
