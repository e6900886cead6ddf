import SurfWire

extension Datagram {
  package init(decoding bytes: [UInt8]) throws(WireError) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(WireError) in try Datagram(decoding: raw) }
    }
    self = try result.get()
  }
}

extension PacketTrain {
  /// Calls `body` with a train of one packet, valid for the call.
  ///
  /// - Parameter sealed: the datagram as received, if it was sealed.
  package static func with(
    _ packet: DataPacket, of session: SessionID, sealed: [UInt8]? = nil,
    _ body: (PacketTrain) -> Void
  ) {
    Datagram(session: session, body: .data(packet)).encoded().withUnsafeBytes { bytes in
      (sealed ?? []).withUnsafeBytes { octets in
        let segments = sealed.map { _ in DatagramSegments(octets, size: octets.count) }
        var datagrams = IncomingDatagrams(bytes, segmentSize: bytes.count, sealed: segments)
        if case .success(.packets(let train)) = datagrams.next() { body(train) }
      }
    }
  }
}
