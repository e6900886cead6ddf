package import SurfTransport
package import SurfWire

/// The app's end of a sealed session: seals all that the app sends, opens what viewers send.
///
/// A session keeps the key that it began with. Packets are sealed at each sending, and come out the
/// same each time: their number, their clear octets and their frames are those of the first.
package struct AppSeal: DatagramSeal {
  package let key: GroupKey
  private let session: SessionID
  private let sender: SenderID
  private let makeCipher: CipherMaker
  /// Made when something is first sealed: to load a library takes ten milliseconds, and the thread
  /// that makes this is the app's.
  private var cipher: (any SealingCipher)?
  private var number: SequenceNumber = 0
  private var viewers: SenderCiphers
  private var numbers = ReplayTable()
  /// For runs that leave.
  private var room: [UInt8] = []
  /// Of probes alone, which are of no session: whoever has recorded those of some weeks can send
  /// more of them than a table has room for, and may keep out other probes by that, and nothing
  /// else.
  private var probes = ReplayTable()

  /// - Parameter sender: random, drawn with the session's id: the app's keys hang on both.
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
    var (number, room) = (number, [UInt8]())
    swap(&room, &self.room)
    defer { (self.number, self.room) = (number, room) }
    let sealed = transmission.sealed(in: &room) { open, room in
      guard !SealedForm.isPacket(open) else {
        return SealedForm.seal(packet: open, with: cipher, keyID: key.id, into: room)
      }
      number = number.next
      return SealedForm.seal(
        message: open, with: cipher, keyID: key.id, sender: sender, number: number, into: room)
    }
    return sealed.map { [$0] } ?? []
  }

  package mutating func open(
    _ datagram: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    from endpoint: Endpoint, at now: Duration
  ) -> Opening {
    let header: SealedHeader
    do throws(WireError) {
      header = try SealedHeader(decoding: datagram)
    } catch {
      // Other versions are told where open datagrams are read.
      if case .unsupportedVersion = error { return .asItIs }
      return .dropped(error.reason)
    }
    guard header.keyID > 0 else {
      // A viewer with a key asks for open apps, too.
      return SealedHeader.isProbe(code: header.code) ? .passed : .dropped("not sealed")
    }
    guard header.keyID == key.id.rawValue else { return .dropped("unknown key") }
    guard let sender = header.sender.map(SenderID.init), let role = role(of: header.code) else {
      return .dropped("not for an app")
    }
    guard header.session == session || header.session == .none else {
      return .dropped("other session")
    }
    let from = SealedSender(role, session: header.session, sender: sender)
    let size = SealedForm.openSize(of: datagram, header)
    let room = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
    let hasOpened = viewers.open(key, from) {
      SealedForm.open(datagram, header, with: $0, into: room)
    }
    // Protocol.md §18.3: a viewer is its own sender.
    guard hasOpened, SealedForm.viewer(of: UnsafeRawBufferPointer(room)) == sender else {
      return .dropped("does not open")
    }
    // Drivers count with viewers: it is the same sender, and the same count.
    let verdict =
      header.session == .none
      ? probes.judge(header.number, of: sender, in: .none, now: now)
      : numbers.judge(header.number, of: sender, in: session, now: now)
    switch verdict {
    case .fresh: return .opened(size: size)
    case .replayed: return .dropped("replayed")
    case .busy: return .dropped("busy")
    }
  }

  private func role(of code: UInt8) -> SealedSender.Role? {
    switch SealingRole(code: code) {
    case .viewer: .viewer
    case .driver: .driver
    case .app, .unknown: nil
    }
  }
}

/// Ciphers of those that were heard of lately: a key takes two hashes to derive, and a cipher of a
/// library some memory.
struct SenderCiphers: Sendable {
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

  init(_ makeCipher: @escaping CipherMaker) { self.makeCipher = makeCipher }

  /// One to seal with; nil if the key does not allow what the sender does.
  mutating func cipher(_ key: GroupKey, _ sender: SealedSender) -> (any SealingCipher)? {
    guard let cipher = made(key, sender) else { return nil }
    keep(cipher, key, sender)
    return cipher
  }

  /// Anybody can name senders, so a cipher is kept only once it has opened something.
  ///
  /// - Parameter open: opens a datagram; false if that failed.
  mutating func open(
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

  /// Those that were used least lately go.
  private mutating func halve() {
    let middle = entries.values.map(\.usedAt).sorted()[entries.count / 2]
    entries = entries.filter { $0.value.usedAt > middle }
  }
}
