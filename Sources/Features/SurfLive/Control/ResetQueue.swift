internal import SurfControl
package import SurfNetwork
internal import SurfThreads
package import SurfWire
internal import Synchronization
package import ValueCoding

/// Passes requests to the app on a thread where it may take its time, and queues its answers. They
/// come from the broadcaster's thread, or from a debugger within the program.
///
/// The thread, `surf-resets`, exists only while requests wait or a viewer drives. It is not a
/// Dispatch queue, because those stop in a forked child.
package final class ResetQueue: Sendable {
  /// Decides a reset, and answers exactly once, from any thread.
  package typealias Handler =
    @Sendable (IncomingReset, _ answer: @escaping @Sendable (Outcome.Result) -> Void) -> Void

  /// A struct around the closure. Swift wraps a closure that is itself the value of a generic type
  /// once more at each in-place access, without end.
  private struct Decider {
    let decide: Handler
  }

  private struct Job {
    let reset: IncomingReset
    let decider: Decider
    let deadline: Duration
  }

  private struct Line {
    /// In the order of arrival.
    var jobs: [Job] = []
    /// Whether a thread is working on them.
    var isServed = false
  }

  /// How long a viewer waits for an answer by default.
  package static let patience = Duration.seconds(5)

  private let mailbox: Mailbox
  private let coder: ValueCoder
  private let now: @Sendable () -> Duration
  private let decider = Monitor<Decider?>(nil)
  private let wheel: Monitor<Wheel>
  private let wheelHandler: @Sendable (Wheel.Change) -> Void
  private let openCount = Atomic(0)
  /// Undecided requests whose viewers have stopped waiting.
  private let abandoned = Monitor<Set<RequestKey>>([])
  private let line = Monitor(Line())

  /// A queue that adds its answers to `mailbox`.
  ///
  /// - Parameter wheelHandler: Called with every change of the wheel, on the queue's thread.
  package init(
    mailbox: Mailbox, coder: ValueCoder = ValueCoder(.foundation),
    wheel: Wheel = Wheel(),
    now: @escaping @Sendable () -> Duration = { .nanoseconds(uptimeNow()) },
    wheelHandler: @escaping @Sendable (Wheel.Change) -> Void = { _ in }
  ) {
    self.mailbox = mailbox
    self.coder = coder
    self.now = now
    self.wheel = Monitor(wheel)
    self.wheelHandler = wheelHandler
  }

  /// Whether there is a handler.
  package var isHandled: Bool { decider.withLock { $0 != nil } }

  /// Sets or replaces the handler; `nil` forbids all resets.
  package func setHandler(_ handler: Handler?) {
    decider.withLock { $0 = handler.map(Decider.init(decide:)) }
  }

  /// Releases the handler and all that it holds. Later requests are refused.
  func removeHandler() {
    decider.withLock { decider in
      guard decider != nil else { return }
      decider = Decider { _, answer in answer(.rejected(reason: "the store is gone")) }
    }
  }

  /// Queues a request, or answers it immediately if it cannot be decided. Never blocks.
  package func receive(_ reset: IncomingReset) {
    guard let decider = decider.withLock({ $0 }) else {
      return mailbox.add(.answer(reset, .forbidden))
    }
    guard admit() else { return mailbox.add(.answer(reset, .busy)) }
    let job = Job(reset: reset, decider: decider, deadline: now() + Self.patience)
    let isServed = line.withLock { line in
      defer { line.isServed = true }
      line.jobs.append(job)
      return line.isServed
    }
    if !isServed { startServing() }
  }

  /// A separate thread, not the encoding thread: a handler may record, and may wait for space.
  private func startServing() {
    do throws(ThreadError) {
      _ = try Thread.start(name: "surf-resets") { [self] in
        while let job = next() { perform(job) }
      }
    } catch {
      while let job = next() { answer(job.reset, with: .busy) }
    }
  }

  private func next() -> Job? {
    while true {
      // Only this thread changes the wheel.
      let end = wheel.withLock { $0.deadline }
      let job = line.withLock { line in
        line.isServed = !line.jobs.isEmpty || end != nil
        return line.jobs.isEmpty ? nil : line.jobs.removeFirst()
      }
      guard job == nil, let end else { return job }
      line.wait(until: monotonicTime(after: max(.zero, end - now()))) { !$0.jobs.isEmpty }
      advanceWheel()
    }
  }

  private func perform(_ job: Job) {
    // The viewer has stopped waiting, and must not be surprised.
    guard now() < job.deadline else { return answer(job.reset, with: .busy) }
    if let result = decideByWheel(job.reset) {
      return answer(job.reset, with: result)
    }
    ValueCoder.$current.withValue(coder) {
      job.decider.decide(job.reset) { self.answer(job.reset, with: $0) }
    }
  }

  private func advanceWheel() {
    if let change = wheel.withLock({ $0.advance(to: now()) }) { wheelHandler(change) }
  }

  /// The answer to a request that the app need not see, or must not, because another viewer drives
  /// (Protocol.md §11.9); nil if the app decides.
  private func decideByWheel(_ reset: IncomingReset) -> Outcome.Result? {
    guard let request = Wheel.Request(reset) else { return nil }
    let viewer = WheelDriver(viewer: reset.viewer, name: reset.viewerName)
    let verdict = wheel.withLock { $0.receive(request, from: viewer, at: now()) }
    // Before the answer, so that all viewers know when the asking viewer does.
    verdict.changes.forEach(wheelHandler)
    if let obstacle = verdict.obstacle {
      return .rejected(reason: "\(obstacle.title) is driving")
    }
    return request == .move ? nil : .applied
  }

  /// Limits how many resets wait, since each may hold a state of the largest size.
  private func admit() -> Bool {
    let (_, newCount) = openCount.add(1, ordering: .relaxed)
    if newCount <= Limits.openResetCountMax { return true }
    openCount.subtract(1, ordering: .relaxed)
    return false
  }

  /// Notes that the viewer of a request has stopped waiting.
  package func abandon(_ key: RequestKey) { abandoned.withLock { _ = $0.insert(key) } }

  /// Whether the viewer has stopped waiting, so that long work on the request can stop.
  package func isAbandoned(_ reset: IncomingReset) -> Bool {
    abandoned.withLock { !$0.isEmpty && $0.contains(RequestKey(reset)) }
  }

  private func answer(_ reset: IncomingReset, with result: Outcome.Result) {
    abandoned.withLock { _ = $0.remove(RequestKey(reset)) }
    openCount.subtract(1, ordering: .relaxed)
    mailbox.add(.answer(reset, result))
  }
}

extension Wheel.Request {
  /// Larger commands are not `drive` or `describe`, and are not parsed here.
  private static let sizeMax = 256

  /// Nil for a request that moves nothing.
  fileprivate init?(_ reset: IncomingReset) {
    self = .move
    guard reset.isCommand, let bytes = reset.state?.bytes, bytes.count <= Self.sizeMax else {
      return
    }
    switch Result(catching: { () throws(ControlError) in
      try HistoryCommand<UInt64>(parsing: bytes)
    }) {
    case .success(.drive(.take(let over))): self = .take(over: over)
    case .success(.drive(.giveBack)): self = .giveBack
    case .success(.describe): return nil
    // The app reports what is wrong with a command.
    case .success, .failure: break
    }
  }
}
