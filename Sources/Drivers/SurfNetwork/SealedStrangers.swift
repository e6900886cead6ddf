import SurfBasics
import SurfSockets
import SurfTransport
import SurfWire

/// Apps that are sealed under a key that is not here: of each the key's id, and where it is.
///
/// Anybody can send what looks so, so no more than a few are kept, and none that falls silent.
package struct SealedStrangers: Equatable, Sendable {
  private struct App: Hashable {
    let place: Place
    let session: SessionID
  }

  /// Where apps are that are sealed under one key.
  package struct Place: Hashable, Sendable {
    /// Of the header, as two hexadecimal digits.
    package let keyID: String
    /// An IPv4 address in dotted decimal.
    package let address: String

    package init(keyID: String, address: String) {
      (self.keyID, self.address) = (keyID, address)
    }
  }

  package static let countMax = 64
  /// When each was heard last.
  private var apps: [App: Duration] = [:]

  package init() {}

  package var isEmpty: Bool { apps.isEmpty }

  /// How many apps there are at each place.
  package var counts: [(place: Place, count: Int)] {
    Dictionary(grouping: apps.keys, by: \.place).map { ($0.key, $0.value.count) }
      .sorted { ($0.0.address, $0.0.keyID) < ($1.0.address, $1.0.keyID) }
  }

  /// Notes who sent a datagram that is sealed under an unknown key, if it is an app.
  mutating func note(
    _ datagram: UnsafeRawBufferPointer, from endpoint: IPv4Endpoint, at now: Duration
  ) {
    do throws(WireError) {
      let header = try SealedHeader(decoding: datagram)
      guard SealedHeader.isHeartbeat(code: header.code) else { return }
      note(keyID: header.keyID, session: header.session, address: endpoint.address, at: now)
    } catch {
      // It is counted where it is dropped.
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

  /// Forgets those that have said nothing for as long as an app that is gone is waited for
  /// (Protocol.md §10.8).
  package mutating func forgetSilent(at now: Duration) {
    guard apps.values.contains(where: { now - $0 >= Timers.expiry }) else { return }
    apps = apps.filter { now - $0.value < Timers.expiry }
  }
}
