import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Somebody says under the app's address that its stream is far ahead, and the app says otherwise.
@Suite struct ClaimCheckTests {
  enum Lie: CaseIterable {
    case heartbeat, edge, packet, record
  }

  @Test(arguments: Lie.allCases)
  func `what contradicts the app's own word gives way`(lie: Lie) {
    var scene = Scene()
    scene.record(5)
    scene.run(seconds: 1)
    #expect(scene.sequences == [1, 2, 3, 4, 5])
    for _ in 0..<5 { scene.lie(lie) }
    // The app has paused, and goes on.
    scene.pause(seconds: 5)
    scene.record(5)
    scene.run(seconds: 4)
    // The newest comes first where it is joined anew.
    #expect(scene.sequences.filter { $0 < 1_000 }.sorted() == (1...10).map { SequenceNumber($0) })
    #expect(scene.lost.filter { $0 < 1_000 } == [])
  }

  /// At once, before the app is asked for what is lost, while that comes, or after.
  @Test(arguments: 0..<12 as Range<Int>)
  func `what an outage took comes though somebody lies, and all unfinished is forgotten`(
    ticks: Int
  ) {
    var scene = Scene()
    scene.record(5)
    scene.run(seconds: 1)
    scene.miss(600)
    // In its first seconds it is asked for what is missing, and only says hello.
    scene.pause(seconds: 20)
    #expect(scene.lost == Set((6...605).map { SequenceNumber($0) }))
    scene.record(2)
    scene.run(ticks: ticks)
    let lies = ticks % 3 > 0
    if lies { scene.lie(.heartbeat) }
    if ticks % 2 > 0 { scene.forgetUnfinished() }
    scene.run(seconds: 10)
    #expect(scene.sequences.filter { $0 < 1_000 }.sorted() == (1...607).map { SequenceNumber($0) })
    #expect(scene.lost.filter { $0 < 1_000 } == [])
    #expect(scene.retractions == (lies ? 1 : 0))
  }

  @Test func `a liar who goes on is contradicted again`() {
    var scene = Scene()
    scene.record(3)
    for _ in 0..<10 {
      scene.lie(.heartbeat)
      scene.record(1)
      scene.run(seconds: 8)
    }
    scene.run(seconds: 8)
    #expect(Set(scene.sequences.map(\.rawValue)) == Set(1...13))
  }

  @Test func `who joins on a lie has what there is`() {
    var scene = Scene(joins: false)
    scene.record(4)
    scene.run(seconds: 1)
    scene.lie(.heartbeat)
    scene.join()
    scene.run(seconds: 4)
    #expect(scene.sequences == [1, 2, 3, 4])
  }

  @Test func `one welcome that was overtaken proves nothing`() {
    var scene = Scene()
    scene.record(3)
    scene.run(seconds: 1)
    let old = scene.welcome
    scene.record(3)
    scene.run(seconds: 31)
    scene.receive(old)
    scene.run(seconds: 1)
    #expect(scene.sequences == [1, 2, 3, 4, 5, 6])
    #expect(scene.retractions == 0)
  }
}

/// An app and a viewer, with nothing lost between them.
private struct Scene {
  private(set) var sequences: [SequenceNumber] = []
  private(set) var lost: Set<SequenceNumber> = []
  private(set) var retractions = 0
  private(set) var welcome: Datagram?
  private var sender: Sender
  private var receiver: Receiver
  private var now = Duration.zero
  private var recordCount: SequenceNumber = 0
  private let announcement = Heartbeat.sample()
  private let session = SessionID(rawValue: 5)
  private let endpoint = Endpoint(rawValue: 9)

  init(joins: Bool = true) {
    sender = Sender(
      session: session, announcement: announcement, configuration: Sender.Configuration(), seed: 1)
    receiver = Receiver(
      session: session, viewer: ViewerID(rawValue: 4), viewerName: "v", repairWindow: 100, seed: 2,
      at: .zero)
    if joins { join() }
  }

