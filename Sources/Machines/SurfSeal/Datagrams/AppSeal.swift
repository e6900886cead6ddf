import SurfBasics
package import SurfTransport
package import SurfWire

/// The app's end of a sealed session: seals everything that the app sends, and opens what viewers
/// send.
///
/// A session keeps its key to the end. Packets are sealed each time they are sent, and the result
/// is always the same, because the sequence number and the octets are.
package struct AppSeal: DatagramSeal {
  package let key: GroupKey
  private let session: SessionID
  private let sender: SenderID
  private let makeCipher: CipherMaker
  /// Made when first needed: loading a library takes ten milliseconds, and the app's own thread
  /// calls `init`.
  private var cipher: (any SealingCipher)?
  private var number: SequenceNumber = 0
  private var viewers: SenderCiphers
  private var numbers = ReplayTable()
  /// The buffer for sealed runs.
  private var buffer: [UInt8] = []
  /// For probes alone, which belong to no session. Somebody who replays recorded probes can fill
  /// this table, but that keeps out only other probes.
  private var probes = ReplayTable()

  /// - Parameter sender: random, drawn with the session id: the app's key depends on both.
  package init(
    _ key: GroupKey, session: SessionID, sender: SenderID, makeCipher: @escaping CipherMaker
  ) {
    (self.key, self.session, self.sender) = (key, session, sender)
    self.makeCipher = makeCipher
    viewers = SenderCiphers(makeCipher)
  }

  private mutating func ownCipher() -> any SealingCipher {
    if let cipher { return cipher }
    let own = SealedSender(.app, session: session, sender: sender)
    guard let senderKey = key.senderKey(for: own) else {
      preconditionFailure("each group key has a key for each app")
    }
    let made = makeCipher(senderKey)
    cipher = made
    return made
  }

  package func key(of session: SessionID) -> GroupKey? { session == self.session ? key : nil }

  package mutating func seal(_ transmission: Transmission) -> [Transmission] {
    let cipher = ownCipher()
    var (number, buffer) = (number, [UInt8]())
    swap(&buffer, &self.buffer)
    defer { (self.number, self.buffer) = (number, buffer) }
    let sealed = transmission.sealed(in: &buffer) { open, buffer in
      guard !SealedForm.isPacket(open) else {
        return SealedForm.seal(packet: open, with: cipher, keyID: key.id, into: buffer)
      }
      number = number.next
      return SealedForm.seal(
        message: open, with: cipher, keyID: key.id, sender: sender, number: number, into: buffer)
    }
    return sealed.map { [$0] } ?? []
  }

  package mutating func open(
    _ datagram: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer,
    from endpoint: Endpoint, at now: Duration
  ) -> Opening {
    let header: SealedHeader
    do throws(WireError) {
      header = try SealedHeader(decoding: datagram)
    } catch {
      // The reader of open datagrams reports other versions.
      if case .unsupportedVersion = error { return .asItIs }
      return .dropped(error.reason)
    }
    guard header.keyID > 0 else {
      // A viewer that has a key also looks for open apps.
      return SealedHeader.isProbe(code: header.code) ? .passed : .dropped("not sealed")
    }
    guard header.keyID == key.id.rawValue else { return .dropped("unknown key") }
    guard let sender = header.sender.map(SenderID.init),
      let role = SealingRole(code: header.code), role != .app
    else { return .dropped("not for an app") }
    guard header.session == session || header.session == .none else {
      return .dropped("other session")
    }
    let from = SealedSender(role, session: header.session, sender: sender)
    let size = SealedForm.openSize(of: datagram, header)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
    let hasOpened = viewers.open(key, from) {
      SealedForm.open(datagram, header, with: $0, into: buffer)
    }
    // Protocol.md §18.3: the viewer that the body names must be the sender.
    guard hasOpened, SealedForm.viewer(of: UnsafeRawBufferPointer(buffer)) == sender else {
      return .dropped("does not open")
    }
    // A viewer's driver messages share one count with its other messages.
    let verdict =
      header.session == .none
      ? probes.judge(header.number, of: sender, in: .none, now: now)
      : numbers.judge(header.number, of: sender, in: session, now: now)
    return verdict == .fresh ? .opened(size: size) : .dropped(verdict.rawValue)
  }
}

/// A cache of recently used ciphers: deriving a key takes two hashes, and a library's cipher some
/// memory.
package struct SenderCiphers: Sendable {
  private struct Entry {
    let cipher: any SealingCipher
    var usedAt: UInt64
  }

  static let countMax = 256

  private let makeCipher: CipherMaker
  private var entries: [Place: Entry] = [:]
  private var clock: UInt64 = 0

  private struct Place: Hashable {
    let key: KeyFingerprint
    let sender: SealedSender
  }

  package init(_ makeCipher: @escaping CipherMaker) { self.makeCipher = makeCipher }

  /// The cipher to seal with; nil if the key does not allow this role.
  package mutating func cipher(_ key: GroupKey, _ sender: SealedSender) -> (any SealingCipher)? {
    guard let cipher = made(key, sender) else { return nil }
    keep(cipher, key, sender)
    return cipher
  }

  /// Opens a datagram. Keeps the cipher only if that succeeded, because anybody can invent senders.
  ///
  /// - Parameter open: opens the datagram; returns false if that failed.
  package mutating func open(
    _ key: GroupKey, _ sender: SealedSender, _ open: (any SealingCipher) -> Bool
  ) -> Bool {
    guard let cipher = made(key, sender), open(cipher) else { return false }
    keep(cipher, key, sender)
    return true
  }

  private func made(_ key: GroupKey, _ sender: SealedSender) -> (any SealingCipher)? {
    entries[Place(key: key.fingerprint, sender: sender)]?.cipher
      ?? key.senderKey(for: sender).map(makeCipher)
  }

  private mutating func keep(
    _ cipher: any SealingCipher, _ key: GroupKey, _ sender: SealedSender
  ) {
    clock &+= 1
    let place = Place(key: key.fingerprint, sender: sender)
    if entries[place] == nil, entries.count >= Self.countMax { halve() }
    entries[place] = Entry(cipher: cipher, usedAt: clock)
  }

  /// Evicts the least recently used half.
  private mutating func halve() {
    let middle = entries.values.map(\.usedAt).inOrder(<)[entries.count / 2]
    entries = entries.filter { $0.value.usedAt > middle }
  }
}
