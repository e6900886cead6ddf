import Glibc
import SurfThreads

/// The state that a `DiscoveryAgent` and its thread share.
///
/// It contains the list of goals rather than a queue of commands, so it stays bounded however long
/// the thread is blocked.
final class DiscoveryInbox: Sendable {
  private struct State {
    var goals: [DiscoveryGoal] = []
    var isStopped = false
    var thread: pthread_t?
    var hasEnded = false
  }

  private let state = Monitor(State())
  /// Woken when the goals change or the agent stops.
  let poller: Poller

  init() throws(ThreadError) { poller = try Poller() }

  func add(_ goal: DiscoveryGoal) -> Bool {
    let isKept = state.withLock { state in
      if state.goals.contains(goal) { return true }
      guard state.goals.count < DiscoveryMachine.goalCountMax else { return false }
      state.goals.append(goal)
      return true
    }
    poller.wake()
    return isKept
  }

  func stop() {
    state.withLock {
      $0.isStopped = true
      $0.goals = []
    }
    poller.wake()
  }

  var goals: [DiscoveryGoal] { state.withLock { $0.goals } }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Notes the thread's identity, so that it never waits for itself.
  func enter() { state.withLock { $0.thread = pthread_self() } }

  func leave() {
    state.withLock { state in
      state.thread = nil
      state.hasEnded = true
    }
  }

  func waitForEnd(patience: Duration) -> Bool {
    let isOwnThread = state.withLock { state in
      state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
    if isOwnThread { return false }
    return state.wait(until: monotonicTime(after: patience)) { $0.hasEnded }
  }
}
