import SurfTransport
import SurfWire
import TestSupport
import Testing

/// An app that sends states, and somebody who sends them back as deltas.
struct DeltaWorld {
  private var sender: Sender
  private var intake = ResetIntake(acceptsResets: true)
  private var encoder = StateEncoder()
  private var random: SeededGenerator
  private var now = Duration.zero
  private var newest: SequenceNumber = 0
  /// All that were ever sent.
  private(set) var states: [SequenceNumber: Content] = [:]
  private var newestState: SequenceNumber = 0
  private(set) var madeCount = 0
  private(set) var unavailableCount = 0
  private(set) var mismatchCount = 0
  private let isForgetful: Bool
  /// What seals the session; nil while it is open.
  private(set) var seals: SimulatedSeals?

  private static let viewer = ViewerID(rawValue: 1)
  /// Octets of a delta that one datagram has room for, sealed or not.
  private static let pieceSize = 1_200

  init(seed: UInt64, isSealed: Bool = false) {
    random = SeededGenerator(seed: seed)
    isForgetful = seed % 2 == 1
    var configuration = Sender.Configuration()
    configuration.historySizeMax = isForgetful ? 20_000 : 64 << 20
    configuration.isSealed = isSealed
    let heartbeat = Heartbeat(
      instance: InstanceID(high: 1, low: 1), app: "app", host: "host", processID: 1,
      contentType: "", acceptsResets: true, datagramSize: 1_472)
    sender = Sender(
      session: SessionID(rawValue: 5), announcement: heartbeat, configuration: configuration,
      seed: seed)
    if isSealed {
      seals = SimulatedSeals(session: sender.session, viewer: Self.viewer, seed: seed)
    }
  }

  mutating func run() {
    for _ in 0..<40 {
      send()
      for _ in 0..<3 { ask() }
    }
  }

  private mutating func send() {
    for _ in 0..<number(below: 6) {
      newest = newest.next
      let content = number(below: 4) == 0 ? nil : nextState()
      let state = content.map { encoder.form($0, of: newest) } ?? .none
      let record = Record(sequence: newest, kind: .action, name: "a", state: state)
      encoder.note(detailSize: 1, form: state)
      sender.send([record], at: now)
      guard let content else { continue }
      states[newest] = content
      newestState = newest
    }
    if number(below: 8) == 0 { sendNoise() }
    while sender.unsentSize > 0 {
      while let transmission = sender.nextTransmission(at: now) { _ = seals.seal(transmission) }
      now += .milliseconds(1)
    }
  }

  /// Sends log lines, which have no state, until they push the newest state out of a short history.
  private mutating func sendNoise() {
    for _ in 0..<40 {
      newest = newest.next
      let text = String(repeating: "a", count: 1_000)
      encoder.note(detailSize: 1_000, form: .none)
      sender.send(
        [Record(sequence: newest, kind: .log(.info), name: text)], at: now)
    }
  }

  /// Mostly the one before with a few other octets.
  private mutating func nextState() -> Content {
    guard number(below: 8) > 0, let last = states[newestState] else {
      let size = [0, 3, 600, 9_000][number(below: 4)]
      return Content(type: "x", bytes: (0..<size).map { _ in UInt8(number(below: 256)) })
    }
    return Content(type: "x", bytes: edited(last.bytes))
  }

