/// What anybody can read of a datagram, sealed or not, and what its seal vouches for besides the
/// sealed octets (Protocol.md §18.2).
package struct SealedHeader: Equatable, Sendable {
  package let code: UInt8
  /// 0: not sealed.
  package let keyID: UInt8
  package let session: SessionID
  /// Nil in data: their sender is the app, whatever address they come from.
  package let sender: UInt64?
  /// Of data, the packet's sequence; of others, the sender's count.
  package let number: SequenceNumber
  /// Octets before the sealed ones, and before the tag.
  package let size: Int

  /// Octets before the body of a sealed datagram that is not data.
  package static let messageSize = 32

  /// Octets before the sealed ones of data.
  package static let packetClearSize = Limits.headerSize + 8

  /// Octets more that a sealed packet has than an open one, and another sealed datagram.
  package static let packetGrowth = Limits.tagSize
  package static let messageGrowth = messageSize - Limits.headerSize + Limits.tagSize

  /// Whether a type is that of packets, which have a number of their own.
  package static func isData(code: UInt8) -> Bool { code == Datagram.Code.data }

  package static func isHeartbeat(code: UInt8) -> Bool { code == Datagram.Code.heartbeat }

  package static func isProbe(code: UInt8) -> Bool { code == Datagram.Code.probe }

  package static func isWelcome(code: UInt8) -> Bool { code == Datagram.Code.welcome }

  /// Whether a type tells how an app is, so that an older one is worth nothing.
  package static func isNews(code: UInt8) -> Bool {
    isHeartbeat(code: code) || code == Datagram.Code.goodbye
  }

  /// Reads the front of a datagram in the order of Protocol.md §6; of one that is not sealed, the
  /// session and the type alone.
  package init(decoding datagram: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(datagram)
    let header = try DatagramHeader(from: &reader, mayBeSealed: true)
    (code, keyID, session) = (header.code, header.keyID, header.session)
    guard keyID > 0 else {
      (sender, number, size) = (nil, 0, header.size)
      return
    }
    var end = header.size
    if code == Datagram.Code.data {
      sender = nil
      number = try reader.sequence("packet sequence")
      end += 8
    } else {
      guard header.size >= Self.messageSize else { throw .invalid(field: "header length") }
      var fields = ByteReader(
        UnsafeRawBufferPointer(rebasing: datagram[Limits.headerSize..<header.size]))
      sender = try fields.integer("sender")
      number = try fields.sequence("number")
    }
    size = end
    guard datagram.count >= size + Limits.tagSize else {
      throw .truncated(
        field: "tag", needed: size + Limits.tagSize, available: datagram.count)
    }
  }
}

/// Which of a group's keys seals a datagram, by its type.
package enum SealingRole: Sendable {
  case app, viewer, driver
  /// No type of version 1.
  case unknown

  package init(code: UInt8) {
    switch code {
    case Datagram.Code.data, Datagram.Code.heartbeat, Datagram.Code.goodbye,
      Datagram.Code.welcome, Datagram.Code.resetProgress, Datagram.Code.outcome,
      Datagram.Code.proof, Datagram.Code.valueReply:
      self = .app
    case Datagram.Code.probe, Datagram.Code.hello, Datagram.Code.nak, Datagram.Code.windowUpdate,
      Datagram.Code.seek, Datagram.Code.offer, Datagram.Code.check, Datagram.Code.valueRequest:
      self = .viewer
    case Datagram.Code.reset, Datagram.Code.command, Datagram.Code.resetByDelta: self = .driver
    default: self = .unknown
    }
  }
}
