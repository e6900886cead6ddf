/// One unit that an app or a viewer reads from the network: a train of packets, or one other
/// datagram. Thousands of packets arrive at a viewer in a second, so they stay in place.
package enum IncomingDatagram {
  case packets(PacketTrain)
  case message(Datagram)

  package var session: SessionID {
    switch self {
    case .packets(let packets): packets.session
    case .message(let datagram): datagram.session
    }
  }
}

/// Splits one receive buffer into datagrams. The kernel coalesces those of one sender: all have one
/// size but the last, which may be smaller. `RunReader` uses it, after any seal was opened.
package struct IncomingDatagrams {
  private let bytes: UnsafeRawBufferPointer
  private let segmentSize: Int
  private let sealed: DatagramSegments?
  private var offset = 0
  private var isAtEnd = false

  /// The bytes must outlive the packets read from them.
  ///
  /// - Parameter sealed: the same datagrams as received, if they were sealed.
  /// - Precondition: `segmentSize` is 0 only if `bytes` is empty, which counts as one datagram.
  package init(
    _ bytes: UnsafeRawBufferPointer, segmentSize: Int, sealed: DatagramSegments? = nil
  ) {
    self.bytes = bytes
    self.segmentSize = segmentSize
    self.sealed = sealed
  }

  /// The next datagram, or all consecutive packets with the same header; nil at the end.
  package mutating func next() -> Result<IncomingDatagram, WireError>? {
    guard !isAtEnd else { return nil }
    let first = bytes.segment(at: offset, size: segmentSize)
    let result = Result { () throws(WireError) in try read(first) }
    if case .success(.packets(let train)) = result {
      offset += train.count * segmentSize
    } else {
      offset += segmentSize
    }
    isAtEnd = offset >= bytes.count
    return result
  }

  private func read(_ datagram: UnsafeRawBufferPointer) throws(WireError) -> IncomingDatagram {
    var reader = ByteReader(datagram)
    let header = try DatagramHeader(from: &reader)
    guard header.code == Datagram.Code.data.rawValue, header.session != .none else {
      return .message(try Datagram(decoding: datagram))
    }
    // For the reason to count, if the packet is invalid (Protocol.md §15).
    _ = try PacketView(from: &reader)
    return .packets(
      PacketTrain(
        UnsafeRawBufferPointer(rebasing: bytes[offset...]), segmentSize: segmentSize,
        header: header, sealed: sealed?.dropFirst(offset / segmentSize)))
  }
}

/// Consecutive data packets with one header, in memory that the caller owns.
package struct PacketTrain: RandomAccessCollection {
  package let session: SessionID
  package let flags: DatagramFlags
  package let startIndex = 0
  package private(set) var endIndex = 0
  private let bytes: UnsafeRawBufferPointer
  private let segmentSize: Int
  /// Octets of a datagram before its packet's fields.
  private let headerSize: Int
  private let sealed: DatagramSegments?

  /// - Precondition: the first datagram is a packet with this header.
  fileprivate init(
    _ bytes: UnsafeRawBufferPointer, segmentSize: Int, header: DatagramHeader,
    sealed: DatagramSegments?
  ) {
    session = header.session
    flags = header.flags
    self.bytes = bytes
    self.segmentSize = segmentSize
    self.sealed = sealed
    headerSize = header.size
    endIndex = 1
    // A sender gives all packets of one call the same header.
    while endIndex * segmentSize < bytes.count, continues(with: segment(endIndex)) {
      endIndex += 1
    }
  }

  package subscript(index: Int) -> PacketView {
    PacketView(unchecked: fields(of: segment(index)), sealed: sealed?[index])
  }

  private func segment(_ index: Int) -> UnsafeRawBufferPointer {
    bytes.segment(at: index * segmentSize, size: segmentSize)
  }

  private func fields(of datagram: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: datagram[headerSize...])
  }

  private func continues(with datagram: UnsafeRawBufferPointer) -> Bool {
    guard datagram.count >= headerSize + PacketView.fieldsSize else { return false }
    let isSame = (0..<2).allSatisfy { word in
      datagram.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
        == bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
    }
    return isSame && PacketView(unchecked: fields(of: datagram)).isValid
  }
}

/// Consecutive datagrams: all of one size but the last, which may be smaller.
package struct DatagramSegments {
  private let bytes: UnsafeRawBufferPointer
  private let size: Int

  /// - Parameter size: octets of each datagram but the last.
  package init(_ bytes: UnsafeRawBufferPointer, size: Int) {
    self.bytes = bytes
    self.size = size
  }

  package subscript(index: Int) -> UnsafeRawBufferPointer {
    bytes.segment(at: index * size, size: size)
  }

  package func dropFirst(_ count: Int) -> DatagramSegments {
    DatagramSegments(UnsafeRawBufferPointer(rebasing: bytes[(count * size)...]), size: size)
  }
}

extension UnsafeRawBufferPointer {
  /// The octets from `offset` on, at most `size` of them.
  fileprivate func segment(at offset: Int, size: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[offset..<Swift.min(offset + size, count)])
  }
}
