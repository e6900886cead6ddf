/// Parses the bytes from a terminal into events, for `Terminal` and `DebuggerPane`. The bytes may
/// be split anywhere, even within a sequence.
///
/// A lone escape octet is the Esc key if nothing follows for a while, so the driver must call
/// `advance` at the deadline. Unknown sequences are dropped, and memory is bounded.
package struct InputParser: Sendable {
  /// Octets kept of one paste.
  package static let pasteSizeMax = 1 << 20

  private enum State: Sendable {
    case ground
    /// After the first octets of a UTF-8 scalar.
    case scalar([UInt8], isAlt: Bool)
    /// After ESC; `isAlt` after two of them.
    case escape(isAlt: Bool)
    /// After ESC O.
    case single(isAlt: Bool)
    /// After ESC [.
    case control(ControlSequence, isAlt: Bool)
    /// After `ESC [ [`, which the Linux console sends for F1 to F5.
    case console
    /// After `ESC [ M`: the octets still missing of an old mouse report.
    case oldMouse(left: Int)
    /// After ESC ] or another introducer of a text.
    case text(ControlText)
    /// Inside a bracketed paste.
    case paste
  }

  /// When the driver must call `advance`, by its clock; nil if nothing is incomplete.
  package private(set) var deadline: Duration?
  private var state = State.ground
  /// Kept out of `state`, where each octet would copy it.
  private var paste = Paste()
  private let escapeDelay: Duration

  /// A sequence arrives within this time, even if the network splits it.
  private static let sequenceDelay = Duration.milliseconds(500)
  /// A slower paste has lost its end, and must not block the keyboard.
  private static let pasteDelay = Duration.seconds(5)

  /// - Parameter escapeDelay: How long the rest of a sequence may take after an escape octet.
  package init(escapeDelay: Duration = .milliseconds(30)) { self.escapeDelay = escapeDelay }

  /// Returns the events that these octets complete.
  package mutating func receive(_ bytes: some Sequence<UInt8>, at now: Duration) -> [InputEvent] {
    var events: [InputEvent] = []
    if let deadline, now >= deadline { giveUp(&events) }
    var isNew = !events.isEmpty
    for byte in bytes {
      take(byte, &events)
      isNew = true
    }
    // An empty call must not extend the deadline.
    if isNew { setDeadline(now) }
    return events
  }

  /// Returns the events that are due because nothing more has arrived.
  package mutating func advance(to now: Duration) -> [InputEvent] {
    guard let deadline, now >= deadline else { return [] }
    var events: [InputEvent] = []
    giveUp(&events)
    setDeadline(now)
    return events
  }

  private mutating func setDeadline(_ now: Duration) {
    switch state {
    case .ground, .scalar: deadline = nil
    case .escape: deadline = now + escapeDelay
    case .single, .control, .console, .oldMouse, .text: deadline = now + Self.sequenceDelay
    case .paste: deadline = now + Self.pasteDelay
    }
  }

  /// Nothing follows: a person pressed these keys, or a sequence has lost its end.
  private mutating func giveUp(_ events: inout [InputEvent]) {
    switch state {
    case .escape(let isAlt):
      events += Array(repeating: .key(KeyStroke(.escape)), count: isAlt ? 2 : 1)
    case .single: events.append(.key(KeyStroke(.character("O"), .alt)))
    case .control(let sequence, _) where sequence.isEmpty:
      events.append(.key(KeyStroke(.character("["), .alt)))
    case .text(let text) where text.isEmpty:
      events.append(.key(KeyStroke(ascii: text.introducer, isAlt: true)))
    case .paste: events.append(paste.event(isWhole: false))
    case .ground, .scalar, .control, .console, .oldMouse, .text: break
    }
    paste = Paste()
    state = .ground
  }

  private mutating func take(_ byte: UInt8, _ events: inout [InputEvent]) {
    let before = state
    state = .ground
    switch before {
    case .ground: ground(byte, isAlt: false, &events)
    case .scalar(let begun, let isAlt): scalar(begun + [byte], isAlt: isAlt, &events)
    case .escape(let isAlt): escape(byte, isAlt: isAlt, &events)
    case .single(let isAlt): single(byte, isAlt: isAlt, &events)
    case .control(let sequence, let isAlt): control(sequence, byte, isAlt: isAlt, &events)
    case .console: console(byte, &events)
    case .oldMouse(let left):
      if byte < 0x20 { return ground(byte, isAlt: false, &events) }
      if left > 1 { state = .oldMouse(left: left - 1) }
    case .text(let text): self.text(text, byte, &events)
    case .paste: addToPaste(byte, &events)
    }
  }

  private mutating func ground(_ byte: UInt8, isAlt: Bool, _ events: inout [InputEvent]) {
    switch byte {
    case 0x1B: state = .escape(isAlt: false)
    case 0xC2...0xF4: state = .scalar([byte], isAlt: isAlt)
    case 0x80...: break
    default: events.append(.key(KeyStroke(ascii: byte, isAlt: isAlt)))
    }
  }

  private mutating func scalar(_ bytes: [UInt8], isAlt: Bool, _ events: inout [InputEvent]) {
    let (first, last) = (bytes[0], bytes[bytes.count - 1])
    guard UTF8.isContinuation(last) else { return ground(last, isAlt: false, &events) }
    let isWhole = bytes.count == (first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4)
    if !isWhole { state = .scalar(bytes, isAlt: isAlt) }
    // C1 characters are not keys. Overlong forms and surrogates are not scalars.
    if isWhole, let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first,
      scalar.value >= 0xA0
    {
      events.append(.key(KeyStroke(scalar, isAlt: isAlt)))
    }
  }

  private mutating func escape(_ byte: UInt8, isAlt: Bool, _ events: inout [InputEvent]) {
    switch byte {
    case 0x1B:
      // The last two escapes may belong to what follows.
      if isAlt { events.append(.key(KeyStroke(.escape))) }
      state = .escape(isAlt: true)
    case 0x5B: state = .control(ControlSequence(), isAlt: isAlt)
    case 0x4F: state = .single(isAlt: isAlt)
    // OSC, DCS and APC. No terminal sends the other two.
    case 0x5D, 0x50, 0x5F: state = .text(ControlText(introducer: byte))
    default:
      if isAlt { events.append(.key(KeyStroke(.escape))) }
      ground(byte, isAlt: true, &events)
    }
  }

  private mutating func single(_ byte: UInt8, isAlt: Bool, _ events: inout [InputEvent]) {
    guard 0x20...0x7E ~= byte else { return ground(byte, isAlt: false, &events) }
    if var stroke = KeyStroke(singleShift: byte) {
      if isAlt { stroke.modifiers.insert(.alt) }
      events.append(.key(stroke))
    }
  }

  private mutating func console(_ byte: UInt8, _ events: inout [InputEvent]) {
    if 0x41...0x45 ~= byte { events.append(.key(KeyStroke(.function(Int(byte) - 0x40)))) }
    if byte < 0x20 { ground(byte, isAlt: false, &events) }
  }

  private mutating func control(
    _ sequence: ControlSequence, _ byte: UInt8, isAlt: Bool, _ events: inout [InputEvent]
  ) {
    switch sequence.adding(byte) {
    case .whole(final: 0x5B) where sequence.isEmpty: state = .console
    case .whole(final: 0x4D) where sequence.isEmpty: state = .oldMouse(left: 3)
    case .whole(let final) where sequence.beginsPaste(final): (paste, state) = (Paste(), .paste)
    case .whole(let final):
      if let event = sequence.event(final, isAlt: isAlt) { events.append(event) }
    case .partial(let longer): state = .control(longer, isAlt: isAlt)
    case .broken: ground(byte, isAlt: false, &events)
    }
  }

  private mutating func text(_ text: ControlText, _ byte: UInt8, _ events: inout [InputEvent]) {
    switch text.adding(byte) {
    case .partial(let longer): state = .text(longer)
    case .whole(let reply): if let reply { events.append(.reply(reply)) }
    // The escape that should have ended it starts another sequence.
    case .broken: escape(byte, isAlt: false, &events)
    }
  }

  private mutating func addToPaste(_ byte: UInt8, _ events: inout [InputEvent]) {
    guard paste.add(byte) else {
      state = .paste
      return
    }
    events.append(paste.event(isWhole: true))
    paste = Paste()
  }
}

/// The text of a paste so far.
struct Paste: Equatable, Sendable {
  private static let terminator = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  private var hasMore = false
  /// How many octets of the terminator have just arrived.
  private var matched = 0

  /// Returns true if the octet ends the paste.
  mutating func add(_ byte: UInt8) -> Bool {
    if byte == Self.terminator[matched] {
      matched += 1
      return matched == Self.terminator.count
    }
    for byte in Self.terminator[..<matched] { append(byte) }
    // An escape can only be the terminator's first octet.
    matched = byte == Self.terminator[0] ? 1 : 0
    if matched == 0 { append(byte) }
    return false
  }

  func event(isWhole: Bool) -> InputEvent {
    .paste(String(decoding: bytes, as: UTF8.self), isCut: hasMore || !isWhole)
  }

  private mutating func append(_ byte: UInt8) {
    if bytes.count < InputParser.pasteSizeMax { bytes.append(byte) } else { hasMore = true }
  }
}
