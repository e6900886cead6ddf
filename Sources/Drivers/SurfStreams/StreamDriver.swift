import SurfSockets
import SurfThreads

/// The loop on a `StreamLoop`'s thread: moves bytes between sockets and a machine until the inbox
/// closes. A turn takes time linear in the number of streams and the bytes that are ready.
final class StreamDriver<Machine: StreamMachine> {
  /// The maximum number of connections to accept from one listener in one turn.
  static var acceptsPerTurn: Int { 64 }
  /// A flush stops after this many bytes of one stream.
  static var flushSize: Int { 1 << 20 }

  let listeners: [TCPListener]
  let inbox: StreamInbox<Machine.Input>
  let limits: StreamLimits
  let origin: Duration
  let resolver = HostResolver()
  var machine: Machine
  var counters = StreamCounters()
  /// In the order of creation. Closed ones stay until the end of the turn.
  var connections: [StreamConnection] = []
  var connectionsByID: [StreamID: StreamConnection] = [:]
  var ids = StreamIDs.accepting
  var readBuffer: [UInt8]
  /// The index in `connections` where reading continues after a turn that could not read
  /// everything.
  var readStart = 0
  /// When to accept again after a pause.
  var acceptsAgainAt: Duration?
  /// Whether the machine got an event after its last `advance`.
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
    noteWritable(writable)
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

  /// Notes that streams are writable: the send buffer has space, or connecting has finished.
  func noteWritable(_ writable: Set<Int32>) {
    guard !writable.isEmpty else { return }
    for connection in connections {
      guard let descriptor = connection.writableDescriptor, writable.contains(descriptor)
      else { continue }
      if case .connecting(let stream, let rest) = connection.phase {
        finishConnecting(connection, stream, rest)
      } else {
        connection.isBlocked = false
      }
    }
  }

  /// Sends the machine's output before and after `advance`, so that a reply that is ready does not
  /// wait for slow work.
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

  /// Waits for a ready stream, an input or a deadline.
  private func sleep() -> Wakeup {
    let now = now
    if let again = acceptsAgainAt, again <= now { acceptsAgainAt = nil }
    var reading = acceptsAgainAt == nil ? listeners.map(\.fileDescriptor) : []
    var writing: [Int32] = []
    // At most a day, so that an absurd deadline does not overflow.
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

  /// Removes closed streams from `connections`. `close` has removed them from `connectionsByID`.
  func sweep() {
    guard connections.count > connectionsByID.count else { return }
    connections.removeAll { $0.isClosed }
  }

  /// Ends a stream and reports its one `.closed`. The change of `phase` releases the socket.
  func close(_ connection: StreamConnection, _ end: StreamEnd) {
    guard !connection.isClosed else { return }
    connection.phase = .closed
    connection.unsent = UnsentBytes()
    connectionsByID[connection.id] = nil
    counters.closed += 1
    tell(.closed(connection.id, end))
  }

  /// Closes with a reset, which also drops the bytes in the kernel.
  func abort(_ connection: StreamConnection, _ end: StreamEnd) {
    connection.stream?.resetOnClose()
    close(connection, end)
  }
}

/// The end of the loop, with a last chance for unsent bytes.
extension StreamDriver {
  func finish() {
    let until = now + limits.stopMax
    takeLastInputs()
    for connection in connections where !isWorthWaitingFor(connection) { close(connection, .byUs) }
    sweep()
    while !connections.isEmpty, now < until {
      let writing = connections.compactMap(\.writableDescriptor)
      noteWritable(Set(wait([], writing, until: until).writable))
      for connection in connections { flush(connection) }
      for connection in connections where connection.unsent.isEmpty { sayGoodbye(connection) }
      sweep()
    }
    for connection in connections { abort(connection, .byUs) }
    sweep()
    inbox.report(counters)
  }

  /// Handles the inputs sent before `stop`.
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

  /// Closes without a reset, as far as that is possible without waiting. Unread input would cause a
  /// reset, and the peer might lose bytes that it has not read.
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
