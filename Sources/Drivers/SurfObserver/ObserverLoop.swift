import SurfBasics
import SurfDiscovery
import SurfNetwork
import SurfReceiving
import SurfSeal
import SurfSockets
import SurfThreads
import SurfTransport
import SurfWire

/// The observer's thread: moves datagrams between sockets and the machine until the inbox closes.
///
/// Created on one thread and used on another, never on both at the same time: `Thread.start` takes
/// it over.
final class ObserverLoop {
  private let link: Link
  private let inbox: LoopInbox<ObserverCommand, NetworkCounters>
  private let configuration: Observer.Configuration
  private let handler: @Sendable (ObserverEvent) -> Void
  private var machine: ObserverMachine
  private var seal: any DatagramSeal = OpenSeal()
  private let beganAt = monotonicNow()
  private var outgoing: [Transmission] = []
  private var addressCheckAt = Duration.zero
  /// The most octets of unfinished data since memory was last trimmed.
  private var unfinishedMax = 0
  private let announcements: Announcements

  var viewer: ViewerID { machine.viewer }

  /// Runs of packets that one turn sends to other viewers before it checks for input: half a
  /// megabyte, in a fraction of a millisecond.
  private static let servedRunCountMax = 8
  /// Trimming memory takes a while, and is not worth it for less.
  private static let trimmedSizeMin = 4 << 20
  /// Checking the interface takes some 50 microseconds.
  private static let addressCheckPeriod = Duration.milliseconds(500)

  init(
    link: Link, inbox: LoopInbox<ObserverCommand, NetworkCounters>,
    configuration: Observer.Configuration,
    handler: @escaping @Sendable (ObserverEvent) -> Void
  ) {
    self.link = link
    self.inbox = inbox
    self.configuration = configuration
    self.handler = handler
    announcements = Announcements(realms: configuration.realms)
    machine = ObserverMachine(
      viewerName: configuration.viewerName, repairWindow: link.repairWindow,
      streamWindow: link.streamWindow, heldSizeMax: configuration.heldSizeMax,
      isSilent: configuration.isSilent, hasKeys: configuration.sealing != nil,
      movesOpenApps: configuration.movesOpenApps,
      viewers: Endpoint(
        IPv4Endpoint(address: configuration.group, port: configuration.port)),
      realms: configuration.realms, random: SystemRandomNumberGenerator())
    if let sealing = configuration.sealing {
      seal = ViewerSeal(sealing.ring, viewer: machine.viewer, makeCipher: sealing.makeCipher)
    }
  }

  func run() {
    let agent = browse()
    defer { agent?.stop() }
    machine.probe()
    while inbox.isOpen {
      let deadline = turn().map { beganAt + $0 }
      do throws(ThreadError) {
        _ = try inbox.poller.wait(
          reading: link.readable, writing: link.writable, until: deadline)
      } catch {
        pause()
      }
    }
  }

  private func browse() -> DiscoveryAgent? {
    // A browser transmits, through the daemon.
    guard configuration.browsesDNSSD, !configuration.isSilent else { return nil }
    do throws(ThreadError) {
      return try announcements.browse(interface: link.interface.index)
    } catch {
      // DNS-SD is optional (Protocol.md §5). `doctor` checks the daemon itself.
      return nil
    }
  }

  /// One round: receives, advances the machine, transmits. Returns when the next one is due.
  private func turn() -> Duration? {
    var now = monotonicNow() - beganAt
    for command in inbox.take() { machine.perform(command, at: now) }
    var mayHaveMore = false
    do throws(SocketError) {
      try followAddress(at: now)
      let overflows = link.counters.socketOverflows
      mayHaveMore = try receive(at: now)
      if link.counters.socketOverflows > overflows { machine.socketOverflowed() }
      now = monotonicNow() - beganAt
      machine.advance(to: now)
      giveBackMemory()
      try transmit(through: &seal)
      // Our own stream comes first. Serve others less while more of it is waiting.
      try serve(runCountMax: mayHaveMore ? 1 : Self.servedRunCountMax, at: now)
    } catch {
      pause()
    }
    report()
    if mayHaveMore { return now }
    let serving = link.isBlocked ? nil : machine.servingDeadline(at: now)
    return .least(machine.deadline, serving, addressCheckAt)
  }

  /// Returns freed memory to the system after a flood; the C library would keep it. Trims only when
  /// half is gone, so that it trims seldom and little is left in the end.
  private func giveBackMemory() {
    let size = machine.unfinishedSize
    unfinishedMax = max(unfinishedMax, size)
    guard unfinishedMax >= Self.trimmedSizeMin, size <= unfinishedMax / 2 else { return }
    trimMemory()
    unfinishedMax = size
  }

  /// Rebinds the sockets when the interface's address changes. A socket goes on sending from the
  /// address that it was bound to, and then nothing gets out.
  private func followAddress(at now: Duration) throws(SocketError) {
    guard now >= addressCheckAt else { return }
    addressCheckAt = now + Self.addressCheckPeriod
    if try link.followInterface() { machine.addressChanged(at: now) }
  }

