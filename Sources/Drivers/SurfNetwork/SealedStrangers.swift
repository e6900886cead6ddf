import SurfBasics
import SurfSockets
import SurfTransport
import SurfWire

/// Apps that are sealed under keys that this process lacks, by key id and address. Most are the
/// user's own, with a key that is missing here. But anybody can send such datagrams, so only a few
/// apps are kept, and only while they are heard.
///
/// `Link.receive` fills it, on the loop's thread, and in practice at a viewer: nobody sends
/// heartbeats to where apps listen.
package struct SealedStrangers: Equatable, Sendable {
  private struct App: Hashable {
    let place: Place
    let session: SessionID
  }

  /// The key id and the address of such an app.
  package struct Place: Hashable, Sendable {
    /// The key id in the header, as two hexadecimal digits.
    package let keyID: String
    package let address: String

    package init(keyID: String, address: String) {
      (self.keyID, self.address) = (keyID, address)
    }
  }

  package static let countMax = 64
  /// When each was last heard.
  private var apps = [App: Duration]()

  package init() {}

  /// The place of each app, in no order.
  package var places: [Place] { apps.keys.map(\.place) }

  /// Notes the sender of a datagram that is sealed under an unknown key, if it is a heartbeat.
  mutating func note(
    _ datagram: UnsafeRawBufferPointer, from endpoint: IPv4Endpoint, at now: Duration
  ) {
    do throws(WireError) {
      let header = try SealedHeader(decoding: datagram)
      guard SealedHeader.isHeartbeat(code: header.code) else { return }
      note(keyID: header.keyID, session: header.session, address: endpoint.address, at: now)
    } catch {
      // The caller counts the drop.
    }
  }

  package mutating func note(
    keyID: UInt8, session: SessionID, address: UInt32, at now: Duration = .zero
  ) {
    let place = Place(keyID: keyID.digits(2, radix: 16), address: IPv4.text(address))
    let app = App(place: place, session: session)
    guard apps[app] != nil || apps.count < Self.countMax else { return }
    apps[app] = now
  }

  /// Drops apps that have been silent for as long as a viewer waits for a vanished app (Protocol.md
  /// §10.8).
  package mutating func forgetSilent(at now: Duration) {
    guard apps.values.contains(where: { now - $0 >= Timers.expiry }) else { return }
    apps = apps.filter { now - $0.value < Timers.expiry }
  }
}
