import SurfSeal
import SurfSockets
import SurfThreads
import SurfTransport
import SurfWire

/// What a viewer in the app's own process reads.
package typealias OwnPackets = SurfTransport.OwnPackets

/// A state that a viewer wants the app to be in.
package typealias IncomingReset = SurfTransport.IncomingReset

/// Identifies a request: its viewer, and the viewer's number for it.
package typealias RequestKey = SurfTransport.ResetIntake.Key

/// Who drives the app.
package typealias Wheel = SurfTransport.Wheel

/// The app's end: announces one instance, multicasts its records, repairs what viewers missed, and
/// receives the states that they send back.
///
/// Runs on a thread of its own. No call here throws a network fault: the app must not have to care.
/// The broadcaster retries faults, and `counters` shows them.
package final class Broadcaster: Sendable {
  package struct Configuration: Sendable {
    package var instance: InstanceID
    /// Shown in every viewer, and the DNS-SD name.
    package var app: String
    /// Whose instance it is; nil for this process's own.
    package var process: HostFacts?
    /// The group of people whose app it is; nil for everybody's.
    package var realm: Realm?
    /// What it says of itself, and of its machine.
    package var introduction = Introduction()
    /// Loopback by default.
    package var interface = "lo"
    package var group = NetworkDefaults.group
    package var port = NetworkDefaults.port
    /// The content type of the states, if they share one; announced, not checked.
    package var contentType = "application/json"
    package var acceptsResets = true
    /// What else viewers may ask for; announced, not checked.
    package var control: Heartbeat.Control = []
    /// The keys under which all is sealed; nil for an open session.
    package var sealing: Sealing?
    package var registersDNSSD = true
    /// Octets of sent packets to keep for repair and late joiners.
    package var historySizeMax = 64 * 1_024 * 1_024
    /// How long to keep sent packets; the newest state is kept for ever.
    package var historyAgeMax = Timers.historyAgeMax
    /// Called on a thread of the broadcaster's or of a reader's, when somebody watches and nobody
    /// did before; must return soon.
    package var onArrival: (@Sendable () -> Void)?
    /// Called on the broadcaster's thread with each failed attempt to use the network, and why it
    /// failed; with nil when there is a network again. Must return soon.
    package var onNetwork: (@Sendable (_ problem: String?) -> Void)?

    /// Called on the broadcaster's thread with an undecided request, when its viewer waits no
    /// longer. Must return soon.
    package var onAbandon: (@Sendable (RequestKey) -> Void)?

    package init(instance: InstanceID, app: String) {
      self.instance = instance
      self.app = app
    }
  }

  private let configuration: Configuration
  private let station: BroadcastStation
  private let thread = Monitor<Thread?>(nil)

  /// Octets that may wait to be sent: more than a tenth of a second at the highest rate, so that
  /// the sender is never idle.
  private static let unsentSizeMax = 8 * 1_024 * 1_024

  /// `onReset` is called on the broadcaster's thread and must return soon; the answer follows by
  /// `answer(_:with:)`, from any thread, once the app has decided.
  package init(
    configuration: Configuration, onReset: @escaping @Sendable (IncomingReset) -> Void
  ) {
    self.configuration = configuration
    station = BroadcastStation(configuration: configuration, onReset: onReset)
  }

  deinit { suspend() }

  /// Opens the sockets and announces the instance. Nothing is on the wire before. Idempotent.
  package func resume() {
    thread.withLock { [station, configuration] thread in
      guard thread == nil else { return }
      station.inbox.open()
      // The thread holds the station, not the broadcaster, whose end is what ends the thread.
      do throws(ThreadError) {
        thread = try Thread.start(name: "statesurf-net") {
          BroadcastLoop(station: station, configuration: configuration).run()
        }
      } catch {
        // Open all the same, so that `send` waits, and the queue stays bounded.
        station.report(problem: "\(error)")
        configuration.onNetwork?("\(error)")
      }
    }
  }

  /// Sends what is queued, answers viewers that miss something, says goodbye and closes the
  /// sockets, all within this time; keeps the history. Idempotent.
  package func suspend(within time: Duration = .milliseconds(500)) {
    thread.withLock { thread in
      station.inbox.close(until: monotonicTime(after: time))
      thread?.join()
      thread = nil
    }
  }

  /// Sends records, on this thread unless the broadcaster's is sending. Their sequences must be 1,
  /// 2, 3 …
  ///
  /// Blocks the calling thread while more than a few megabytes wait to be sent, so never call it on
  /// a thread of the app's. Returns at once while suspended: `resume()` then sends the records.
  package func send(_ records: [Record]) {
    submit([.records(records)])
    station.inbox.wait { $0 <= Self.unsentSizeMax }
  }

  /// The same for a thread that must not wait, which asks `hasRoom` first.
  package func post(_ records: [Record]) {
    submit([.records(records)])
  }

  /// Octets that it keeps for viewers, as they were when it last sent.
  package var keptSize: Int { station.inbox.keptSize }

  /// Keeps at most `keptSize` octets from now on: half of history, half of live values. The newest
  /// state and unsent packets are kept in any case.
  package func bound(keptSize: Int) { submit([.bound(keptSize)]) }

  /// Whether `send` would return at once.
  package var hasRoom: Bool {
    station.inbox.wait(timeout: .zero) { $0 <= Self.unsentSizeMax }
  }

  /// Answers a reset, once, in its place between the records that were sent before and after.
  package func answer(_ reset: IncomingReset, with result: Outcome.Result) {
    submit([.answer(reset, result)])
  }

  /// Announces what viewers may ask of the app, and whether it is locked or paused, from the next
  /// heartbeat on.
  package func announce(_ control: Heartbeat.Control) { submit([.control(control)]) }

  /// Announces what the app gave up, from the first heartbeat after the next send: this wakes no
  /// thread.
  package func note(_ givenUp: Heartbeat.GivenUp) { station.inbox.append([.givenUp(givenUp)]) }

  /// Tells the viewer of a reset, when it next asks, how much of the work on it is done: this wakes
  /// no thread.
  package func note(_ share: ResetProgress.Share, of reset: IncomingReset) {
    station.inbox.append([.share(share, of: reset)])
  }

  /// Announces that the app is in a state that no record carries, until the next one that does.
  package func leaveRecords() { submit([.leftRecords]) }

  private func submit(_ commands: [BroadcastInbox.Command]) {
    guard !station.inbox.isOpen else { return station.perform(commands) }
    station.inbox.append(commands)
    // It may have been opened meanwhile.
    station.inbox.wake()
  }

  /// Waits at most `timeout` until all that was queued is on the wire; true if it is.
  package func flush(timeout: Duration) -> Bool {
    station.inbox.wait(timeout: timeout) { $0 == 0 }
  }

  /// What a viewer in this process reads next of all that was sent, or waits for a network; nil
  /// `place` for its first reading. Copies `sizeMax` octets or so, and holds nobody up for longer.
  package func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? {
    station.ownPackets(from: place, sizeMax: sizeMax)
  }

  /// Whether a viewer follows, or has followed a minute ago.
  package var isWatched: Bool { station.isWatched }

  /// How many viewers do.
  package var viewerCount: Int { station.viewerCount }

  package var counters: NetworkCounters { station.counters }
}

/// The keys of an end, and what seals under them.
package struct Sealing: Sendable {
  package let ring: KeyRing
  package let makeCipher: CipherMaker

  package init(_ ring: KeyRing, makeCipher: @escaping CipherMaker) {
    (self.ring, self.makeCipher) = (ring, makeCipher)
  }

  func appSeal(session: SessionID) -> AppSeal {
    var random = SystemRandomNumberGenerator()
    return AppSeal(
      ring.sealingKey, session: session, sender: SenderID(rawValue: random.next()),
      makeCipher: makeCipher)
  }

  package func viewerSeal(_ viewer: ViewerID) -> ViewerSeal {
    ViewerSeal(ring, viewer: viewer, makeCipher: makeCipher)
  }
}
