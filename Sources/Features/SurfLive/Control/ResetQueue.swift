package import SurfNetwork
internal import SurfThreads
package import SurfWire
internal import Synchronization
package import ValueCoding

/// Brings resets to the app, on a thread where it may take its time, and brings its answers back.
///
/// The thread exists while there are resets, or somebody drives. It is not a queue of Dispatch's:
/// those stop in a forked child.
package final class ResetQueue: Sendable {
  /// Decides about a reset, and answers exactly once, from any thread.
  package typealias Handler =
    @Sendable (IncomingReset, _ answer: @escaping @Sendable (Outcome.Result) -> Void) -> Void

  /// Swift wraps a closure that is itself the value of a generic type once more at each access in
  /// place, without end. A struct around the closure prevents that.
  private struct Decider {
    let decide: Handler
  }

  private struct Job {
    let reset: IncomingReset
    let decider: Decider
    let deadline: Duration
  }

  private struct Line {
    /// In the order in which they came.
    var jobs: [Job] = []
    /// Whether a thread looks after them.
    var isServed = false
  }

  /// As long as a viewer waits for an answer by default.
  package static let patience = Duration.seconds(5)

  /// Protocol.md §8.2.
  private static let reflectionRefusal =
    "this state shows what reflection saw of one, and cannot be sent back"

  private let mailbox: Mailbox
  private let coder: ValueCoder
  private let now: @Sendable () -> Duration
  private let decider = Monitor<Decider?>(nil)
  private let wheel: WheelGuard
  private let openCount = Atomic(0)
  /// Undecided requests whose viewers wait no longer.
  private let abandoned = Monitor<Set<RequestKey>>([])
  private let line = Monitor(Line())

  /// A queue whose answers go out through `mailbox`.
  package init(
    mailbox: Mailbox, coder: ValueCoder = ValueCoder(.foundation),
    wheel: Wheel = Wheel(),
    now: @escaping @Sendable () -> Duration = { .nanoseconds(uptimeNow()) }
  ) {
    self.mailbox = mailbox
    self.coder = coder
    self.now = now
    self.wheel = WheelGuard(wheel)
  }

  /// Whether a handler would decide.
  package var isHandled: Bool { decider.withLock { $0 != nil } }

  /// Replaces the earlier handler; `nil` forbids all resets.
  package func setHandler(_ handler: Handler?) {
    decider.withLock { $0 = handler.map(Decider.init(decide:)) }
  }

  /// The handler goes, and all that it holds. What viewers still ask for is refused.
  func removeHandler() {
    decider.withLock { decider in
      guard decider != nil else { return }
      decider = Decider { _, answer in answer(.rejected(reason: "the store is gone")) }
    }
  }

  /// Called with all that becomes of the wheel, on the queue's thread.
  package func setWheelHandler(_ handler: @escaping @Sendable (Wheel.Change) -> Void) {
    wheel.setHandler(handler)
  }

  /// Returns at once; resets are decided one after the other.
  package func receive(_ reset: IncomingReset) {
    guard let decider = decider.withLock({ $0 }) else {
      return mailbox.add(answer: .forbidden, to: reset)
    }
    guard reset.isCommand || reset.state?.isRestorable != false else {
      return mailbox.add(answer: .rejected(reason: Self.reflectionRefusal), to: reset)
    }
    guard admit() else { return mailbox.add(answer: .busy, to: reset) }
    let job = Job(reset: reset, decider: decider, deadline: now() + Self.patience)
    let isServed = line.withLock { line in
      defer { line.isServed = true }
      line.jobs.append(job)
      return line.isServed
    }
    if !isServed { startServing() }
  }

  /// Not on the encoding thread: a handler may record, and may wait until there is room for it.
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
      // Only this thread changes it.
      let end = wheel.deadline
      let job = line.withLock { line in
        line.isServed = !line.jobs.isEmpty || end != nil
        return line.jobs.isEmpty ? nil : line.jobs.removeFirst()
      }
      guard job == nil, let end else { return job }
      line.wait(until: monotonicTime(after: max(.zero, end - now()))) { !$0.jobs.isEmpty }
      wheel.advance(to: now())
    }
  }

  private func perform(_ job: Job) {
    // The viewer has given this reset up, and must not be surprised by it.
    guard now() < job.deadline else { return answer(job.reset, with: .busy) }
    if let result = wheel.decide(job.reset, at: now()) {
      return answer(job.reset, with: result)
    }
    ValueCoder.$current.withValue(coder) {
      job.decider.decide(job.reset) { self.answer(job.reset, with: $0) }
    }
  }

  /// Each reset may hold a state of the largest size, so the number that may wait is bounded.
  private func admit() -> Bool {
    let (_, newCount) = openCount.add(1, ordering: .relaxed)
    if newCount <= Limits.openResetCountMax { return true }
    openCount.subtract(1, ordering: .relaxed)
    return false
  }

  /// The viewer of a request waits no longer for the decision.
  package func abandon(_ key: RequestKey) { abandoned.withLock { _ = $0.insert(key) } }

  /// Whether a request was abandoned; long work on it is in vain.
  package func isAbandoned(_ reset: IncomingReset) -> Bool {
    abandoned.withLock { !$0.isEmpty && $0.contains(RequestKey(reset)) }
  }

  private func answer(_ reset: IncomingReset, with result: Outcome.Result) {
    abandoned.withLock { _ = $0.remove(RequestKey(reset)) }
    openCount.subtract(1, ordering: .relaxed)
    mailbox.add(answer: result, to: reset)
  }
}
