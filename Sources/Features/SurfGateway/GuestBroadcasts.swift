import SurfControl
import SurfNetwork
import SurfObserver
import SurfThreads
import SurfWire

/// The guests of the gateway on the network of apps: each has a stream of its own, so that every
/// viewer sees it.
final class GuestBroadcasts: Sendable {
  typealias Ask = @Sendable (InstanceID, GuestRequest) -> Void

  private let network: Observer.Configuration
  /// Nil once it was stopped.
  private let guests = Monitor<[InstanceID: GuestBroadcast]?>([:])
  private let hearer = Monitor<Hearer?>(nil)

  private struct Hearer { let onRequest: Ask }

  /// - Parameter network: where the gateway looks for apps.
  init(on network: Observer.Configuration) { self.network = network }

  /// - Parameter onRequest: called with what viewers ask of guests; must return soon.
  func connect(onRequest: @escaping Ask) { hearer.withLock { $0 = Hearer(onRequest: onRequest) } }

  func announce(_ guest: GuestAnnouncement) {
    let instance = guest.instance
    let broadcast = GuestBroadcast(guest, on: network) { [weak self] reset in
      self?.receive(reset, for: instance)
    }
    let isKept: Void? = guests.withLock { $0?[instance] = broadcast }
    if isKept != nil { broadcast.resume() }
  }

  func tell(_ instance: InstanceID, _ step: GuestStep) {
    let found = guests.withLock { guests in
      guests?[instance].map { (guest: $0, count: guests?.count ?? 1) }
    }
    guard let (guest, count) = found else { return }
    guest.tell(step, among: count)
    if guest.size > Self.sizeUnchecked { boundAll() }
  }

  /// With so much each, the most guests have no more together than they may.
  private static let sizeUnchecked = GatewayLimits.guestSizeMax / (2 * GatewayLimits.guestCountMax)

  /// The largest give up half of what they have first.
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

  /// A guest has done what it was asked, or not.
  func settle(_ instance: InstanceID, _ request: GuestRequest, _ answer: GuestAnswer) {
    guests.withLock { $0?[instance] }?.settle(request, answer)
  }

  func withdraw(_ instance: InstanceID) {
    guests.withLock { $0?.removeValue(forKey: instance) }?.leave()
    for guest in guests.withLock({ $0?.values.map(\.self) ?? [] }) { guest.grow() }
  }

  /// Says goodbye for all, and returns when it is said.
  func stop() {
    let rest = guests.withLock { $0.take() }
    for guest in rest?.values.map(\.self) ?? [] { guest.suspend() }
  }

  /// On the guest's own thread, on which nothing may be sent.
  private func receive(_ reset: IncomingReset, for instance: InstanceID) {
    guard let guest = guests.withLock({ $0?[instance] }) else { return }
    do throws(RefusedCommand) {
      let wish = try guest.wish(of: reset)
      hearer.withLock { $0 }?.onRequest(instance, GuestRequest(reset: reset, wish: wish))
    } catch {
      guest.refuse(reset, error.description)
    }
  }
}

/// One guest's stream.
private final class GuestBroadcast: Sendable {
  private let broadcaster: Broadcaster
  private let records = Monitor(GuestRecords())
  private let beganAt = uptimeNow()
  /// Whether it has given up some of what it kept, and keeps less.
  private let isShort = Monitor(false)

  /// There may be many guests, and each says little.
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
    // What the gateway holds a key for must not go in the clear, whoever brings it.
    configuration.sealing = network.sealing
    configuration.historySizeMax = Self.historySizeMax
    // RemoteInspector has no word for it.
    configuration.acceptsResets = guest.travels
    if guest.travels { configuration.control = Self.control }
    broadcaster = Broadcaster(configuration: configuration, onReset: onReset)
  }

  private static let control: Heartbeat.Control = [.takesCommands, .replays]

  func resume() { broadcaster.resume() }

  /// Sends a step, unless the network has taken nothing for so long that the gateway would have to
  /// wait.
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
    if let givenUp { broadcaster.note(givenUp) }
    if let record { broadcaster.post([record]) }
    if case .stand(let standing) = step { announce(standing) }
  }

  /// Octets that it keeps for viewers, and to make its next states of.
  var size: Int { broadcaster.keptSize + records.withLock { $0.size } }

  func shrink(to size: Int) {
    isShort.withLock { $0 = true }
    records.withLock { $0.shrink(to: size / 2) }
    broadcaster.bound(keptSize: size / 2)
  }

  /// Another guest has left: it may keep as much as before.
  func grow() {
    let wasShort = isShort.withLock { isShort in
      defer { isShort = false }
      return isShort
    }
    guard wasShort else { return }
    broadcaster.bound(keptSize: 2 * Self.historySizeMax)
  }

  private func announce(_ standing: GuestProgress) {
    var control = Self.control
    if standing.isLocked { control.insert(.locked) }
    if standing.isPaused { control.insert(.paused) }
    if standing.items.contains(where: \.isSkipped) { control.insert(.leavesOut) }
    broadcaster.announce(control)
  }

  /// What a viewer asks, by the guest's own numbers.
  func wish(of reset: IncomingReset) throws(RefusedCommand) -> GuestRequest.Wish {
    let history = records.withLock { $0.history }
    let bytes = reset.state?.bytes
    guard reset.isCommand else {
      guard let id = history.action(at: reset.target),
        bytes == nil || history.state(of: id) == nil || history.state(of: id) == bytes
      else {
        throw RefusedCommand(
          "it can be put into the states of the rows of its history, and into no other")
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
        throw RefusedCommand("row \(row) is no action of the history in force")
      })
  }

  func settle(_ request: GuestRequest, _ answer: GuestAnswer) {
    switch answer {
    case .done: broadcaster.answer(request.reset, with: .applied)
    case .refused(let reason): refuse(request.reset, reason)
    }
  }

  func refuse(_ reset: IncomingReset, _ reason: String) {
    broadcaster.answer(reset, with: .rejected(reason: reason))
  }

  func suspend() { broadcaster.suspend() }

  /// Says goodbye. What is queued may take half a second to leave, for which panels must not wait.
  func leave() {
    do throws(ThreadError) {
      _ = try Thread.start(name: "statesurf-bye") { self.suspend() }
    } catch {
      suspend()
    }
  }
}
