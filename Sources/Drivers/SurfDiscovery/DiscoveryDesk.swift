import Glibc
import Synchronization

/// What an agent and its thread share.
///
/// The agent leaves the whole list of goals rather than commands: it stays bounded however long
/// the thread is blocked.
final class DiscoveryDesk: Sendable {
  private struct State {
    var goals: [DiscoveryGoal] = []
    var goalsDropped = 0
    var isStopped = false
    var counters = DiscoveryCounters()
    var thread: pthread_t?
  }

  private let state = Mutex(State())
  /// Signalled when the goals change or the agent stops.
  let wake: WakeUp
  private let end: WakeUp

  init() throws(DiscoveryError) {
    wake = try WakeUp()
    end = try WakeUp()
  }

  func add(_ goal: DiscoveryGoal) -> Bool {
    let isKept = state.withLock { state in
      if state.goals.contains(goal) { return true }
      guard state.goals.count < DiscoveryMachine.goalCountMax else {
        state.goalsDropped += 1
        return false
      }
      state.goals.append(goal)
      return true
    }
    wake.signal()
    return isKept
  }

  func stop() {
    state.withLock {
      $0.isStopped = true
      $0.goals = []
    }
    wake.signal()
  }

  var counters: DiscoveryCounters {
    get {
      state.withLock { state in
        var counters = state.counters
        counters.goalsDropped += state.goalsDropped
        return counters
      }
    }
    set { state.withLock { $0.counters = newValue } }
  }

  var goals: [DiscoveryGoal] { state.withLock(\.goals) }

  var isStopped: Bool { state.withLock(\.isStopped) }

  /// The thread names itself, so that it never waits for itself.
  func enter() { state.withLock { $0.thread = pthread_self() } }

  func leave() {
    state.withLock { $0.thread = nil }
    end.signal()
  }

  func waitForEnd(patience: Duration) -> Bool {
    let isOwnThread = state.withLock { state in
      state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
    if isOwnThread { return false }
    return !Poll.wait(for: [end.descriptor], until: Poll.now + patience).isEmpty
  }
}
