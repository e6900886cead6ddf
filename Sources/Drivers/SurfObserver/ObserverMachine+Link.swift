import SurfTransport
import SurfWire

// What the machine and its sockets have to do with each other.
extension ObserverMachine {
  /// Has datagrams sent, sealed if the session is.
  mutating func transmit(_ datagrams: [Datagram], to destination: Destination, of index: Int) {
    var transmission = Transmission(to: destination, datagrams.map { $0.encoded() })
    transmission.mustBeSealed = sources.values[index].key != nil
    transmissions.append(transmission)
  }

  /// This process was too slow for what came on its socket.
  mutating func socketOverflowed() {
    for index in sources.values.indices { sources.values[index].receiver.socketOverflowed() }
  }

  /// What this viewer sends comes from another address from now on.
  package mutating func addressChanged(at now: Duration) {
    for index in sources.values.indices {
      sources.values[index].receiver.renewCookie(at: now)
      drain(index)
    }
  }
}
