internal import DebuggerDriver
internal import SurfTTY
internal import SurfThreads

/// Feeds an open `AppDebugger` with what the program records, up to 30 times a second. Also frees
/// the memory of captured output that will not be shown.
final class OwnFeed: Sendable {
  private let source: OwnSource
  private let queue: DebuggerQueue
  private let isStopped = Monitor(false)
  private let thread = Monitor<Thread?>(nil)

  private static let period = Duration.milliseconds(33)

  init(_ source: OwnSource, _ queue: DebuggerQueue) {
    self.source = source
    self.queue = queue
  }

  func start() {
    do throws(ThreadError) {
      let started = try Thread.start(name: "surf-feed") { [self] in run() }
      thread.withLock { $0 = started }
    } catch {
      queue.push(.told("only older rows are shown: \(error)", isFailure: true))
    }
  }

  func stop() {
    isStopped.withLock { $0 = true }
    thread.withLock { $0.take() }?.join()
  }

  private func run() {
    repeat {
      for event in source.refresh() { queue.push(event) }
      Terminal.trimOutput()
    } while !isStopped.wait(until: monotonicTime(after: Self.period), for: { $0 })
  }
}
