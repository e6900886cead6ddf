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
    let size = range.count + count * growth
    var isSealed = true
    if room.count < size { room = [UInt8](repeating: 0, count: size) }
    // A run that waits for its socket keeps its octets: then this is a copy.
    room.withUnsafeMutableBytes { room in
      bytes.withUnsafeBytes { bytes in
        var place = 0
        for start in stride(from: range.lowerBound, to: range.upperBound, by: segmentSize) {
          let open = UnsafeRawBufferPointer(
            rebasing: bytes[start..<min(start + segmentSize, range.upperBound)])
          let end = place + open.count + growth
          isSealed =
            isSealed && seal(open, UnsafeMutableRawBufferPointer(rebasing: room[place..<end]))
          place = end
        }
      }
    }
    guard isSealed else { return nil }
    return PacketRun(bytes: room, range: 0..<size, segmentSize: segmentSize + growth)
  }
}
