import Glibc
import SurfSeal
import SurfSockets
import SurfThreads
import SurfTransport
import SurfWire

/// The part of a `Broadcaster` that outlives its thread: the machine with its history, and the
/// inbox. It sends on that thread, or directly on the caller's to avoid a thread switch.
final class BroadcastStation: Sendable {
  /// What only one thread at a time may use.
  private struct Engine {
    var machine: BroadcastMachine
    /// Outlives each link, because a sealed datagram's number must never repeat.
    var seal: any DatagramSeal
    /// Nil without a network.
    var link: Link?
    /// Wakes the broadcaster's thread when something is due although nothing has happened.
    var timer: DeadlineTimer?
    /// An error on a caller's thread, which the broadcaster's thread handles.
    var fault: SocketError?
    /// When the broadcaster's thread wakes, unless it is woken earlier.
    var sleepsUntil = Duration.zero
  }

  /// How the broadcaster's thread waits between two turns, apart from the timer.
  struct Pause {
    /// Blocked sockets.
    let writing: [Int32]
    /// Whether there may be more to read without waiting.
    let mayHaveMore: Bool
  }

  private struct Watchers {
    /// Until when somebody watches; nil if nobody ever did.
    var end: Duration?
    /// Until when each viewer watches.
    var viewers: [ViewerID: Duration] = [:]

    /// Anybody can say hello under any name, so the number is limited.
    private static let viewerCountMax = 1_024

    mutating func note(_ news: Audience.News, at now: Duration) {
      end = news.end
      viewers = viewers.filter { now < $0.value }
      for viewer in news.viewers where viewers.count < Self.viewerCountMax {
        viewers[viewer] = news.end
      }
    }
  }

  let inbox = BroadcastInbox()
  private let engine: Monitor<Engine>
  private let onReset: @Sendable (IncomingReset) -> Void
  private let beganAt = monotonicNow()
  private let process = getpid()
  private let linkCounters = Monitor(NetworkCounters())
  private let onArrival: (@Sendable () -> Void)?
  private let onAbandon: (@Sendable (RequestKey) -> Void)?
  private let watchers = Monitor(Watchers())

  /// The runs that one thread sends in a row, before another that waits for the engine gets its
  /// turn.
  private static let runCountMax = 16
  /// The thread may wake this much too early: setting the timer again takes a system call.
  private static let earlinessMax = Duration.milliseconds(1)
  /// The thread wakes this much later than it could, as a sleeping thread does anyway (prctl(2),
  /// PR_SET_TIMERSLACK). More packets are then due together, and leave with fewer system calls.
  private static let slack = Duration.microseconds(50)

  init(
    configuration: Broadcaster.Configuration, onReset: @escaping @Sendable (IncomingReset) -> Void
  ) {
    self.onReset = onReset
    onArrival = configuration.onArrival
    onAbandon = configuration.onAbandon
    let machine = BroadcastMachine(
      configuration: configuration,
      datagramSize: Self.datagramSize(on: configuration.interface))
    let seal: (any DatagramSeal)? = configuration.sealing?.appSeal(session: machine.session)
    engine = Monitor(Engine(machine: machine, seal: seal ?? OpenSeal()))
  }

  /// Treats an interface that does not exist yet as Ethernet.
  private static func datagramSize(on interface: String) -> Int {
    do throws(SocketError) {
      return try NetworkInterface.named(interface).datagramSize
    } catch {
      return Limits.datagramSizeMax
    }
  }

  /// Time since the station was created.
  private var now: Duration { monotonicNow() - beganAt }

  var counters: NetworkCounters {
    var counters = linkCounters.withLock { $0 }
    engine.withLock { $0.machine.addCounters(to: &counters) }
    return counters
  }

  var isWatched: Bool { watchers.withLock { $0.end }.map { now < $0 } ?? false }

  var viewerCount: Int { watchers.withLock { $0.viewers.values.count { now < $0 } } }

  /// When a viewer that follows last requested something, by `monotonicNow()`; nil if nobody
  /// follows.
  var lastRequest: Duration? {
    guard isWatched else { return nil }
    return engine.withLock { $0.machine.lastRequest }.map { $0 + beganAt }
  }

  private func report(_ audience: Audience.News?) {
    guard let audience else { return }
    watchers.withLock { $0.note(audience, at: now) }
    if audience.isArrival { onArrival?() }
  }

  private func note(_ machine: BroadcastMachine) {
    inbox.note(unsentSize: machine.unsentSize, keptSize: machine.keptSize)
  }

  func report(_ counters: NetworkCounters) { linkCounters.withLock { $0 = counters } }

  func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets {
    let (packets, audience) = engine.withLock { engine in
      // Commands queued while another thread had the engine. Without a network, nobody else takes
      // them.
      let commands = inbox.takeCommands()
      if !commands.isEmpty { engine.machine.perform(commands, at: now) }
      defer { note(engine.machine) }
      let packets = engine.machine.ownPackets(from: place, sizeMax: sizeMax, at: now)
      return (packets, engine.machine.takeAudienceNews())
    }
    report(audience)
    return packets
  }

  var unsentSize: Int {
    engine.withLock { $0.machine.unsentSize + ($0.link?.isBlocked == true ? 1 : 0) }
  }

  /// Sends what waits for the socket, and nothing new. Returns the sockets that are still blocked.
  func clear() throws(SocketError) -> [Int32] {
    try engine.withLock { engine throws(SocketError) in
      try engine.link?.resume()
      return engine.link?.writable ?? []
    }
  }

