package import SurfTransport
internal import SurfWire

extension Transmission {
  /// The same transmission with each datagram sealed; nil if one could not be.
  ///
  /// - Parameter buffer: a buffer for runs, reused because fresh memory would cost as much time as
  ///   the network.
  /// - Parameter seal: writes the sealed form of a datagram into a buffer of its size; false if it
  ///   could not.
  package func sealed(
    in buffer: inout [UInt8],
    _ seal: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool
  ) -> Transmission? {
    switch payload {
    case .run(let run): run.sealed(in: &buffer, seal).map { Transmission(to: destination, $0) }
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
      let octets = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = size
        isSealed = datagram.withUnsafeBytes { seal($0, UnsafeMutableRawBufferPointer(buffer)) }
      }
      guard isSealed else { return nil }
      sealed.append(octets)
    }
    return Transmission(to: destination, sealed)
  }
}

extension PacketRun {
  /// All packets grow by the same size, so the result is a run again.
  fileprivate func sealed(
    in buffer: inout [UInt8],
    _ seal: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool
  ) -> PacketRun? {
    let growth = SealedHeader.packetGrowth
    let sealedSize = size + count * growth
    var isSealed = true
    if buffer.count < sealedSize { buffer = [UInt8](repeating: 0, count: sealedSize) }
    // A run that waits for its socket still owns these octets; then this makes a copy.
    buffer.withUnsafeMutableBytes { buffer in
      var place = 0
      for index in 0..<count {
        datagram(index).withUnsafeBytes { open in
          let end = place + open.count + growth
          isSealed =
            isSealed && seal(open, UnsafeMutableRawBufferPointer(rebasing: buffer[place..<end]))
          place = end
        }
      }
    }
    guard isSealed else { return nil }
    return PacketRun(bytes: buffer, range: 0..<sealedSize, segmentSize: segmentSize + growth)
  }
}