  mutating func join() {
    if recordCount == 0 { receiver.receive(announcement, at: now) }
    receiver.follow(.since(1), at: now)
  }

  mutating func record(_ count: Int) {
    for _ in 0..<count {
      recordCount = recordCount.next
      let state = Content(type: "x", bytes: [UInt8](repeating: 1, count: 1_300))
      let record = Record(
        sequence: recordCount, kind: .action, name: "step", state: .keyframe(state))
      sender.send([record], at: now)
    }
  }

  mutating func lie(_ lie: ClaimCheckTests.Lie) {
    var heartbeat = announcement
    switch lie {
    case .heartbeat, .edge:
      heartbeat.progress = StreamProgress(
        newestPacket: 1_000_000, oldestPacket: lie == .edge ? 1_000_000 : 1,
        newestRecord: 1_000_000, newestRecordPacket: 1_000_000, newestStatePacket: 0,
        newestStatePacketCount: 0)
      receiver.receive(heartbeat, at: now)
    case .packet:
      receiver.receive(
        DataPacket(sequence: 1_000_000, oldestPacket: 1_000_000, frames: []), at: now)
    case .record:
      var frames: [UInt8] = []
      Frame.record(Record(sequence: 1_000_000, kind: .mark, name: "m").encoded())
        .append(to: &frames)
      receiver.receive(
        DataPacket(sequence: recordCount.next, oldestPacket: 1, frames: frames), at: now)
    }
    take()
  }

  /// The app is silent.
  mutating func pause(seconds: Int) {
    for _ in 0..<seconds * 100 {
      now += .milliseconds(10)
      turn()
    }
  }

  /// The app records, and of what it sends only heartbeats come.
  mutating func miss(_ count: Int) {
    record(count)
    for _ in 0..<100 {
      while let transmission = sender.nextTransmission(at: now) {
        for bytes in transmission.datagrams {
          let datagram = try? Datagram(decoding: bytes)
          if case .heartbeat? = datagram?.body { receive(datagram) }
        }
      }
      now += .milliseconds(1)
    }
  }

  mutating func forgetUnfinished() {
    _ = receiver.forgetUnfinished(at: now)
    take()
  }

  mutating func run(seconds: Int) { run(ticks: seconds * 500) }

  /// - Parameter ticks: of 2 ms.
  mutating func run(ticks: Int) {
    for _ in 0..<ticks {
      while let transmission = sender.nextTransmission(at: now) {
        for bytes in transmission.datagrams { receive(try? Datagram(decoding: bytes)) }
      }
      turn()
      now += .milliseconds(2)
    }
  }

  mutating func receive(_ datagram: Datagram?) {
    if let datagram { receiver.receive(datagram, at: now) }
  }

  private mutating func turn() {
    if let deadline = receiver.deadline, deadline <= now { receiver.advance(to: now) }
    for request in receiver.takeRequests() { answer(request) }
    take()
  }

  private mutating func take() {
    for output in receiver.takeEvents() {
      switch output {
      // As a timeline does: what is here is here.
      case .record(_, let arrived)
      where !arrived.isBase && !sequences.contains(arrived.record.sequence):
        sequences.append(arrived.record.sequence)
        lost.remove(arrived.record.sequence)
      case .lost(_, let range):
        for sequence in range.halfOpen.numbers.prefix(2_000) { lost.insert(sequence) }
      case .retracted(_, let first):
        retractions += 1
        lost = lost.filter { $0 < first }
      default: break
      }
    }
  }

  private mutating func answer(_ request: Datagram) {
    switch request.body {
    case .hello(let hello):
      let answer = sender.welcome(hello, from: endpoint, at: now)
      welcome = answer
      receive(answer)
    case .nak(let nak): sender.receive(nak, from: endpoint, at: now)
    case .windowUpdate(let update): sender.receive(update, from: endpoint, at: now)
    default: break
    }
  }
}
