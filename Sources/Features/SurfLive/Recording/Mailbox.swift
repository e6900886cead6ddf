internal import Glibc
internal import SurfBasics
internal import SurfThreads
package import SurfValues
internal import SurfWire
internal import Synchronization

/// The queue between the app's threads, which add entries, and the encoding thread.
package final class Mailbox: Sendable {
  /// Whether there is an encoding thread, and whether entries are accepted.
  private enum Mode {
    /// No thread. Only notices are accepted.
    case asleep
    /// A thread, and entries are accepted.
    case running
    /// A thread that sends the rest. Nothing more is accepted.
    case closing
  }

  private struct Contents {
    var mode = Mode.asleep
    var queue: RecordQueue
    /// The encoding thread, while it is working.
    var busyThread: pthread_t?
    /// Whether the encoding thread holds back something that it has taken.
    var isHolding = false
    /// Whether somebody waits for that.
    var isAwaited = false
    /// After closing: how long the thread may go on.
    var end: Duration?
    /// After closing: how long it may encode.
    var encodingEnd: Duration?
    /// After closing: how long others wait for the thread.
    var waitEnd: Duration?
    /// Whether the time for encoding ran out, and the rest was given up.
    var hasGivenUpRest = false
    /// How long callers wait for a network that is not there.
    var patienceEnd: Duration?
    /// When the mailbox first opened, by `uptimeNow()`.
    var sessionStart: Int64?

    /// Gives up the rest of the queue when the time for encoding is over.
    mutating func giveUpIfOverdue() {
      guard mode == .closing, !hasGivenUpRest, let end = encodingEnd, monotonicNow() > end else {
        return
      }
      hasGivenUpRest = true
      queue.giveUpRest()
    }

    /// Whether everything that was added has been sent.
    var isIdle: Bool { mode == .asleep || (queue.isEmpty && busyThread == nil && !isHolding) }
  }

  private let whenFull: TransceiverConfiguration.WhenFull
  private let contents: Monitor<Contents>
  /// The ids of its records contain this number.
  private let owner: UInt64
  private static let count = Atomic<UInt64>(0)
  /// Whether the mode is `running`, readable without the lock.
  private let open = Atomic(false)

  /// How long callers wait for a missing network. An interface that is set up again is back sooner.
  package static let patience = Duration.seconds(5)
  /// Items taken at a time. The mailbox cannot give up what is taken, so this is not much.
  private static let batchCountMax = 256

  /// A mailbox that is closed and has no thread.
  package init(
    whenFull: TransceiverConfiguration.WhenFull, bounds: RecordQueue.Bounds = RecordQueue.Bounds()
  ) {
    self.whenFull = whenFull
    owner = Self.count.add(1, ordering: .relaxed).newValue
    contents = Monitor(Contents(queue: RecordQueue(owner: owner, bounds: bounds)))
  }

  /// Whether it is worth making an entry. Takes no lock.
  package var isOpen: Bool { open.load(ordering: .relaxed) }

  package var counters: TransceiverCounters { contents.withLock { $0.queue.counters } }

  /// Adds a record; `nil` if the mailbox is closed, or if it is full and the caller does not wait.
  package func add(_ entry: consuming Entry) -> RecordID? {
    let facts = entry.facts
    if let parent = entry.parent, parent.owner != owner { entry.parent = nil }
    // An optional, so that the closure can take the entry instead of copying it.
    var entry = Optional(consume entry)
    switch whenFull {
    case .giveUpStates: return contents.withLock { Self.add(&entry, to: &$0) }
    case .wait: return addWhenThereIsRoom(&entry, facts)
    }
  }

  /// Whether `add` would accept this many more records, whatever they contain.
  func hasRoom(forRecords count: Int) -> Bool {
    whenFull == .wait || contents.withLock { $0.queue.hasRoom(forRecords: count) }
  }

  /// Adds a notice, even to a closed mailbox, because a viewer may wait for it.
  package func add(_ notice: RecordQueue.Notice) {
    contents.withLock { _ = $0.queue.add(notice) }
  }

  /// Passes on the sizes that taken items turned out to have.
  func learn(_ sizes: EncodedSizes) { contents.withLock { $0.queue.learn(sizes) } }

  func countFailure() { contents.withLock { $0.queue.countFailure() } }

  private static func add(_ entry: inout Entry?, to contents: inout Contents) -> RecordID? {
    guard contents.mode == .running, let entry = entry.take() else { return nil }
    return contents.queue.add(consume entry, at: moment(since: contents.sessionStart))
  }

  private func addWhenThereIsRoom(_ entry: inout Entry?, _ facts: Entry.Facts) -> RecordID? {
    let current = pthread_self()
    while true {
      let (isDone, id) = contents.withLock { contents in
        let mayAdd = Self.mayAdd(facts, to: contents, by: current)
        return (mayAdd, mayAdd ? Self.add(&entry, to: &contents) : nil)
      }
      if isDone { return id }
      let end = contents.withLock { $0.patienceEnd }
      contents.wait(until: end) { contents in
        contents.patienceEnd != end || Self.mayAdd(facts, to: contents, by: current)
      }
    }
  }

  private static func mayAdd(
    _ facts: Entry.Facts, to contents: Contents, by thread: pthread_t
  ) -> Bool {
    // The encoding thread makes space, so it must not wait for it: a state may log while encoding.
    if contents.mode != .running || contents.busyThread == thread { return true }
    if contents.queue.hasRoomToWait(for: facts) { return true }
    // A slow network makes space in the end. A missing one never does.
    return contents.patienceEnd.map { $0 <= monotonicNow() } ?? false
  }

  /// Notes after each attempt to use the network whether there is one.
  package func note(hasNetwork: Bool) {
    contents.withLock { contents in
      let end = contents.patienceEnd ?? monotonicTime(after: Self.patience)
      contents.patienceEnd = hasNetwork ? nil : end
    }
  }

  private static func moment(since start: Int64?) -> Moment {
    Moment(wallTime: wallNow(), uptime: uptime(since: start))
  }

  private static func uptime(since start: Int64?) -> UInt64 {
    UInt64(clamping: start.map { uptimeNow() &- $0 } ?? 0)
  }
}

