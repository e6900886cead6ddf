import SurfSeal
import SurfSockets
import SurfThreads
import SurfTransport
import SurfWire

/// Packets for a viewer in the app's own process.
package typealias OwnPackets = SurfTransport.OwnPackets

/// A viewer's request for the app: a state to enter, or a command.
package typealias IncomingReset = SurfTransport.IncomingReset

/// Commands that change what viewers see of an app.
package typealias BroadcastCommand = BroadcastMachine.Command

/// Identifies a request: its viewer, and the viewer's number for it.
package typealias RequestKey = SurfTransport.ResetIntake.Key

/// Which viewer drives the app.
package typealias Wheel = SurfTransport.Wheel

/// The app's end on the network, for `SurfLive` and for the gateway's guests: announces one
/// instance, multicasts its records, resends what viewers missed, and receives their resets.
///
/// It runs on its own thread. No call throws a network error: `onNetwork` gets the error, and the
/// thread retries. If the thread itself cannot start, the next `resume()` tries again.
package final class Broadcaster: Sendable {
  package struct Configuration: Sendable {
    package var instance: InstanceID
    /// Shown in every viewer, and the DNS-SD name.
    package var app: String
    /// The process whose instance it is; nil for this one.
    package var process: HostFacts?
    /// The group of people whose app it is; nil for everybody.
    package var realm: Realm?
    /// How the app and its machine describe themselves.
    package var introduction = Introduction()
    /// Loopback by default.
    package var interface = "lo"
    package var group = NetworkDefaults.group
    package var port = NetworkDefaults.port
    /// The content type of the states, if they share one. Announced, not checked.
    package var contentType = "application/json"
    package var acceptsResets = true
    /// What else viewers may request. Announced, not checked.
    package var control: Heartbeat.Control = []
    /// The keys to seal with; nil for an unsealed session.
    package var sealing: Sealing?
    package var registersDNSSD = true
    /// Octets of sent packets to keep for repair and late joiners.
    package var historySizeMax = 64 * 1_024 * 1_024
    /// How long to keep sent packets. The newest state is kept forever.
    package var historyAgeMax = Timers.historyAgeMax
    /// Called when a viewer watches and nobody did before, on the broadcaster's thread or that of a
    /// reader in this process. Must return soon.
    package var onArrival: (@Sendable () -> Void)?
    /// Called with the reason for each failed attempt to use the network, and with nil when it
    /// works again. The broadcaster's thread calls it, or `resume()` if that thread cannot start.
    /// It must return soon, and must not call `resume` or `suspend`.
    package var onNetwork: (@Sendable (_ problem: String?) -> Void)?

    /// Called on the broadcaster's thread with an undecided request when its viewer no longer
    /// waits. Must return soon.
    package var onAbandon: (@Sendable (RequestKey) -> Void)?

    package init(instance: InstanceID, app: String) {
      self.instance = instance
      self.app = app
    }
  }

  private let configuration: Configuration
  private let station: BroadcastStation
  private let thread = Monitor<Thread?>(nil)

  /// Octets that may wait to be sent: more than a tenth of a second's worth at the highest rate, so
  /// that the sender is never idle.
  private static let unsentSizeMax = 8 * 1_024 * 1_024

  /// `onReset` is called on the broadcaster's thread and must return soon. Once the app has
  /// decided, perform an `answer` from any thread.
  package init(
    configuration: Configuration, onReset: @escaping @Sendable (IncomingReset) -> Void
  ) {
    self.configuration = configuration
    station = BroadcastStation(configuration: configuration, onReset: onReset)
  }

  // A last resort: whoever owns a broadcaster suspends it.
  deinit { suspend() }

  /// Opens the sockets and announces the instance. Nothing is sent before. Idempotent.
  package func resume() {
    thread.withLock { [station, configuration] thread in
      guard thread == nil else { return }
      station.inbox.open()
      // If the thread retained the broadcaster, one that nobody suspends would run forever.
      do throws(ThreadError) {
        thread = try Thread.start(name: "statesurf-net") {
          BroadcastLoop(station: station, configuration: configuration).run()
        }
      } catch {
        // The inbox stays open anyway, so that `send` waits, and the queue stays bounded.
        configuration.onNetwork?("\(error)")
      }
    }
  }

  /// Sends queued records, answers viewers that miss something, says goodbye and closes the
  /// sockets, all within `time`. Keeps the history. Idempotent.
  package func suspend(within time: Duration = .milliseconds(500)) {
    thread.withLock { thread in
      station.inbox.close(until: monotonicTime(after: time))
      thread?.join()
      thread = nil
    }
  }

  /// Performs a command on this thread, unless another one is sending. A patient command is only
  /// queued, for the next turn. While suspended, records are queued, and `resume()` sends them.
  package func perform(_ command: BroadcastCommand) {
    if command.isPatient { return station.inbox.append(command) }
    guard !station.inbox.isOpen else { return station.perform(command) }
    station.inbox.append(command)
    // The inbox may have been opened meanwhile.
    station.inbox.wake()
  }

  /// Sends records, and blocks while more than a few megabytes are unsent. So never call it on one
  /// of the app's threads.
  package func send(_ records: [Record]) {
    perform(.records(records))
    station.inbox.waitForRoom(Self.unsentSizeMax)
  }

  /// Lets `send` block until `end` at most, by `monotonicNow()`; nil lifts the limit.
  package func limitWaits(until end: Duration?) { station.inbox.limitWaits(until: end) }

  /// Whether `send` would return immediately.
  package var hasRoom: Bool {
    station.inbox.wait(timeout: .zero) { $0 <= Self.unsentSizeMax }
  }

  /// Octets kept for viewers, as of the last time it sent.
  package var keptSize: Int { station.inbox.keptSize }

  /// Waits up to `timeout` until all queued records are on the wire; true if they are, or if it is
  /// suspended.
  package func flush(timeout: Duration) -> Bool {
    station.inbox.wait(timeout: timeout) { $0 == 0 }
  }

  /// The next packets for a viewer in this process, sent or not; nil `place` for the first read.
  /// Copies about `sizeMax` octets, and blocks other threads no longer than that takes.
  package func ownPackets(from place: SequenceNumber?, sizeMax: Int) -> OwnPackets? {
    station.ownPackets(from: place, sizeMax: sizeMax)
  }

  /// Whether a viewer follows, or did within the last minute.
  package var isWatched: Bool { station.isWatched }

  /// The number of those viewers.
  package var viewerCount: Int { station.viewerCount }

  package var counters: NetworkCounters { station.counters }
}

/// The keys of an app or a viewer, and the cipher to use them with.
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
}

/// Where apps and viewers meet by default (Protocol.md §5).
package enum NetworkDefaults {
  /// 239.255.83.83: organization-local scope (RFC 2365 §6.2).
  package static let group: UInt32 = 0xEFFF_5353
  package static let port: UInt16 = 8383

  /// Apps listen for probes on the port after that of the data. On the same port, each would
  /// receive everything that the others send.
  ///
  /// - Precondition: `port` is one of `ports`.
  package static func probePort(_ port: UInt16) -> UInt16 { port &+ 1 }

  /// Ports that a stream may have. 0 is not a port, and 65,535 has no port after it for probes.
  package static let ports: ClosedRange<UInt16> = 1...65_534
}
