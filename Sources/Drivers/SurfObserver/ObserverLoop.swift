import SurfDiscovery
import SurfNetwork
import SurfSockets
import SurfThreads
import SurfTransport
import SurfWire

/// The observer's thread: moves datagrams between sockets and machines until the inbox closes.
///
/// Made on one thread and used on another, never on both at once: `Thread.start` takes it over.
final class ObserverLoop {
  private let link: Link
  private let inbox: ObserverInbox
  private let configuration: Observer.Configuration
  private let handler: @Sendable (ObserverEvent) -> Void
  private var machine: ObserverMachine
  private let beganAt = monotonicNow()
  private var outgoing: [Transmission] = []
  private var addressCheckAt = Duration.zero
  /// The most octets of what was not finished since memory was given back last.
  private var unfinishedMax = 0
  private let announcements = Announcements()

  /// Runs of packets that leave for other viewers before we look whether something has come: half a
  /// megabyte takes a fraction of a millisecond.
  private static let servedRunCountMax = 8
  /// To give memory back takes a while; for less it is not worth it.
  private static let trimmedSizeMin = 4 << 20
  /// To look at the interface takes some 50 microseconds.
  private static let addressCheckPeriod = Duration.milliseconds(500)

  init(
    link: Link, inbox: ObserverInbox, configuration: Observer.Configuration,
    handler: @escaping @Sendable (ObserverEvent) -> Void
  ) {
    self.link = link
    self.inbox = inbox
    self.configuration = configuration
    self.handler = handler
    machine = ObserverMachine(
      viewerName: configuration.viewerName, repairWindow: link.repairWindow,
      heldSizeMax: configuration.heldSizeMax, makesStates: configuration.makesStates,
      viewers: Endpoint(
        IPv4Endpoint(address: configuration.group, port: configuration.port)))
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
    guard configuration.browsesDNSSD else { return nil }
    do throws(ThreadError) {
      return try announcements.browse(interface: link.interface.index)
    } catch {
      // DNS-SD is an addition (Protocol.md §5); `doctor` looks for the daemon by itself.
      return nil
    }
  }

  /// One round: in, through the machine, out. Gives the time of the next if nothing happens.
  private func turn() -> Duration? {
    var now = monotonicNow() - beganAt
    for command in inbox.takeCommands() { machine.perform(command, at: now) }
    var mayHaveMore = false
    do throws(SocketError) {
      try followAddress(at: now)
      let overflows = link.counters.socketOverflows
      mayHaveMore = try link.receive { datagram, endpoint in
        machine.receive(datagram, from: endpoint, at: now)
        // The app may be waiting for a report; what fails is tried again below, and thrown.
        if machine.hasTransmissions { _ = Result { () throws(SocketError) in try transmit() } }
      }
      if link.counters.socketOverflows > overflows { machine.socketOverflowed() }
      now = monotonicNow() - beganAt
      machine.advance(to: now)
      giveBackMemory()
      try transmit()
      // Our own stream comes first, so others get the more the less of it waits.
      try serve(runCountMax: mayHaveMore ? 1 : Self.servedRunCountMax, at: now)
    } catch {
      pause(because: error)
    }
    tell()
    if mayHaveMore { return now }
    let serving = link.isBlocked ? nil : machine.servingDeadline(at: now)
    return [machine.deadline, serving, addressCheckAt].compactMap { $0 }.min()
  }

  /// The C library keeps what was freed, and a flood may be over. Each time that half is gone, so
  /// that little is left in the end, and seldom enough.
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
      try link.send(served)
    }
  }

  private func transmit() throws(SocketError) {
    outgoing += machine.takeTransmissions()
    if configuration.isSilent { outgoing = [] }
    try link.resume()
    while !link.isBlocked, !outgoing.isEmpty { try link.send(outgoing.removeFirst()) }
  }

  private func tell() {
    var counters = link.counters
    machine.addCounters(to: &counters)
    counters.standstills = machine.standstills(at: monotonicNow() - beganAt)
    counters.announced = announcements.instances
    inbox.report(counters)
    machine.tell(handler)
    for (answer, completion) in machine.takeAnswers() { completion(answer) }
  }

  /// A network that fails does so at once and again; looking twice a second is enough.
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
