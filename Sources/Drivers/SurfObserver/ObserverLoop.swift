import SurfBasics
import SurfDiscovery
import SurfNetwork
import SurfReceiving
import SurfSeal
import SurfSockets
import SurfThreads
import SurfTransport
import SurfWire

/// The observer's thread: moves datagrams between sockets and machines until the inbox closes.
///
/// Made on one thread and used on another, never on both at once: `Thread.start` takes it over.
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
  /// The most octets of unfinished data since memory was last given back.
  private var unfinishedMax = 0
  private let announcements: Announcements

  var viewer: ViewerID { machine.viewer }

  /// Runs of packets to send to other viewers before we check for input: half a megabyte takes a
  /// fraction of a millisecond.
  private static let servedRunCountMax = 8
  /// Giving memory back takes a while; for less it is not worth it.
  private static let trimmedSizeMin = 4 << 20
  /// Looking at the interface takes some 50 microseconds.
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
    if let sealing = configuration.sealing { seal = sealing.viewerSeal(machine.viewer) }
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
        pause(because: .threads(error))
      }
    }
  }

  private func browse() -> DiscoveryAgent? {
    // To browse is to ask, through the daemon.
    guard configuration.browsesDNSSD, !configuration.isSilent else { return nil }
    do throws(ThreadError) {
      return try announcements.browse(interface: link.interface.index)
    } catch {
      // DNS-SD is an addition (Protocol.md §5); `doctor` looks for the daemon itself.
      return nil
    }
  }

  /// One round: in, through the machine, out. Returns the time of the next if nothing happens.
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
      // Our own stream comes first: the less of it waits, the more others get.
      try serve(runCountMax: mayHaveMore ? 1 : Self.servedRunCountMax, at: now)
    } catch {
      pause(because: error)
    }
    tell()
    if mayHaveMore { return now }
    let serving = link.isBlocked ? nil : machine.servingDeadline(at: now)
    return .least(machine.deadline, serving, addressCheckAt)
  }

  /// The C library keeps what was freed, and a flood may be over. We trim each time that half is
  /// gone: little is left in the end, and we trim seldom.
  private func giveBackMemory() {
    let size = machine.unfinishedSize
    unfinishedMax = max(unfinishedMax, size)
    guard unfinishedMax >= Self.trimmedSizeMin, size <= unfinishedMax / 2 else { return }
    trimMemory()
    unfinishedMax = size
  }

  /// A socket sends from the address that it was bound to, even when the interface has another one:
  /// then nothing leaves any more.
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

  /// Whether there may be more.
  private func receive(at now: Duration) throws(SocketError) -> Bool {
    // Taken out, as it is used while the loop is.
    var taken: any DatagramSeal = OpenSeal()
    swap(&taken, &seal)
    defer { seal = taken }
    return try link.receive(through: &taken, at: now) { datagram, endpoint, seal in
      machine.receive(
        datagram, from: endpoint, sealedUnder: seal.key(of: datagram.session), at: now)
      // The app may be waiting for a report; a failure is retried later, and thrown there.
      guard machine.hasTransmissions else { return }
      _ = Result { () throws(SocketError) in try transmit(through: &seal) }
    }
  }

  private func transmit(through seal: inout any DatagramSeal) throws(SocketError) {
    outgoing += machine.takeTransmissions().flatMap { seal.seal($0) }
    // The machine has nothing for us then; this holds whatever it does.
    if configuration.isSilent { outgoing = [] }
    try link.resume()
    while !link.isBlocked, !outgoing.isEmpty { try link.send(outgoing.removeFirst()) }
  }

  private func tell() {
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

  /// A failing network fails at once and again; looking twice a second is enough.
  private func pause(because error: SocketError) {
    var counters = link.counters
    counters.problem = "\(error)"
    inbox.report(counters)
    do throws(ThreadError) {
      _ = try inbox.poller.wait(
        reading: [], writing: [], until: monotonicNow() + .milliseconds(500))
    } catch {
      inbox.close()
    }
  }
}