  private func serve(runCountMax: Int, at now: Duration) throws(SocketError) {
    guard !configuration.isSilent else { return }
    for _ in 0..<runCountMax where !link.isBlocked {
      guard let served = machine.nextServed(at: now) else { return }
      for sealed in seal.seal(served) { try link.send(sealed) }
    }
  }

  /// Returns whether more may be waiting.
  private func receive(at now: Duration) throws(SocketError) -> Bool {
    // Take the seal out: the closure uses it while it uses the loop.
    var taken: any DatagramSeal = OpenSeal()
    swap(&taken, &seal)
    defer { seal = taken }
    return try link.receive(through: &taken, at: now) { datagram, endpoint, seal in
      machine.receive(
        datagram, from: endpoint, sealedUnder: seal.key(of: datagram.session), at: now)
      // The app may be waiting for a report. An error recurs in `turn`, which handles it.
      guard machine.hasTransmissions else { return }
      _ = Result { () throws(SocketError) in try transmit(through: &seal) }
    }
  }

  private func transmit(through seal: inout any DatagramSeal) throws(SocketError) {
    outgoing += machine.takeTransmissions().flatMap { seal.seal($0) }
    // A silent machine transmits nothing. Make sure of it here as well.
    if configuration.isSilent { outgoing = [] }
    try link.resume()
    while !link.isBlocked, !outgoing.isEmpty { try link.send(outgoing.removeFirst()) }
  }

  private func report() {
    var counters = link.counters
    machine.addCounters(to: &counters)
    let now = monotonicNow() - beganAt
    machine.addUnansweredTimes(to: &counters, at: now)
    counters.sealedUnder = machine.sealedUnder
    counters.otherRealmCount = machine.otherRealms.count(at: now)
    counters.announced = announcements.instances
    inbox.report(counters)
    machine.deliverEvents(to: handler)
    for (answer, completion) in machine.takeAnswers() { completion(answer) }
  }

  /// Waits half a second, because a broken network fails again immediately.
  private func pause() {
    inbox.report(link.counters)
    do throws(ThreadError) {
      _ = try inbox.poller.wait(
        reading: [], writing: [], until: monotonicNow() + .milliseconds(500))
    } catch {
      inbox.close()
    }
  }
}

/// The instances that DNS-SD announces. If one is announced but not heard, its group does not reach
/// this viewer, and the viewer says so.
final class Announcements: Sendable {
  private struct Known {
    var services: [Service: ResolvedService] = [:] { didSet { list() } }
    private(set) var instances: [InstanceID: InstanceAdvertisement] = [:]

    private mutating func list() {
      let pairs = services.values.map { service in
        let id = InstanceID(
          high: UInt64(truncatingIfNeeded: service.instance.id >> 64),
          low: UInt64(truncatingIfNeeded: service.instance.id))
        return (id, service.instance)
      }
      instances = Dictionary(pairs) { first, _ in first }
    }
  }

  private let known = Monitor(Known())
  private let realms: RealmFilter

  /// - Parameter realms: Which instances to keep.
  init(realms: RealmFilter) { self.realms = realms }

  /// Far more than a LAN has. It bounds the memory that a flood of invented instances can take.
  private static let countMax = 256

  /// Read at every turn of the loop.
  var instances: [InstanceID: InstanceAdvertisement] { known.withLock { $0.instances } }

  /// Browses on an interface for as long as the returned agent lives.
  func browse(interface: UInt32) throws(ThreadError) -> DiscoveryAgent {
    let agent = try DiscoveryAgent { [self] event in
      switch event {
      case .resolved(let service):
        guard shows(service.instance) else { return }
        known.withLock {
          if $0.services.count < Self.countMax { $0.services[service.service] = service }
        }
      case .removed(let service): known.withLock { $0.services[service] = nil }
      default: break
      }
    }
    agent.pursue(.browse(interface: interface))
    return agent
  }

  private func shows(_ instance: InstanceAdvertisement) -> Bool {
    do throws(RealmError) {
      return realms.shows(instance.realm.isEmpty ? nil : try Realm(instance.realm))
    } catch {
      // Protocol.md §5.1: with an invalid realm, it describes no instance.
      return false
    }
  }
}

extension ObserverMachine {
  package func addCounters(to all: inout NetworkCounters) {
    all.arrivals += counters.arrivals
    all.repairsReceived += counters.repairsReceived
    all.naksSent += counters.naksSent
    all.duplicates += counters.duplicates
    all.recordsLost.add(counters.recordsLost)
    all.packetsFromViewers += counters.packetsFromViewers
    all.packetsToViewers += counters.packetsToViewers
    all.failedChecks += counters.failedChecks
    all.drops.add(counters.drops)
    all.upload = largestUpload.map {
      UploadProgress(received: $0.acknowledged, total: $0.total, share: $0.share)
    }
  }

  func addUnansweredTimes(to all: inout NetworkCounters, at now: Duration) {
    for (session, silence, place) in unansweredTimes(at: now) {
      all.unansweredTimes[session] = silence
      all.silentPlaces[session] = place.ipv4
    }
  }
}
