import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfSeal
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// An app and a viewer under one key, each with a clock of its own.
private final class SealedPair {
  private var app: BroadcastMachine
  private var viewer: ObserverMachine
  private var appSeal: any DatagramSeal
  private var viewerSeal: any DatagramSeal
  private var reader = RunReader()
  private let appStart: Duration
  private let viewerStart: Duration
  private var elapsed = Duration.zero
  private(set) var drops: [String] = []
  private(set) var records: [Record] = []
  private var decoder = RecordDecoder()
  private(set) var answers: [ResetAnswer] = []
  /// What each end sent, and when: type and size.
  private(set) var trace: [[Int]] = []

  init(appStart: Duration, viewerStart: Duration) {
    (self.appStart, self.viewerStart) = (appStart, viewerStart)
    guard let octets = Octets32(0..<32) else { preconditionFailure("32 octets are 32") }
    let ring = KeyRing(GroupKey(.drive, octets))
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "app")
    configuration.sealing = Sealing(ring, makeCipher: ChaChaPoly.init)
    app = BroadcastMachine(
      configuration: configuration, datagramSize: 1_472, random: SeededGenerator(seed: 1))
    viewer = ObserverMachine(
      viewerName: "v", repairWindow: 128, heldSizeMax: 0, hasKeys: true,
      viewers: Endpoint(rawValue: 9), random: SeededGenerator(seed: 2))
    appSeal = AppSeal(
      ring.sealingKey, session: app.goodbye.session, sender: SenderID(rawValue: 3),
      makeCipher: ChaChaPoly.init)
    // The machine draws its id first.
    var random = SeededGenerator(seed: 2)
    viewerSeal = ViewerSeal(
      ring, viewer: ViewerID(rawValue: random.next()), makeCipher: ChaChaPoly.init)
  }

  func send(_ record: Record) {
    app.perform([.records([record])], at: appStart + elapsed)
  }

  func follow() {
    viewer.perform(.follow(app.goodbye.session, .since(1)), at: viewerStart + elapsed)
  }

  func ask() {
    let request = ObserverRequest(
      session: app.goodbye.session, target: .record(1),
      content: Content(type: "x", bytes: Array(repeating: 1, count: 5_000)), isCommand: false,
      timeout: .seconds(60)
    ) { _ in }
    viewer.perform(.request(request), at: viewerStart + elapsed)
  }

  func turn(of time: Duration = .milliseconds(2)) {
    elapsed += time
    viewer.advance(to: viewerStart + elapsed)
    viewer.deliverEvents {
      if case .record(_, let arrived) = $0 { records += [decoder.make(arrived)].compactMap(\.self) }
    }
    for bytes in viewer.takeTransmissions().flatMap({ viewerSeal.seal($0) }).flatMap(\.datagrams) {
      note(bytes)
      let now = appStart + elapsed
      read(bytes, through: \.appSeal, from: 2, at: now) { pair, incoming, _ in
        pair.app.receive(incoming, from: Endpoint(rawValue: 2), at: now)
      }
    }
    app.perform(app.takeResets().map { .answer($0, .applied) }, at: appStart + elapsed)
    while let next = app.nextTransmission(at: appStart + elapsed) {
      for bytes in appSeal.seal(next).flatMap(\.datagrams) {
        note(bytes)
        let now = viewerStart + elapsed
        read(bytes, through: \.viewerSeal, from: 1, at: now) { pair, incoming, key in
          pair.viewer.receive(incoming, from: Endpoint(rawValue: 1), sealedUnder: key, at: now)
        }
      }
    }
    answers += viewer.takeAnswers().map(\.0)
  }

  private func note(_ bytes: [UInt8]) {
    trace.append([Int(elapsed / .milliseconds(1)), Int(bytes[3]), bytes.count])
  }

  private func read(
    _ bytes: [UInt8], through path: ReferenceWritableKeyPath<SealedPair, any DatagramSeal>,
    from place: UInt64,
    at now: Duration, _ body: (SealedPair, IncomingDatagram, GroupKey?) -> Void
  ) {
    var (seal, reader) = (self[keyPath: path], reader)
    bytes.withUnsafeBytes { bytes in
      reader.read(
        bytes, segmentSize: bytes.count, through: &seal, from: Endpoint(rawValue: place), at: now
      ) { result, seal in
        switch result {
        case .success(let incoming):
          body(self, incoming, seal.key(of: app.goodbye.session))
        case .failure(let drop): drops.append(drop.reason)
        }
      }
    }
    self[keyPath: path] = seal
  }
}

/// A clock may be wrong by years (Protocol.md §18): nothing of sealing reads one, and no two ends
/// compare theirs.
@Suite struct ClockTests {
  private static let years = Duration.seconds(40 * 365 * 86_400)

  private static func surfed(appStart: Duration, viewerStart: Duration) -> SealedPair {
    let pair = SealedPair(appStart: appStart, viewerStart: viewerStart)
    for number in 1...5 as ClosedRange<UInt64> {
      // Of 1677, of the beginning of 1970, and of 2262.
      let wallTime: Int64 = [.min, 0, .max][Int(number % 3)]
      let state = Content(type: "x", bytes: Array(repeating: UInt8(number), count: 3_000))
      pair.send(
        Record(
          sequence: SequenceNumber(number), kind: .action, wallTime: wallTime, name: "act",
          state: .keyframe(state)))
      for _ in 0..<300 { pair.turn() }
      if number == 2 { pair.follow() }
    }
    pair.ask()
    // Longer than the life of a cookie, so that both ends draw new ones.
    for _ in 0..<7_000 { pair.turn(of: .milliseconds(20)) }
    pair.ask()
    for _ in 0..<1_000 { pair.turn() }
    return pair
  }

  @Test func `clocks that are years apart change nothing of what a sealed app and a viewer do`() {
    let usual = Self.surfed(appStart: .seconds(1), viewerStart: .seconds(1))
    #expect(Set(usual.drops) == [])
    #expect(Set(usual.records.map(\.sequence)) == Set(1...5))
    let applied = ResetAnswer.answered(.applied, .record(1))
    #expect(usual.answers == [applied, applied])
    for (app, viewer) in [(Self.years, .seconds(1)), (.seconds(1), Self.years)] {
      let odd = Self.surfed(appStart: app, viewerStart: viewer)
      #expect(Set(odd.drops) == [])
      #expect(odd.records == usual.records)
      #expect(odd.answers == usual.answers)
      let isSame = odd.trace == usual.trace
      #expect(isSame, "\(odd.trace.count) and \(usual.trace.count) datagrams")
    }
  }
}
