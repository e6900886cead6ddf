import SurfSockets
import SurfTransport
import SurfWire

/// What of a broadcaster outlives its thread: the machines, with the history in them, and the
/// inbox.
final class BroadcastStation: Sendable {
  let inbox = BroadcastInbox()
  private let machine: Monitor<BroadcastMachine>
  private let onReset: @Sendable (IncomingReset) -> Void
  private let beganAt = monotonicNow()
  private let linkCounters = Monitor(NetworkCounters())

  init(
    configuration: Broadcaster.Configuration, onReset: @escaping @Sendable (IncomingReset) -> Void
  ) {
    self.onReset = onReset
    machine = Monitor(
      BroadcastMachine(
        configuration: configuration,
        datagramSize: Self.datagramSize(on: configuration.interface)))
  }

  /// An interface that is not there yet is taken for an Ethernet.
  private static func datagramSize(on interface: String) -> Int {
    do throws(SocketError) {
      return try NetworkInterface.named(interface).datagramSize
    } catch {
      return Limits.datagramSizeMax
    }
  }

  /// Time since the station was made.
  var now: Duration { monotonicNow() - beganAt }

  /// Absolute time for the poller.
  func absolute(_ time: Duration) -> Duration { beganAt + time }

  var counters: NetworkCounters {
    var counters = linkCounters.withLock { $0 }
    machine.withLock { $0.addCounters(to: &counters) }
    return counters
  }

  func report(_ counters: NetworkCounters) { linkCounters.withLock { $0 = counters } }

  func report(problem: String?) { linkCounters.withLock { $0.problem = problem } }

  /// Does something to the machines; what comes of it that is the app's is done after unlocking.
  func withMachine<Result>(_ body: (inout BroadcastMachine) -> Result) -> Result {
    let (result, resets) = machine.withLock { machine in
      (body(&machine), machine.takeResets())
    }
    resets.forEach(onReset)
    return result
  }
}
