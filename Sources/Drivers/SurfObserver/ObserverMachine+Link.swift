import SurfTransport
import SurfWire

// What the machine and its sockets have to do with each other.
extension ObserverMachine {
  /// Has datagrams sent, sealed if the session is.
  mutating func transmit(_ datagrams: [Datagram], to destination: Destination, of source: Source) {
    var transmission = Transmission(to: destination, datagrams.map { $0.encoded() })
    transmission.mustBeSealed = source.key != nil
    transmissions.append(transmission)
  }

  /// This process was too slow for what came on its socket.
  mutating func socketOverflowed() {
    for source in sources.values { source.receiver.socketOverflowed() }
  }

  /// What this viewer sends comes from another address from now on.
  mutating func addressChanged(at now: Duration) {
    for source in sources.values {
      source.receiver.renewCookie(at: now)
      drain(source)
    }
  }
}
