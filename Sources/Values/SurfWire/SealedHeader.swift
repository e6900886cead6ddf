/// What anybody can read of a datagram, sealed or not. The seal authenticates it (Protocol.md
/// §18.2).
package struct SealedHeader: Equatable, Sendable {
  package let code: UInt8
  /// 0 if not sealed.
  package let keyID: UInt8
  package let session: SessionID
  /// Nil for data: its sender is the app, whatever address it comes from.
  package let sender: UInt64?
  /// The packet's sequence number, or for other datagrams the sender's counter.
  package let number: SequenceNumber
  /// Octets before the sealed ones.
  package let size: Int

  /// Octets before the body of a sealed datagram that is not data.
  package static let messageSize = 32

  /// Octets before the sealed part of a data datagram.
  package static let packetClearSize = Limits.headerSize + 8

  /// How many octets sealing adds to a packet, and to any other datagram.
  package static let packetGrowth = Limits.tagSize
  package static let messageGrowth = messageSize - Limits.headerSize + Limits.tagSize

  /// Whether this type is data. A packet has a sequence number, so it needs no sender counter.
  package static func isData(code: UInt8) -> Bool { code == Datagram.Code.data.rawValue }

  package static func isHeartbeat(code: UInt8) -> Bool { code == Datagram.Code.heartbeat.rawValue }

  package static func isProbe(code: UInt8) -> Bool { code == Datagram.Code.probe.rawValue }

  package static func isWelcome(code: UInt8) -> Bool { code == Datagram.Code.welcome.rawValue }

  /// Whether this type reports an app's present condition, so that an older one is worthless.
  package static func isNews(code: UInt8) -> Bool {
    isHeartbeat(code: code) || code == Datagram.Code.goodbye.rawValue
  }

  /// Reads the front of a datagram, with checks in the order of Protocol.md §6. Of a datagram that
  /// is not sealed, it reads only the session and the type.
  package init(decoding datagram: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(datagram)
    let header = try DatagramHeader(from: &reader, mayBeSealed: true)
    (code, keyID, session) = (header.code, header.keyID, header.session)
    guard keyID > 0 else {
      (sender, number, size) = (nil, 0, header.size)
      return
    }
    var end = header.size
    if Self.isData(code: code) {
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

/// The sender of a datagram, by the datagram's type. It decides which of a group's keys seals that.
package enum SealingRole: String, Sendable {
  /// Everything that an app sends.
  case app
  /// Messages from a viewer, except those that move the app.
  case viewer
  /// Messages that move the app: resets and commands.
  case driver

  /// Nil if version 1 has no such type.
  package init?(code: UInt8) {
    switch Datagram.Code(rawValue: code) {
    case .data, .heartbeat, .goodbye, .welcome, .resetProgress, .outcome, .proof, .valueReply:
      self = .app
    case .probe, .hello, .nak, .windowUpdate, .seek, .offer, .check, .valueRequest:
      self = .viewer
    case .reset, .command, .resetByDelta: self = .driver
    case nil: return nil
    }
  }
}