  /// Call it after `clear()`, and nothing but `clear()` after it.
  func sayGoodbye() throws(SocketError) {
    try engine.withLock { engine throws(SocketError) in
      // The final counts may still wait there.
      engine.machine.perform(inbox.takeCommands(), at: now)
      try send(engine.machine.farewell(at: now), &engine)
    }
  }

  /// Sets the network to use from now on; nil for none.
  func attach(_ link: sending Link?, _ timer: DeadlineTimer?) {
    engine.withLock { engine in
      engine.link = link
      engine.timer = timer
      engine.fault = nil
    }
  }

  /// One turn on the broadcaster's thread: receives, runs the machine, sends.
  func turn() throws(SocketError) -> Pause {
    let (result, resets, abandoned, audience) = engine.withLock { engine in
      let result = Result { () throws(SocketError) in try turn(&engine) }
      note(engine.machine)
      return (
        result, engine.machine.takeResets(), engine.machine.takeAbandoned(at: now),
        engine.machine.takeAudienceNews()
      )
    }
    // The app's code runs after unlocking.
    report(audience)
    resets.forEach(onReset)
    if let onAbandon { abandoned.forEach(onAbandon) }
    return try result.get()
  }

  /// Performs a command and sends on the caller's thread, if no other thread has the engine.
  /// Otherwise, and for whatever cannot be sent yet, the broadcaster's thread does it.
  func perform(_ command: BroadcastMachine.Command) {
    let isDone: Void? = engine.withLockIfFree { engine in
      do throws(SocketError) {
        let end = try transmit(&engine, behind: [command])
        if engine.link?.isBlocked == true { inbox.wake() }
        if end < engine.sleepsUntil || end > engine.sleepsUntil + Self.earlinessMax {
          sleep(until: end, &engine)
        }
      } catch {
        engine.fault = error
        inbox.wake()
      }
      note(engine.machine)
    }
    guard isDone == nil else { return }
    inbox.append(command)
    inbox.wake()
  }

  private func turn(_ engine: inout Engine) throws(SocketError) -> Pause {
    if let fault = engine.fault { throw fault }
    let start = now
    var mayHaveMore = false
    if let link = engine.link {
      // Taken out, because the seal and the machine are used at the same time.
      var seal: any DatagramSeal = OpenSeal()
      swap(&seal, &engine.seal)
      defer { engine.seal = seal }
      mayHaveMore = try link.receive(through: &seal, at: start) { datagram, endpoint, _ in
        engine.machine.receive(datagram, from: endpoint, at: start)
      }
    }
    sleep(until: try transmit(&engine), &engine)
    if let link = engine.link { report(link.counters) }
    return Pause(writing: engine.link?.writable ?? [], mayHaveMore: mayHaveMore)
  }

  private func send(
    _ transmission: Transmission, _ engine: inout Engine
  ) throws(SocketError) {
    // Protocol.md §18.2, rule 3: a forked child has the same key and numbers, and must not use
    // them.
    guard let link = engine.link, getpid() == process else { return }
    for sealed in engine.seal.seal(transmission) { try link.send(sealed) }
  }

  private func sleep(until end: Duration, _ engine: inout Engine) {
    engine.timer?.set(beganAt + end + Self.slack)
    engine.sleepsUntil = end
  }

  /// Sends what may leave. Returns when there is more to do.
  ///
  /// - Parameter commands: commands to perform after all queued ones.
  private func transmit(
    _ engine: inout Engine, behind commands: [BroadcastMachine.Command] = []
  ) throws(SocketError) -> Duration {
    let commands = inbox.takeCommands() + commands
    if !commands.isEmpty { engine.machine.perform(commands, at: now) }
    // The broadcaster's thread is about to open a network.
    guard let link = engine.link else { return engine.sleepsUntil }
    try link.resume()
    for _ in 0..<Self.runCountMax where !link.isBlocked {
      guard let next = engine.machine.nextTransmission(at: now) else { break }
      try send(next, &engine)
    }
    // The poller reports when a blocked socket is writable. The second is a safety net.
    return link.isBlocked ? now + .seconds(1) : engine.machine.deadline(at: now)
  }
}

extension BroadcastMachine {
  /// - Parameter random: unpredictable, except in a test.
  package init(
    configuration: Broadcaster.Configuration, datagramSize: Int,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    var limits = Sender.Configuration()
    limits.datagramSize = datagramSize
    limits.isSealed = configuration.sealing != nil
    limits.historySizeMax = configuration.historySizeMax
    limits.historyAgeMax = configuration.historyAgeMax
    let host = configuration.process ?? .current
    var introduction = configuration.introduction
    introduction.library = Introduction.libraryVersion
    let announcement = Heartbeat(
      instance: configuration.instance, app: configuration.app, host: host.name,
      processID: host.processID, contentType: configuration.contentType,
      acceptsResets: configuration.acceptsResets, control: configuration.control,
      datagramSize: UInt16(datagramSize), realm: configuration.realm,
      introduction: introduction)
    // Protocol.md §18.4: with a watch key, the app could not open requests that drive it.
    let isDrivable = configuration.sealing?.ring.sealingKey.drives ?? true
    self.init(
      announcement: announcement, limits: limits, isDrivable: isDrivable, random: random)
  }

  package func addCounters(to all: inout NetworkCounters) {
    all.dataSent = counters.dataSent
    all.repairsSent = counters.repairsSent
    all.historySent = counters.historySent
    all.proofsSent = counters.proofsSent
    all.heartbeatsSent = counters.heartbeatsSent
    all.drops.add(drops)
    all.drop("unproven request", count: counters.unprovenRequests)
    all.drop("unqueued", count: counters.unqueuedRanges)
    all.drop("unqueued", count: counters.unqueuedValueRequests)
  }
}
