package import SurfTransport
package import SurfWire

/// A viewer's end of all sealed sessions that it hears: opens what apps and other viewers send, and
/// seals what it sends to each under the key of that session.
///
/// What is not sealed passes, unless it claims to be of a sealed session.
package struct ViewerSeal: DatagramSeal {
  /// What opens an app's datagrams. A class, as each packet takes hold of it: of a struct, it would
  /// take hold of each part.
  private final class Door: Sendable {
    let session: SessionID
    let key: GroupKey
    let app: SenderID
    let cipher: any SealingCipher

    init(session: SessionID, key: GroupKey, app: SenderID, cipher: any SealingCipher) {
      self.session = session
      self.key = key
      self.app = app
      self.cipher = cipher
    }
  }

  private struct Session {
    let door: Door
    var newest = NewestNumber()
    var window = ReplayWindow()
    /// Of its last heartbeat or goodbye that opened.
    var heardAt: Duration
    /// Whether it has answered us, as no recording of it does.
    var isProven = false

    /// Who goes first when there is no room.
    var precedence: (Int, Duration) { (isProven ? 1 : 0, heardAt) }
  }

  private let ring: KeyRing
  private let viewer: SenderID
  private let makeCipher: CipherMaker
  private var sessions: [SessionID: Session] = [:]
  /// That of the session that was heard last: packets come by the thousand.
  private var latestDoor: Door?
  private var others: SenderCiphers
  private var numbers = ReplayTable()
  private var number: SequenceNumber = 0

  package static let sessionCountMax = 1_024

  package init(_ ring: KeyRing, viewer: ViewerID, makeCipher: @escaping CipherMaker) {
    self.ring = ring
    self.viewer = SenderID(viewer)
    self.makeCipher = makeCipher
    others = SenderCiphers(makeCipher)
  }

  package func key(of session: SessionID) -> GroupKey? {
    latestDoor?.session == session ? latestDoor?.key : sessions[session]?.door.key
  }

  // MARK: Out

  package mutating func seal(_ transmission: Transmission) -> [Transmission] {
    guard let session = transmission.session else { return [transmission] }
    // Nobody knows yet under which keys there are apps, and open ones may be there too.
    guard session != .none else {
      return [transmission] + ring.keys.compactMap { seal(transmission, under: $0, .none) }
    }
    guard let key = sessions[session]?.door.key else {
      return transmission.mustBeSealed ? [] : [transmission]
    }
    guard !transmission.hasPackets else {
      return transmission.isSealed(under: key.id) ? [transmission] : []
    }
    return seal(transmission, under: key, session).map { [$0] } ?? []
  }

  private mutating func seal(
    _ transmission: Transmission, under key: GroupKey, _ session: SessionID
  ) -> Transmission? {
    // A viewer sends no runs but those that it got sealed.
    var room: [UInt8] = []
    return transmission.sealed(in: &room) { open, room in
      // The app has sealed its packets: sealed again, others would come under their numbers.
      guard !SealedForm.isPacket(open) else { return false }
      let isDriving = SealingRole(code: SealedForm.code(of: open)) == .driver
      let sender = SealedSender(isDriving ? .driver : .viewer, session: session, sender: viewer)
      guard let cipher = others.cipher(key, sender) else { return false }
      number = number.next
      return SealedForm.seal(
        message: open, with: cipher, keyID: key.id, sender: viewer, number: number, into: room)
    }
  }

  // MARK: In

  package mutating func open(
    _ datagram: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    from endpoint: Endpoint, at now: Duration
  ) -> Opening {
    let header: SealedHeader
    do throws(WireError) {
      header = try SealedHeader(decoding: datagram)
    } catch {
      return refusal(of: datagram, because: error)
    }
    guard header.keyID > 0 else {
      return sessions[header.session] == nil ? .asItIs : .dropped("not sealed")
    }
    guard let id = KeyID(rawValue: header.keyID), ring.has(id) else {
      return .dropped("unknown key")
    }
    let size = SealedForm.openSize(of: datagram, header)
    let room = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
    return switch SealingRole(code: header.code) {
    case .app: openApp(datagram, header, into: room, at: now)
    case .viewer: openViewer(datagram, header, into: room, at: now)
    case .driver: .dropped("not for a viewer")
    case .unknown: .dropped("unknown type")
    }
  }

  /// What is not sealed under a key of ours and makes no sense is refused where it is read.
  private func refusal(of datagram: UnsafeRawBufferPointer, because error: WireError) -> Opening {
    switch error {
    case .foreign, .unsupportedVersion: return .asItIs
    default:
      let id = SealedForm.keyID(of: datagram)
      return id.map(ring.has) == true ? .dropped(error.reason) : .asItIs
    }
  }

  private mutating func openApp(
    _ datagram: UnsafeRawBufferPointer, _ header: SealedHeader,
    into room: UnsafeMutableRawBufferPointer, at now: Duration
  ) -> Opening {
    guard let door = door(of: header.session) else {
      // An app's first packets overtake its heartbeat.
      guard SealedHeader.isHeartbeat(code: header.code) else { return .passed }
      return meet(datagram, header, into: room, at: now)
    }
    guard header.keyID == door.key.id.rawValue,
      header.sender.map({ SenderID(rawValue: $0) == door.app }) ?? true,
      SealedForm.open(datagram, header, with: door.cipher, into: room)
    else { return .dropped("does not open") }
    // A packet's own number is looked at by the receiver.
    guard header.sender != nil else { return .opened(size: room.count) }
    guard note(header, at: now) else { return .dropped("replayed") }
    if SealedHeader.isWelcome(code: header.code),
      SealedForm.viewer(of: UnsafeRawBufferPointer(room)) == viewer
    {
      sessions[header.session]?.isProven = true
    }
    return .opened(size: room.count)
  }

  private mutating func door(of session: SessionID) -> Door? {
    if let latestDoor, latestDoor.session == session { return latestDoor }
    guard let door = sessions[session]?.door else { return nil }
    latestDoor = door
    return door
  }

  /// False if the number was here.
  private mutating func note(_ header: SealedHeader, at now: Duration) -> Bool {
    guard SealedHeader.isNews(code: header.code) else {
      return sessions[header.session]?.window.accept(header.number) ?? false
    }
    guard sessions[header.session]?.newest.accept(header.number) == true else { return false }
    sessions[header.session]?.heardAt = now
    return true
  }

  /// The first heartbeat of a session.
  private mutating func meet(
    _ datagram: UnsafeRawBufferPointer, _ header: SealedHeader,
    into room: UnsafeMutableRawBufferPointer, at now: Duration
  ) -> Opening {
    guard let app = header.sender.map(SenderID.init), let id = KeyID(rawValue: header.keyID) else {
      return .dropped("does not open")
    }
    let sender = SealedSender(.app, session: header.session, sender: app)
    for key in ring.keys(with: id) {
      guard let cipher = key.senderKey(for: sender).map(makeCipher),
        SealedForm.open(datagram, header, with: cipher, into: room)
      else { continue }
      guard makesRoom(at: now) else { return .dropped("too many instances") }
      let door = Door(session: header.session, key: key, app: app, cipher: cipher)
      sessions[header.session] = Session(door: door, heardAt: now)
      return note(header, at: now) ? .opened(size: room.count) : .dropped("replayed")
    }
    return .dropped("does not open")
  }

  /// Only who has a key makes sessions, but may have made them long ago, and anybody may have
  /// recorded them: those that never answered make room first.
  private mutating func makesRoom(at now: Duration) -> Bool {
    guard sessions.count >= Self.sessionCountMax else { return true }
    guard let first = sessions.min(by: { $0.value.precedence < $1.value.precedence }),
      !first.value.isProven || now - first.value.heardAt >= ReplayTable.idleTime
    else { return false }
    sessions[first.key] = nil
    latestDoor = nil
    return true
  }

  private mutating func openViewer(
    _ datagram: UnsafeRawBufferPointer, _ header: SealedHeader,
    into room: UnsafeMutableRawBufferPointer, at now: Duration
  ) -> Opening {
    guard let sender = header.sender.map(SenderID.init) else { return .dropped("does not open") }
    // Our own, which the group brings back.
    guard sender != viewer else { return .passed }
    guard let key = sessions[header.session]?.door.key else { return .passed }
    let from = SealedSender(.viewer, session: header.session, sender: sender)
    guard header.keyID == key.id.rawValue,
      others.open(key, from, { SealedForm.open(datagram, header, with: $0, into: room) })
    else { return .dropped("does not open") }
    switch numbers.judge(header.number, of: sender, in: header.session, now: now) {
    case .fresh: return .opened(size: room.count)
    case .replayed: return .dropped("replayed")
    case .busy: return .dropped("busy")
    }
  }
}

extension Transmission {
  /// Whose datagrams these are; nil of none.
  fileprivate var session: SessionID? { withFirst { SealedForm.session(of: $0) } }

  /// Whether these are packets that the viewer holds for others.
  fileprivate var hasPackets: Bool { withFirst { SealedForm.isPacket($0) } ?? false }

  /// Whether it left somebody sealed.
  fileprivate func isSealed(under id: KeyID) -> Bool {
    withFirst { SealedForm.keyID(of: $0) } == id
  }

  private func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    switch payload {
    case .datagrams(let datagrams): datagrams.first.map { $0.withUnsafeBytes(body) }
    case .run(let run):
      run.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[run.range])) }
    }
  }
}
