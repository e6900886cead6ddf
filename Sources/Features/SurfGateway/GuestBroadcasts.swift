import SurfNetwork
import SurfObserver
import SurfStreams
import SurfThreads
import SurfWire

/// The guests of the gateway on the network of apps: each has a stream of its own, so that every
/// viewer sees it.
final class GuestBroadcasts: Sendable {
  private let network: Observer.Configuration
  /// Nil once it was stopped.
  private let guests = Monitor<[StreamID: GuestBroadcast]?>([:])

  /// - Parameter network: where the gateway looks for apps.
  init(on network: Observer.Configuration) { self.network = network }

  func announce(_ stream: StreamID, _ guest: GuestAnnouncement) {
    let broadcast = GuestBroadcast(guest, on: network)
    let isKept: Void? = guests.withLock { $0?[stream] = broadcast }
    if isKept != nil { broadcast.resume() }
  }

  func tell(_ stream: StreamID, _ step: GuestStep) {
    guests.withLock { $0?[stream] }?.tell(step)
  }

  func withdraw(_ stream: StreamID) {
    guests.withLock { $0?.removeValue(forKey: stream) }?.leave()
  }

  /// Says goodbye for all, and returns when it is said.
  func stop() {
    let rest = guests.withLock { $0.take() }
    for guest in rest?.values.map(\.self) ?? [] { guest.suspend() }
  }
}

/// One guest's stream.
private final class GuestBroadcast: Sendable {
  private let broadcaster: Broadcaster
  private let records = Monitor(GuestRecords())
  private let beganAt = uptimeNow()

  init(_ guest: GuestAnnouncement, on network: Observer.Configuration) {
    var configuration = Broadcaster.Configuration(instance: guest.instance, app: guest.app)
    configuration.process = HostFacts(
      name: guest.host ?? HostFacts.current.name, processID: UInt32(guest.port))
    configuration.realm = network.realms.realm
    configuration.interface = network.interface
    configuration.group = network.group
    configuration.port = network.port
    configuration.registersDNSSD = network.browsesDNSSD
    // What the gateway holds a key for must not go in the clear, whoever brings it.
    configuration.sealing = network.sealing
    // There may be many guests, and each says little.
    configuration.historySizeMax = 16 * 1_024 * 1_024
    // RemoteInspector has no word for it.
    configuration.acceptsResets = false
    broadcaster = Broadcaster(configuration: configuration) { _ in }
  }

  func resume() { broadcaster.resume() }

  /// Sends a step, unless the network has taken nothing for so long that the gateway would have to
  /// wait.
  func tell(_ step: GuestStep) {
    let uptime = UInt64(max(0, uptimeNow() - beganAt))
    let hasRoom = broadcaster.hasRoom
    let (record, givenUp) = records.withLock { records -> (Record?, Heartbeat.GivenUp?) in
      let before = records.givenUp
      var record: Record?
      if hasRoom {
        record = records.record(step, wallTime: wallNow(), uptime: uptime)
      } else {
        records.giveUp()
      }
      return (record, records.givenUp == before ? nil : records.givenUp)
    }
    if let givenUp { broadcaster.note(givenUp) }
    if let record { broadcaster.send([record]) }
  }

  func suspend() { broadcaster.suspend() }

  /// Says goodbye. What is queued may take half a second to leave, for which panels must not wait.
  func leave() {
    do throws(ThreadError) {
      _ = try Thread.start(name: "statesurf-bye") { self.suspend() }
    } catch {
      suspend()
    }
  }
}
