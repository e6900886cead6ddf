import SurfSockets
import SurfThreads

/// What a `StreamLoop`'s thread runs: moves bytes between sockets and a machine until the inbox
/// closes. One turn costs as much as there are streams, plus what is ready.
final class StreamDriver<Machine: StreamMachine> {
  /// The most connections taken from one listener in one turn.
  static var acceptsPerTurn: Int { 64 }
  /// The most bytes of one stream that are given to the kernel in one turn.
  static var flushSize: Int { 1 << 20 }

  let listeners: [TCPListener]
  let inbox: StreamInbox<Machine.Input>
  let limits: StreamLimits
  let origin: Duration
  let resolver = HostResolver()
  var machine: Machine
  var counters = StreamCounters()
  /// In order of their beginning; closed ones stay until the end of the turn.
  var connections: [StreamConnection] = []
  var connectionsByID: [StreamID: StreamConnection] = [:]
  var ids = StreamIDs.accepting
  var readBuffer: [UInt8]
  /// Where in `connections` reading goes on when one turn could not read all.
  var readStart = 0
  /// Until when to leave the listeners alone, if at all.
  var acceptsAgainAt: Duration?
  /// Whether the machine was told something that it may still want to act on.
  var isUnsettled = false

  init(
    listeners: [TCPListener], inbox: StreamInbox<Machine.Input>, limits: StreamLimits,
    origin: Duration, machine: Machine
  ) {
    self.listeners = listeners
    self.inbox = inbox
    self.limits = limits
    self.origin = origin
    self.machine = machine
    readBuffer = [UInt8](repeating: 0, count: max(1, limits.readSize))
  }

  var now: Duration { monotonicNow() - origin }

  func run() {
    var wakeup = Wakeup()
    while inbox.isOpen {
      turn(wakeup)
      wakeup = sleep()
    }
    finish()
  }

  private func turn(_ wakeup: Wakeup) {
    counters.turns += 1
    let readable = Set(wakeup.readable)
    let writable = Set(wakeup.writable)
    takeInbox()
    noteRoom(writable)
    read(readable)
    accept(readable)
    expire()
    act()
    inbox.report(counters)
  }

  private func takeInbox() {
    let now = now
    for letter in inbox.take() {
      switch letter {
      case .input(let input): machine.receive(input, at: now)
      case .answer(let id, let answer): hostFound(id, answer)
      }
    }
  }

  /// Sends what the machine has, lets it do what it wants, and sends what it has then: an answer
  /// that is ready does not wait for what takes long.
  private func act() {
    send()
    machine.advance(to: now)
    isUnsettled = false
    send()
    sweep()
  }

  private func send() {
    for action in machine.takeActions() { perform(action) }
    for connection in connections { flush(connection) }
  }

  /// Until a stream is ready, something comes in, or something is due.
  private func sleep() -> Wakeup {
    let now = now
    if let again = acceptsAgainAt, again <= now { acceptsAgainAt = nil }
    var reading = acceptsAgainAt == nil ? listeners.map(\.fileDescriptor) : []
    var writing: [Int32] = []
    // A day at most, so that an absurd deadline does not overflow.
    var wakeAt = now + .seconds(86_400)
    for deadline in [machine.deadline, acceptsAgainAt] { wakeAt = min(wakeAt, deadline ?? wakeAt) }
    for connection in connections {
      if let descriptor = connection.readableDescriptor { reading.append(descriptor) }
      if let descriptor = connection.writableDescriptor { writing.append(descriptor) }
      if let deadline = connection.deadline { wakeAt = min(wakeAt, deadline) }
    }
    return wait(reading, writing, until: isUnsettled ? now : wakeAt)
  }

  func wait(_ reading: [Int32], _ writing: [Int32], until deadline: Duration) -> Wakeup {
    inbox.poller.waitOrPause(reading: reading, writing: writing, until: origin + deadline)
  }

  func tell(_ event: StreamEvent) {
    isUnsettled = true
    machine.receive(event, at: now)
  }

  func add(_ connection: StreamConnection) {
    connections.append(connection)
    connectionsByID[connection.id] = connection
  }

  /// Closed ones are gone from `connectionsByID` at once, and from `connections` here.
  func sweep() {
    guard connections.count > connectionsByID.count else { return }
    connections.removeAll { $0.isClosed }
  }

  /// Ends a stream, with its one `.closed`; its socket closes with the phase.
  func close(_ connection: StreamConnection, _ end: StreamEnd) {
    guard !connection.isClosed else { return }
    connection.phase = .closed
    connection.unsent.removeAll()
    connectionsByID[connection.id] = nil
    counters.closed += 1
    tell(.closed(connection.id, end))
  }

  /// As `close`, but the peer is told by a reset, and what waits in the kernel is dropped too.
  func abort(_ connection: StreamConnection, _ end: StreamEnd) {
    connection.stream?.resetOnClose()
    close(connection, end)
  }
}

/// The end: what is unsent gets a last chance.
extension StreamDriver {
  func finish() {
    let until = now + limits.stopMax
    takeLastInputs()
    for connection in connections where !isWorthWaitingFor(connection) { close(connection, .byUs) }
    sweep()
    while !connections.isEmpty, now < until {
      let writing = connections.compactMap(\.writableDescriptor)
      noteRoom(Set(wait([], writing, until: until).writable))
      for connection in connections { flush(connection) }
      for connection in connections where connection.unsent.isEmpty { sayGoodbye(connection) }
      sweep()
    }
    for connection in connections { abort(connection, .byUs) }
    sweep()
    inbox.report(counters)
  }

  /// What was sent in before `stop` is still done.
  private func takeLastInputs() {
    let now = now
    for case .input(let input) in inbox.take() { machine.receive(input, at: now) }
    machine.advance(to: now)
    send()
    for connection in connections where connection.unsent.isEmpty { sayGoodbye(connection) }
    sweep()
  }

  private func isWorthWaitingFor(_ connection: StreamConnection) -> Bool {
    if case .open = connection.phase { true } else { false }
  }

  /// Closes without a reset, as far as possible without waiting: unread bytes would cause one, and
  /// the peer might lose what it has not read yet.
  private func sayGoodbye(_ connection: StreamConnection) {
    guard let stream = connection.stream else { return close(connection, .byUs) }
    stream.shutDownWriting()
    discardInput(of: stream)
    close(connection, .byUs)
  }

  private func discardInput(of stream: TCPStream) {
    var budget = limits.turnReadSize
    while budget > 0 {
      do throws(SocketError) {
        guard case .bytes(let size) = try fill(from: stream) else { return }
        budget -= size
      } catch {
        return
      }
    }
  }
}
