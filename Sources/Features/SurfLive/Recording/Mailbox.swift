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
    /// When the box was opened for the first time, by `uptimeNow()`.
    var sessionStart: Int64?
  }

  private let whenFull: Transceiver.Configuration.WhenFull
  private let contents: Monitor<Contents>
  /// The mode, for a glance without the lock.
  private let open = Atomic(false)

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
  package func add(_ entry: Entry) -> RecordID? {
    switch whenFull {
    case .giveUpStates: contents.withLock { Self.add(entry, to: &$0) }
    case .wait: addWhenThereIsRoom(entry)
    }
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

  private static func add(_ entry: Entry, to contents: inout Contents) -> RecordID? {
    guard contents.mode == .running else { return nil }
    return contents.queue.add(entry, at: moment(since: contents.sessionStart))
  }

  private func addWhenThereIsRoom(_ entry: Entry) -> RecordID? {
    // The thread that makes room must not wait for it: a state may log while it is encoded.
    let current = pthread_self()
    return contents.withLockOnce { contents -> RecordID?? in
      let mayAdd =
        contents.mode != .running || contents.busyThread == current
        || contents.queue.hasRoom(for: entry)
      return mayAdd ? .some(Self.add(entry, to: &contents)) : nil
    }
  }

  private static func moment(since start: Int64?) -> Moment {
    let uptime = start.map { uptimeNow() &- $0 } ?? 0
    return Moment(wallTime: wallNow(), uptime: UInt64(clamping: uptime))
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

  /// Lets nothing more in; the thread ends when it has sent what is there.
  func close() {
    contents.withLock { contents in
      if contents.mode == .running { contents.mode = .closing }
      open.store(false, ordering: .relaxed)
    }
  }

  /// The next items, a bounded number, for the encoding thread alone; waits for one. `nil` if it is
  /// time to say goodbye.
  ///
  /// - Parameter items: Where they are put.
  /// - Returns: what was given up until now. Something waits whenever something is given up, so no
  ///   count is missed.
  func take(_ items: inout Queue<RecordQueue.Item>) -> Heartbeat.GivenUp? {
    // Before the wait and not in it, so that threads that wait for idleness hear of it.
    contents.withLock { $0.busyThread = nil }
    let current = pthread_self()
    return contents.withLockOnce { contents -> Heartbeat.GivenUp?? in
      guard !contents.queue.isEmpty else { return contents.mode == .running ? nil : .some(nil) }
      contents.busyThread = current
      while items.count < Self.batchCountMax, let item = contents.queue.take() {
        items.append(item)
      }
      return contents.queue.givenUp
    }
  }

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
    contents.wait(until: monotonicTime(after: timeout)) { contents in
      contents.mode == .asleep || (contents.queue.isEmpty && contents.busyThread == nil)
    }
  }

  /// Waits until the thread has ended or is wanted again; false if that takes too long.
  func waitUntilClosed(timeout: Duration) -> Bool {
    contents.wait(until: monotonicTime(after: timeout)) { $0.mode != .closing }
  }
}
