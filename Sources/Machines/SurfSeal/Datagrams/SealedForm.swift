internal import SurfWire

/// Where the parts of a datagram lie while it is open, and while it is sealed (Protocol.md §18.2).
///
/// Open, as all other code knows it: header (16), body. Sealed data: header (16), packet sequence
/// (8), the rest sealed, tag (16). Others: header (32), body sealed, tag (16).
enum SealedForm {
  private static let typeOffset = 3
  private static let lengthOffset = 4
  private static let keyOffset = 5
  private static let flagsOffset = 6
  private static let sessionOffset = 8
  private static let senderOffset = 16
  private static let numberOffset = 24

  // MARK: Sealing

  /// Octets of the sealed form of an open datagram.
  static func sealedSize(of open: UnsafeRawBufferPointer) -> Int {
    open.count + (isPacket(open) ? SealedHeader.packetGrowth : SealedHeader.messageGrowth)
  }

  /// - Parameter room: of `sealedSize` octets.
  /// - Precondition: `open` is a data datagram that this process encoded.
  static func seal(
    packet open: UnsafeRawBufferPointer, with cipher: any SealingCipher, keyID: KeyID,
    into room: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let clearSize = SealedHeader.packetClearSize
    room.copyMemory(from: open)
    room[keyOffset] = keyID.rawValue
    let sequence = SequenceNumber(
      UInt64(bigEndian: open.loadUnaligned(fromByteOffset: Limits.headerSize, as: UInt64.self)))
    let nonce = SealNonce(type: open[typeOffset], number: sequence)
    return withMaskedFlags(of: UnsafeRawBufferPointer(room), clearSize: clearSize) { clear in
      cipher.seal(
        UnsafeMutableRawBufferPointer(rebasing: room[clearSize...]), header: clear, nonce: nonce)
    }
  }

  /// - Parameter number: one that this sender has never used in this session.
  /// - Parameter room: of `sealedSize` octets.
  /// - Precondition: `open` is a datagram that this process encoded, and not data.
  static func seal(
    message open: UnsafeRawBufferPointer, with cipher: any SealingCipher, keyID: KeyID,
    sender: SenderID, number: SequenceNumber, into room: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let clearSize = SealedHeader.messageSize
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: open[..<Limits.headerSize]))
    room[lengthOffset] = UInt8(clearSize)
    room[keyOffset] = keyID.rawValue
    room.storeBytes(of: sender.rawValue.bigEndian, toByteOffset: senderOffset, as: UInt64.self)
    room.storeBytes(of: number.rawValue.bigEndian, toByteOffset: numberOffset, as: UInt64.self)
    let sealed = UnsafeMutableRawBufferPointer(rebasing: room[clearSize...])
    sealed.copyMemory(from: UnsafeRawBufferPointer(rebasing: open[Limits.headerSize...]))
    return cipher.seal(
      sealed, header: UnsafeRawBufferPointer(rebasing: room[..<clearSize]),
      nonce: SealNonce(type: open[typeOffset], number: number))
  }

  // MARK: Opening

  /// Octets of the open form.
  static func openSize(of sealed: UnsafeRawBufferPointer, _ header: SealedHeader) -> Int {
    openClearSize(header) + sealed.count - header.size - Limits.tagSize
  }

  /// - Parameter header: of `sealed`.
  /// - Parameter room: of `openSize` octets.
  /// - Returns: false if it does not open; then `room` means nothing.
  static func open(
    _ sealed: UnsafeRawBufferPointer, _ header: SealedHeader, with cipher: any SealingCipher,
    into room: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let clearSize = openClearSize(header)
    room.copyMemory(from: UnsafeRawBufferPointer(rebasing: sealed[..<Limits.headerSize]))
    room[lengthOffset] = UInt8(Limits.headerSize)
    room[keyOffset] = 0
    let body = UnsafeMutableRawBufferPointer(rebasing: room[clearSize...])
    let contents = UnsafeRawBufferPointer(rebasing: sealed[header.size...])
    let nonce = SealNonce(type: header.code, number: header.number)
    guard header.sender == nil else {
      let clear = UnsafeRawBufferPointer(rebasing: sealed[..<header.size])
      return cipher.open(contents, into: body, header: clear, nonce: nonce)
    }
    room.storeBytes(
      of: header.number.rawValue.bigEndian, toByteOffset: Limits.headerSize, as: UInt64.self)
    return withMaskedFlags(of: sealed, clearSize: header.size) { clear in
      cipher.open(contents, into: body, header: clear, nonce: nonce)
    }
  }

  private static func openClearSize(_ header: SealedHeader) -> Int {
    header.sender == nil ? SealedHeader.packetClearSize : Limits.headerSize
  }

  static func code(of open: UnsafeRawBufferPointer) -> UInt8 { open[typeOffset] }

  /// Nil of what is not sealed, or ends before.
  static func keyID(of datagram: UnsafeRawBufferPointer) -> KeyID? {
    datagram.count > keyOffset ? KeyID(rawValue: datagram[keyOffset]) : nil
  }

  static func isPacket(_ open: UnsafeRawBufferPointer) -> Bool {
    SealedHeader.isData(code: code(of: open))
  }

  /// Who sent an open datagram to an app, or whom a welcome is for: the body of each such type
  /// begins with the viewer's id.
  static func viewer(of open: UnsafeRawBufferPointer) -> SenderID? {
    guard open.count >= Limits.headerSize + 8 else { return nil }
    let id = open.loadUnaligned(fromByteOffset: Limits.headerSize, as: UInt64.self)
    return SenderID(rawValue: UInt64(bigEndian: id))
  }

  static func session(of open: UnsafeRawBufferPointer) -> SessionID {
    SessionID(
      rawValue: UInt64(
        bigEndian: open.loadUnaligned(fromByteOffset: sessionOffset, as: UInt64.self)))
  }

  /// The clear octets of a packet without its flags, the only octets of it that a repair changes.
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
