internal import SurfTransport
internal import SurfWire

extension Transmission {
  /// The same, with each datagram in the place of an open one.
  ///
  /// - Parameter room: where runs are written, the same each time: fresh memory for each would take
  ///   as long as the network.
  /// - Parameter seal: writes the sealed form of a datagram into room for it; false if it could
  ///   not.
  func sealed(
    in room: inout [UInt8],
    _ seal: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool
  ) -> Transmission? {
    switch payload {
    case .run(let run): run.sealed(in: &room, seal).map { Transmission(to: destination, $0) }
    case .datagrams(let datagrams): sealed(datagrams, seal)
    }
  }

  private func sealed(
    _ datagrams: [[UInt8]],
    _ seal: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool
  ) -> Transmission? {
    var sealed: [[UInt8]] = []
    for datagram in datagrams {
      var isSealed = false
      let size = datagram.withUnsafeBytes { SealedForm.sealedSize(of: $0) }
      let octets = [UInt8](unsafeUninitializedCapacity: size) { room, count in
        count = size
        isSealed = datagram.withUnsafeBytes { seal($0, UnsafeMutableRawBufferPointer(room)) }
      }
      guard isSealed else { return nil }
      sealed.append(octets)
    }
    return Transmission(to: destination, sealed)
  }
}

extension PacketRun {
  /// Packets grow alike, so that they are a run again.
  fileprivate func sealed(
    in room: inout [UInt8],
    _ seal: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool
  ) -> PacketRun? {
    let growth = SealedHeader.packetGrowth
    let sealedSize = size + count * growth
    var isSealed = true
    if room.count < sealedSize { room = [UInt8](repeating: 0, count: sealedSize) }
    // A run that waits for its socket keeps its octets: then this is a copy.
    room.withUnsafeMutableBytes { room in
      var place = 0
      for index in 0..<count {
        datagram(index).withUnsafeBytes { open in
          let end = place + open.count + growth
          isSealed =
            isSealed && seal(open, UnsafeMutableRawBufferPointer(rebasing: room[place..<end]))
          place = end
        }
      }
    }
    guard isSealed else { return nil }
    return PacketRun(bytes: room, range: 0..<sealedSize, segmentSize: segmentSize + growth)
  }
}