// The life of the encoding thread.
extension Mailbox {
  /// Accepts records from now on. True if the caller must start the encoding thread.
  func start() -> Bool {
    contents.withLock { contents in
      defer {
        contents.mode = .running
        contents.sessionStart = contents.sessionStart ?? uptimeNow()
        open.store(true, ordering: .relaxed)
      }
      return contents.mode == .asleep
    }
  }

  /// Accepts nothing more. The encoding thread sends what is queued, and ends. It encodes for half
  /// of the time; what is still queued then is given up, and counted.
  func close(within time: Duration) {
    contents.withLock { contents in
      if contents.mode == .running {
        contents.mode = .closing
        // The caller waits for the whole time. A busy machine may wake the threads late, and the
        // goodbye must have left by then.
        contents.end = monotonicTime(after: time * 3 / 4)
        contents.encodingEnd = monotonicTime(after: time / 2)
        contents.waitEnd = monotonicTime(after: time)
        contents.hasGivenUpRest = false
      }
      open.store(false, ordering: .relaxed)
    }
  }

  /// How long the closing thread may encode, by `monotonicNow()`; nil if it is not closing.
  var encodingEnd: Duration? {
    contents.withLock { $0.mode == .closing ? $0.encodingEnd : nil }
  }

  /// How much of its time the closing thread has left.
  var timeLeft: Duration {
    contents.withLock { $0.end }.map { max(.zero, $0 - monotonicNow()) } ?? .zero
  }

  /// The next items, up to a limit, for the encoding thread alone. Waits until there is one. `nil`
  /// if the thread should say goodbye.
  ///
  /// - Parameters:
  ///   - items: The items are appended here.
  ///   - deadline: When the thread must send what it holds back, by the entries' uptime; nil if it
  ///     holds nothing back. At that time this returns without items. It does so earlier if
  ///     somebody waits for what is held back.
  /// - Returns: The counts of what was given up so far. Nothing is given up while the queue is
  ///   empty, so the thread misses no count.
  func take(
    _ items: inout Queue<RecordQueue.Item>, until deadline: UInt64? = nil
  ) -> Heartbeat.GivenUp? {
    // Before the wait, so that threads that wait for idleness are woken.
    contents.withLock { contents in
      contents.busyThread = nil
      contents.isHolding = deadline != nil
      if contents.isIdle { contents.isAwaited = false }
    }
    if let deadline { wait(until: deadline) }
    let current = pthread_self()
    return contents.withLockOnce { contents -> Heartbeat.GivenUp?? in
      if contents.queue.isEmpty {
        guard contents.mode == .running else { return .some(nil) }
        guard contents.isHolding else { return nil }
      }
      contents.busyThread = current
      contents.giveUpIfOverdue()
      while items.count < Self.batchCountMax, let item = contents.queue.take() {
        items.append(consume item)
      }
      return contents.queue.givenUp
    }
  }

  /// Waits for items, for somebody who waits for what is held back, or for `deadline`.
  private func wait(until deadline: UInt64) {
    let now = uptime
    let rest = Duration.nanoseconds(Int64(clamping: deadline - min(now, deadline)))
    contents.wait(until: monotonicTime(after: rest)) { contents in
      !contents.queue.isEmpty || contents.isAwaited || contents.mode != .running
    }
  }

  /// Nanoseconds since the session began.
  var uptime: UInt64 { Self.uptime(since: contents.withLock { $0.sessionStart }) }

  /// Called after the goodbye. True if the thread may end, false if records are accepted again.
  func finishIfIdle() -> Bool {
    contents.withLock { contents in
      guard contents.mode == .closing else { return false }
      contents.mode = .asleep
      return true
    }
  }

  /// Waits until everything has been taken and sent; false on timeout.
  func waitUntilIdle(timeout: Duration) -> Bool {
    contents.withLock { if !$0.isIdle { $0.isAwaited = true } }
    return contents.wait(until: monotonicTime(after: timeout)) { $0.isIdle }
  }

  /// Waits until the thread has ended, records are accepted again, or its time is over.
  func waitUntilClosed() {
    let end = contents.withLock { $0.waitEnd }
    contents.wait(until: end) { $0.mode != .closing }
  }
}
