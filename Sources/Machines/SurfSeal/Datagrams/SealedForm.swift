package import SurfWire

/// Translates between the open and the sealed form of a datagram (Protocol.md §18.2). All other
/// code knows only the open form: header (16), body.
///
/// Sealed data: header (16), packet sequence (8), sealed rest, tag (16). Other sealed datagrams:
/// header (32), sealed body, tag (16).
package enum SealedForm {
  private static let typeOffset = 3
  private static let lengthOffset = 4
  private static let keyOffset = 5
  private static let flagsOffset = 6
  private static let sessionOffset = 8
  private static let senderOffset = 16
  private static let numberOffset = 24

  // MARK: Sealing

  /// The size of an open datagram once sealed.
  static func sealedSize(of open: UnsafeRawBufferPointer) -> Int {
    open.count + (isPacket(open) ? SealedHeader.packetGrowth : SealedHeader.messageGrowth)
  }

  /// - Parameter buffer: exactly `sealedSize` octets.
  /// - Precondition: `open` is a data datagram that this process encoded.
  static func seal(
    packet open: UnsafeRawBufferPointer, with cipher: any SealingCipher, keyID: KeyID,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let clearSize = SealedHeader.packetClearSize
    buffer.copyMemory(from: open)
    buffer[keyOffset] = keyID.rawValue
    let sequence = SequenceNumber(
      UInt64(bigEndian: open.loadUnaligned(fromByteOffset: Limits.headerSize, as: UInt64.self)))
    let nonce = SealNonce(type: open[typeOffset], number: sequence)
    return withMaskedFlags(of: UnsafeRawBufferPointer(buffer), clearSize: clearSize) { clear in
      cipher.seal(
        UnsafeMutableRawBufferPointer(rebasing: buffer[clearSize...]), header: clear, nonce: nonce)
    }
  }

  /// - Parameter number: must be new for this sender and session.
  /// - Parameter buffer: exactly `sealedSize` octets.
  /// - Precondition: `open` is a datagram other than data that this process encoded.
  package static func seal(
    message open: UnsafeRawBufferPointer, with cipher: any SealingCipher, keyID: KeyID,
    sender: SenderID, number: SequenceNumber, into buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let clearSize = SealedHeader.messageSize
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: open[..<Limits.headerSize]))
    buffer[lengthOffset] = UInt8(clearSize)
    buffer[keyOffset] = keyID.rawValue
    buffer.storeBytes(of: sender.rawValue.bigEndian, toByteOffset: senderOffset, as: UInt64.self)
    buffer.storeBytes(of: number.rawValue.bigEndian, toByteOffset: numberOffset, as: UInt64.self)
    let sealed = UnsafeMutableRawBufferPointer(rebasing: buffer[clearSize...])
    sealed.copyMemory(from: UnsafeRawBufferPointer(rebasing: open[Limits.headerSize...]))
    return cipher.seal(
      sealed, header: UnsafeRawBufferPointer(rebasing: buffer[..<clearSize]),
      nonce: SealNonce(type: open[typeOffset], number: number))
  }

  // MARK: Opening

  /// The size of a sealed datagram once open.
  package static func openSize(of sealed: UnsafeRawBufferPointer, _ header: SealedHeader) -> Int {
    openClearSize(header) + sealed.count - header.size - Limits.tagSize
  }

  /// - Parameter header: the header of `sealed`.
  /// - Parameter buffer: exactly `openSize` octets.
  /// - Returns: false if it does not open; then `buffer` is undefined.
  package static func open(
    _ sealed: UnsafeRawBufferPointer, _ header: SealedHeader, with cipher: any SealingCipher,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let clearSize = openClearSize(header)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: sealed[..<Limits.headerSize]))
    buffer[lengthOffset] = UInt8(Limits.headerSize)
    buffer[keyOffset] = 0
    let body = UnsafeMutableRawBufferPointer(rebasing: buffer[clearSize...])
    let contents = UnsafeRawBufferPointer(rebasing: sealed[header.size...])
    let nonce = SealNonce(type: header.code, number: header.number)
    guard header.sender == nil else {
      let clear = UnsafeRawBufferPointer(rebasing: sealed[..<header.size])
      return cipher.open(contents, into: body, header: clear, nonce: nonce)
    }
    buffer.storeBytes(
      of: header.number.rawValue.bigEndian, toByteOffset: Limits.headerSize, as: UInt64.self)
    return withMaskedFlags(of: sealed, clearSize: header.size) { clear in
      cipher.open(contents, into: body, header: clear, nonce: nonce)
    }
  }

  private static func openClearSize(_ header: SealedHeader) -> Int {
    header.sender == nil ? SealedHeader.packetClearSize : Limits.headerSize
  }

  package static func code(of open: UnsafeRawBufferPointer) -> UInt8 { open[typeOffset] }

  /// Nil if the datagram is not sealed, or too short.
  package static func keyID(of datagram: UnsafeRawBufferPointer) -> KeyID? {
    datagram.count > keyOffset ? KeyID(rawValue: datagram[keyOffset]) : nil
  }

  package static func isPacket(_ open: UnsafeRawBufferPointer) -> Bool {
    SealedHeader.isData(code: code(of: open))
  }

  /// The viewer's id at the start of a body: the sender of a datagram to an app, or the addressee
  /// of a welcome.
  package static func viewer(of open: UnsafeRawBufferPointer) -> SenderID? {
    guard open.count >= Limits.headerSize + 8 else { return nil }
    let id = open.loadUnaligned(fromByteOffset: Limits.headerSize, as: UInt64.self)
    return SenderID(rawValue: UInt64(bigEndian: id))
  }

  package static func session(of open: UnsafeRawBufferPointer) -> SessionID {
    SessionID(
      rawValue: UInt64(
        bigEndian: open.loadUnaligned(fromByteOffset: sessionOffset, as: UInt64.self)))
  }

  /// Passes a packet's clear octets with its flags as 0, because a repair changes the flags.
  private static func withMaskedFlags(
    of datagram: UnsafeRawBufferPointer, clearSize: Int, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: clearSize, alignment: 1) { clear in
      clear.copyMemory(from: UnsafeRawBufferPointer(rebasing: datagram[..<clearSize]))
      clear.storeBytes(of: 0, toByteOffset: flagsOffset, as: UInt16.self)
      return body(UnsafeRawBufferPointer(clear))
    }
  }
}
