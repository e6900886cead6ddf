internal import Glibc
internal import SurfBasics
package import SurfNetwork
internal import SurfThreads
package import SurfWire
internal import Synchronization

/// Where the app's threads leave what the encoding thread takes.
package final class Mailbox: Sendable {
  /// Whether there is an encoding thread, and whether more may come.
  private enum Mode {
    /// No thread; nothing is taken in but answers.
    case asleep
    /// A thread, and the box is open.
    case running
    /// A thread that empties the box; nothing more is taken in.
    case closing
  }

  private struct Contents {
    var mode = Mode.asleep
    var queue: RecordQueue
    /// The encoding thread, while it has something to do.
    var busyThread: pthread_t?
    /// Whether the encoding thread holds something back that it has taken.
    var isHolding = false
    /// Whether somebody waits for that.
    var isAwaited = false
    /// Until when the thread may take its time, once the box is closed.
    var end: Duration?
    /// Until when it may encode.
    var encodingEnd: Duration?
    /// Until when callers wait for a network that is not there.
    var patienceEnd: Duration?
    /// When the box was opened for the first time, by `uptimeNow()`.
    var sessionStart: Int64?

    /// The app does not wait for more.
    mutating func giveUpIfOverdue() {
      guard mode == .closing, let end = encodingEnd, monotonicNow() > end else { return }
      encodingEnd = nil
      queue.giveUpRest()
    }

    /// Whether all that was left is sent.
    var isIdle: Bool { mode == .asleep || (queue.isEmpty && busyThread == nil && !isHolding) }
  }

  private let whenFull: Transceiver.Configuration.WhenFull
  private let contents: Monitor<Contents>
  /// The mode, for a glance without the lock.
  private let open = Atomic(false)

  /// How long callers wait for a network that is not there: an interface that is set up anew is
  /// back sooner.
  package static let patience = Duration.seconds(5)
  /// Items to take at once. The box cannot give up what was taken, so this is not much.
  private static let batchCountMax = 256

  /// A box that is closed, and has no thread.
  package init(
    whenFull: Transceiver.Configuration.WhenFull, bounds: RecordQueue.Bounds = RecordQueue.Bounds()
  ) {
    self.whenFull = whenFull
    contents = Monitor(Contents(queue: RecordQueue(bounds: bounds)))
  }

  /// Whether it is worth making an entry.
  package var isOpen: Bool { open.load(ordering: .relaxed) }

  /// What became of everything that was offered.
  package var counters: Transceiver.Counters { contents.withLock { $0.queue.counters } }

  /// Leaves a record; `nil` if the box is closed, or if it is full and the caller does not wait.
  package func add(_ entry: consuming Entry) -> RecordID? {
    let sizes = Entry.Sizes(of: entry)
    // Taken out where it goes in: a closure would copy it.
    var entry = Optional(entry)
    switch whenFull {
    case .giveUpStates: return contents.withLock { Self.add(&entry, sizes, to: &$0) }
    case .wait: return addWhenThereIsRoom(&entry, sizes)
    }
  }

  /// Whether `add` would take in so many more records, whatever they carry.
  func hasRoom(forRecords count: Int) -> Bool {
    whenFull == .wait || contents.withLock { $0.queue.hasRoom(forRecords: count) }
  }

  /// Leaves an answer, also in a closed box: a viewer waits for it.
  package func add(answer result: Outcome.Result, to reset: IncomingReset) {
    contents.withLock { _ = $0.queue.add(answer: result, to: reset) }
  }

  /// Queues a notice, behind all that was left, that the app is in a state that no record carries.
  func addDeparture() { contents.withLock { _ = $0.queue.addDeparture() } }

  /// Queues a notice that somebody watches.
  func addArrival() { contents.withLock { _ = $0.queue.addArrival() } }

  /// Learns the sizes that taken items turned out to have.
  func learn(_ sizes: EncodedSizes) { contents.withLock { $0.queue.learn(sizes) } }

  /// Counts a value that could not be encoded.
  func countFailure() { contents.withLock { $0.queue.countFailure() } }

  private static func add(
    _ entry: inout Entry?, _ sizes: Entry.Sizes, to contents: inout Contents
  ) -> RecordID? {
    guard contents.mode == .running, let entry = entry.take() else { return nil }
    return contents.queue.add(entry, sizes, at: moment(since: contents.sessionStart))
  }

  private func addWhenThereIsRoom(_ entry: inout Entry?, _ sizes: Entry.Sizes) -> RecordID? {
    let current = pthread_self()
    while true {
      let (isDone, id) = contents.withLock { contents in
        let mayAdd = Self.mayAdd(sizes, to: contents, by: current)
        return (mayAdd, mayAdd ? Self.add(&entry, sizes, to: &contents) : nil)
      }
      if isDone { return id }
      let end = contents.withLock { $0.patienceEnd }
      contents.wait(until: end) { contents in
        contents.patienceEnd != end || Self.mayAdd(sizes, to: contents, by: current)
      }
    }
  }

  private static func mayAdd(
    _ sizes: Entry.Sizes, to contents: Contents, by thread: pthread_t
  ) -> Bool {
    // The thread that makes room must not wait for it: a state may log while it is encoded.
    if contents.mode != .running || contents.busyThread == thread { return true }
    if contents.queue.hasRoomToWait(for: sizes) { return true }
    // A slow network makes room in the end. One that is not there never does.
    return contents.patienceEnd.map { $0 <= monotonicNow() } ?? false
  }

  /// Learns whether there is a network, from each attempt to use it.
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
  /// Lets records in; true if the caller must now start a thread.
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

  /// Lets nothing more in; the thread ends when it has sent what is there. In the first half of the
  /// time it encodes; what waits then is given up, and counted.
  func close(within time: Duration) {
    contents.withLock { contents in
      if contents.mode == .running {
        contents.mode = .closing
        contents.end = monotonicTime(after: time)
        contents.encodingEnd = monotonicTime(after: time / 2)
      }
      open.store(false, ordering: .relaxed)
    }
  }

  /// What is left of the time that the thread has.
  var timeLeft: Duration {
    contents.withLock { $0.end }.map { max(.zero, $0 - monotonicNow()) } ?? .zero
  }

  /// The next items, a bounded number, for the encoding thread alone; waits for one. `nil` if it is
  /// time to say goodbye.
  ///
  /// - Parameters:
  ///   - items: Where they are put.
  ///   - deadline: When the thread must send what it holds back, by the entries' uptime; nil if it
  ///     holds back nothing. There are no items then, nor if somebody waits for what is held back.
  /// - Returns: what was given up until now. Something waits whenever something is given up, so no
  ///   count is missed.
  func take(
    _ items: inout Queue<RecordQueue.Item>, until deadline: UInt64? = nil
  ) -> Heartbeat.GivenUp? {
    // Before the wait and not in it, so that threads that wait for idleness hear of it.
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
        items.append(item)
      }
      return contents.queue.givenUp
    }
  }

  /// For what is to be sent, or to be held back no longer.
  private func wait(until deadline: UInt64) {
    let now = uptime
    let rest = Duration.nanoseconds(Int64(clamping: deadline - min(now, deadline)))
    contents.wait(until: monotonicTime(after: rest)) { contents in
      !contents.queue.isEmpty || contents.isAwaited || contents.mode != .running
    }
  }

  /// Nanoseconds since the session began.
  var uptime: UInt64 { Self.uptime(since: contents.withLock { $0.sessionStart }) }

  /// The thread has said goodbye; true if it may end, false if it is wanted again.
  func finishIfIdle() -> Bool {
    contents.withLock { contents in
      guard contents.mode == .closing else { return false }
      contents.mode = .asleep
      return true
    }
  }

  /// Waits until everything was taken and sent; false if that takes too long.
  func waitUntilIdle(timeout: Duration) -> Bool {
    contents.withLock { if !$0.isIdle { $0.isAwaited = true } }
    return contents.wait(until: monotonicTime(after: timeout)) { $0.isIdle }
  }

  /// Waits until the thread has ended or is wanted again; false if that takes too long.
  func waitUntilClosed(timeout: Duration) -> Bool {
    contents.wait(until: monotonicTime(after: timeout)) { $0.mode != .closing }
  }
}