  private mutating func edited(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return [1] }
    bytes[number(below: bytes.count)] &+= 1
    if number(below: 3) == 0 { bytes.insert(7, at: number(below: bytes.count)) }
    return bytes
  }

  private mutating func ask() {
    let numbers: [SequenceNumber] = [
      newestState, SequenceNumber(UInt64(number(below: 300))), newest.next, .max.previous,
    ]
    let base = numbers[number(below: 8) % numbers.count]
    guard base > 0 else { return }
    let from = states[base]?.bytes ?? [1, 2, 3]
    let wanted = Content(type: "y", bytes: number(below: 2) == 0 ? from : edited(from))
    let request = random.next()
    let key = DigestKey(viewer: Self.viewer, request: request)
    guard let delta = Delta.between(from, wanted.bytes, baseRecord: base, sizeMax: .max) else {
      return
    }
    var bytes = ResetDelta(delta, digest: Digest(of: wanted, key: key)).encoded
    let isSpoilt = number(below: 3) == 0
    if isSpoilt { bytes[number(below: bytes.count)] ^= 1 << UInt8(number(below: 8)) }
    guard let reaction = send(bytes, request) else { return }
    judge(reaction, wanted, base, key, isSpoilt: isSpoilt)
  }

  /// Sends the bytes in pieces, and all of them arrive.
  ///
  /// - Returns: what the app does with the last.
  private mutating func send(_ bytes: [UInt8], _ request: UInt64) -> ResetIntake.Reaction? {
    var reaction: ResetIntake.Reaction?
    for offset in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
      let piece = Array(bytes[offset..<min(offset + Self.pieceSize, bytes.count)])
      let part = Reset.Part.bytes(
        contentType: "y", total: WireCount(bytes.count), offset: WireCount(offset), piece)
      let reset = Reset(
        viewer: Self.viewer, cookie: Cookie(rawValue: 1), request: request,
        viewerName: "v", target: .elsewhere, part: part, form: .delta)
      let datagram = Datagram(session: sender.session, body: .reset(reset))
      for bytes in seals.seal(datagram.encoded(), by: 0) { reaction = receive(bytes) }
    }
    return reaction
  }

  private mutating func receive(_ bytes: [UInt8]) -> ResetIntake.Reaction? {
    let arrival = SimulatedNetwork.Arrival(bytes: bytes, node: .app, viewer: 0)
    guard let bytes = seals.open(arrival, at: now), let datagram = try? Datagram(decoding: bytes),
      case .reset(let reset) = datagram.body
    else {
      Issue.record("no reset")
      return nil
    }
    let reaction = intake.receive(reset, position: .initial, at: now) { sender.state(of: $0) }
    if case .answer(let answer) = reaction { reply(answer) }
    return reaction
  }

  private mutating func reply(_ body: Datagram.Body) {
    let datagram = Datagram(session: sender.session, body: body)
    for bytes in seals.seal(datagram) {
      let arrival = SimulatedNetwork.Arrival(bytes: bytes, node: .viewer(0), viewer: 0)
      let opened = seals.open(arrival, at: now)
      #expect(opened == datagram.encoded())
    }
  }

  private mutating func judge(
    _ reaction: ResetIntake.Reaction, _ wanted: Content, _ base: SequenceNumber, _ key: DigestKey,
    isSpoilt: Bool
  ) {
    switch reaction {
    case .deliver(let reset, _):
      madeCount += 1
      // Nobody is ever in a state that was not meant.
      #expect(reset.state == wanted && !wanted.bytes.isEmpty)
      let outcome = intake.decide(reset, .applied, position: .elsewhere)
      #expect(outcome?.digest == Digest(of: wanted, key: key))
      if let outcome { reply(.outcome(outcome)) }
    case .answer(.outcome(let outcome)) where outcome.result == .unavailable:
      unavailableCount += 1
      #expect(isSpoilt || isForgetful || states[base] == nil)
      #expect(isSpoilt || base != newestState)
    case .answer(.outcome(let outcome)) where outcome.result == .mismatch:
      mismatchCount += 1
      #expect(isSpoilt)
    case .answer(.outcome(let outcome)) where wanted.bytes.isEmpty:
      // It would be the initial one, which is not the target.
      #expect(outcome.result == .rejected(reason: "the viewer sent no state"))
    case .answer(let other): Issue.record("\(other)")
    }
  }

  private mutating func number(below count: Int) -> Int {
    Int.random(in: 0..<count, using: &random)
  }
}
