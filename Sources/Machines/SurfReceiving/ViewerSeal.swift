import SurfSeal
import SurfTransport
import SurfWire

/// A viewer's end of all sealed sessions that it hears. Opens what apps and other viewers send, and
/// seals what it sends, each under the session's key.
///
/// An open datagram passes, unless it names a sealed session.
package struct ViewerSeal: DatagramSeal {
  /// The means to open an app's datagrams. A class, because each packet retains it: a struct would
  /// retain each field.
  private final class Opener: Sendable {
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
    let opener: Opener
    var newest = NewestNumber()
    var window = ReplayWindow()
    /// When its last heartbeat or goodbye opened.
    var heardAt: Duration
    /// Whether it has answered this viewer, which a recording never does.
    var isProven = false

    /// The session with the lowest precedence is evicted first.
    var precedence: (Int, Duration) { (isProven ? 1 : 0, heardAt) }
  }

  private let ring: KeyRing
  private let viewer: SenderID
  private let makeCipher: CipherMaker
  private var sessions: [SessionID: Session] = [:]
  /// The opener used last, because packets arrive by the thousand.
  private var latestOpener: Opener?
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
    latestOpener?.session == session ? latestOpener?.key : sessions[session]?.opener.key
  }

  // MARK: Out

  package mutating func seal(_ transmission: Transmission) -> [Transmission] {
    guard let session = transmission.session else { return [transmission] }
    // It does not know yet which keys apps use, and some apps may be open.
    guard session != .none else {
      return [transmission] + ring.keys.compactMap { seal(transmission, under: $0, .none) }
    }
    guard let key = sessions[session]?.opener.key else {
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
    // Unused: a viewer sends only runs that it received sealed.
    var buffer: [UInt8] = []
    return transmission.sealed(in: &buffer) { open, buffer in
      // Only the app seals packets. A viewer might seal different octets under the same number.
      guard !SealedForm.isPacket(open) else { return false }
      let isDriving = SealingRole(code: SealedForm.code(of: open)) == .driver
      let sender = SealedSender(isDriving ? .driver : .viewer, session: session, sender: viewer)
      guard let cipher = others.cipher(key, sender) else { return false }
      number = number.next
      return SealedForm.seal(
        message: open, with: cipher, keyID: key.id, sender: viewer, number: number, into: buffer)
    }
  }

  // MARK: In

  package mutating func open(
    _ datagram: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer,
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
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
    return switch SealingRole(code: header.code) {
    case .app: openApp(datagram, header, into: buffer, at: now)
    case .viewer: openViewer(datagram, header, into: buffer, at: now)
    case .driver: .dropped("not for a viewer")
    case nil: .dropped("unknown type")
    }
  }

  /// Leaves a malformed datagram to the reader of open ones, unless it has the id of one of our
  /// keys.
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
    into buffer: UnsafeMutableRawBufferPointer, at now: Duration
  ) -> Opening {
    guard let opener = opener(of: header.session) else {
      // An app's first packets may arrive before its heartbeat.
      guard SealedHeader.isHeartbeat(code: header.code) else { return .passed }
      return openFirstHeartbeat(datagram, header, into: buffer, at: now)
    }
    guard header.keyID == opener.key.id.rawValue,
      header.sender.map({ SenderID(rawValue: $0) == opener.app }) ?? true,
      SealedForm.open(datagram, header, with: opener.cipher, into: buffer)
    else { return .dropped("does not open") }
    // The receiver checks a packet's sequence number.
    guard header.sender != nil else { return .opened(size: buffer.count) }
    guard note(header, at: now) else { return .dropped("replayed") }
    if SealedHeader.isWelcome(code: header.code),
      SealedForm.viewer(of: UnsafeRawBufferPointer(buffer)) == viewer
    {
      sessions[header.session]?.isProven = true
    }
    return .opened(size: buffer.count)
  }

  private mutating func opener(of session: SessionID) -> Opener? {
    if let latestOpener, latestOpener.session == session { return latestOpener }
    guard let opener = sessions[session]?.opener else { return nil }
    latestOpener = opener
    return opener
  }

  /// Remembers the number; false if it is a replay.
  private mutating func note(_ header: SealedHeader, at now: Duration) -> Bool {
    guard SealedHeader.isNews(code: header.code) else {
      return sessions[header.session]?.window.accept(header.number) ?? false
    }
    guard sessions[header.session]?.newest.accept(header.number) == true else { return false }
    sessions[header.session]?.heardAt = now
    return true
  }

  /// Opens a session's first heartbeat, and adds the session.
  private mutating func openFirstHeartbeat(
    _ datagram: UnsafeRawBufferPointer, _ header: SealedHeader,
    into buffer: UnsafeMutableRawBufferPointer, at now: Duration
  ) -> Opening {
    guard let app = header.sender.map(SenderID.init), let id = KeyID(rawValue: header.keyID) else {
      return .dropped("does not open")
    }
    let sender = SealedSender(.app, session: header.session, sender: app)
    for key in ring.keys(with: id) {
      guard let cipher = key.senderKey(for: sender).map(makeCipher),
        SealedForm.open(datagram, header, with: cipher, into: buffer)
      else { continue }
      guard evictIfFull(at: now) else { return .dropped("too many instances") }
      let opener = Opener(session: header.session, key: key, app: app, cipher: cipher)
      sessions[header.session] = Session(opener: opener, heardAt: now)
      return note(header, at: now) ? .opened(size: buffer.count) : .dropped("replayed")
    }
    return .dropped("does not open")
  }

  /// Evicts a session if there are too many; false if all have answered and were heard recently.
  /// Those that never answered go first, because anybody can replay recordings of old sessions.
  private mutating func evictIfFull(at now: Duration) -> Bool {
    guard sessions.count >= Self.sessionCountMax else { return true }
    guard let first = sessions.min(by: { $0.value.precedence < $1.value.precedence }),
      !first.value.isProven || now - first.value.heardAt >= ReplayTable.idleTime
    else { return false }
    sessions[first.key] = nil
    latestOpener = nil
    return true
  }

  private mutating func openViewer(
    _ datagram: UnsafeRawBufferPointer, _ header: SealedHeader,
    into buffer: UnsafeMutableRawBufferPointer, at now: Duration
  ) -> Opening {
    guard let sender = header.sender.map(SenderID.init) else { return .dropped("does not open") }
    // Our own datagram, which multicast loops back.
    guard sender != viewer else { return .passed }
    guard let key = sessions[header.session]?.opener.key else { return .passed }
    let from = SealedSender(.viewer, session: header.session, sender: sender)
    guard header.keyID == key.id.rawValue,
      others.open(key, from, { SealedForm.open(datagram, header, with: $0, into: buffer) })
    else { return .dropped("does not open") }
    let verdict = numbers.judge(header.number, of: sender, in: header.session, now: now)
    return verdict == .fresh ? .opened(size: buffer.count) : .dropped(verdict.rawValue)
  }
}

extension Transmission {
  /// The session of the datagrams, if any.
  fileprivate var session: SessionID? { withFirst { SealedForm.session(of: $0) } }

  /// Whether these are packets that the viewer keeps for other viewers.
  fileprivate var hasPackets: Bool { withFirst { SealedForm.isPacket($0) } ?? false }

  /// Whether the first datagram is sealed under this key.
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
