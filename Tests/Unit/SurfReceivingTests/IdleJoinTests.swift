import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Joining an app that has been idle for longer than it keeps its history.
@Suite struct IdleJoinTests {
  private var sender: Sender
  private var receiver: Receiver
  private let viewer = Endpoint(rawValue: 9)
  private var outputs: [ObserverEvent] = []

  init() {
    var configuration = Sender.Configuration()
    configuration.historyAgeMax = .seconds(10)
    let announcement = Heartbeat.sample()
    let session = SessionID(rawValue: 5)
    sender = Sender(
      session: session, announcement: announcement, configuration: configuration, seed: 1)
    receiver = Receiver(
      session: session, viewer: ViewerID(rawValue: 4), viewerName: "v", repairWindow: 100,
      seed: 2, at: .seconds(100))
  }

  @Test mutating func seesTheNewestStateAndIsToldWhatIsGone() throws {
    record(1, withState: true)
    record(2, withState: true)
    record(3, withState: false)
    run(from: .zero, to: .seconds(2))
    run(from: .seconds(100), to: .seconds(101))
    receiver.follow(.since(1), at: .seconds(101))
    run(from: .seconds(101), to: .seconds(103))
    record(4, withState: false)
    run(from: .seconds(103), to: .seconds(104))
    #expect(sequences == [2, 4])
    #expect(lost == [1, 3])
    #expect(outputs.filter { $0.isCaughtUp }.count == 1)
  }

  @Test mutating func seesTheNewestRecordIfItCarriesTheState() throws {
    record(1, withState: true)
    record(2, withState: true)
    run(from: .zero, to: .seconds(2))
    run(from: .seconds(100), to: .seconds(101))
    receiver.follow(.newestState, at: .seconds(101))
    run(from: .seconds(101), to: .seconds(103))
    #expect(sequences == [2])
    #expect(lost == [])
  }

  @Test mutating func seesTheNewestRecordIfItsStateDiffers() throws {
    record(1, withState: true)
    let delta = Content(type: "x", bytes: [1, 0x94, 0x0A, 0x94, 0x0A, 5, 9, 0xCC, 0x28])
    sender.send(
      [
        Record(sequence: 2, kind: .action, name: "step", state: .delta(delta))
      ], at: .zero)
    run(from: .zero, to: .seconds(2))
    run(from: .seconds(100), to: .seconds(101))
    receiver.follow(.newestState, at: .seconds(101))
    run(from: .seconds(101), to: .seconds(103))
    #expect(sequences == [2])
    #expect(lost == [])
  }

  private var sequences: [SequenceNumber] {
    outputs.compactMap { $0.shown?.sequence }
  }

  private var lost: [SequenceNumber] {
    outputs.flatMap { output -> [SequenceNumber] in
      if case .lost(_, let range) = output { Array(range) } else { [] }
    }
  }

  private mutating func record(_ sequence: SequenceNumber, withState: Bool) {
    // A packet each: what is packed with the newest state would be kept with it.
    let state = Content(type: "x", bytes: [UInt8](repeating: 1, count: 1_300))
    let payload = withState ? nil : state
    let record = Record(
      sequence: sequence, kind: .action, name: "step", payload: payload,
      state: withState ? .keyframe(state) : .none)
    sender.send([record], at: .zero)
  }

  /// Both ends, with a network between them that loses nothing.
  private mutating func run(from start: Duration, to end: Duration) {
    var now = start
    while now < end {
      while let transmission = sender.nextTransmission(at: now) {
        guard now >= .seconds(100) else { continue }
        for bytes in transmission.datagrams { deliver(bytes, at: now) }
      }
      receiver.advance(to: max(now, .seconds(100)))
      for request in receiver.takeRequests() { answer(request, at: now) }
      outputs += receiver.takeEvents()
      now += .milliseconds(1)
    }
  }

  private mutating func deliver(_ bytes: [UInt8], at now: Duration) {
    do {
      switch try Datagram(decoding: bytes).body {
      case .heartbeat(let heartbeat): receiver.receive(heartbeat, at: now)
      case .data(let packet): receiver.receive(packet, at: now)
      default: Issue.record("not to a viewer")
      }
    } catch {
      Issue.record(error)
    }
  }

  private mutating func answer(_ request: Datagram, at now: Duration) {
    switch request.body {
    case .nak(let nak): sender.receive(nak, from: viewer, at: now)
    case .hello(let hello):
      guard case .welcome(let welcome) = sender.welcome(hello, from: viewer, at: now).body
      else {
        Issue.record("no welcome")
        return
      }
      receiver.receive(welcome, at: now)
    case .windowUpdate(let update): sender.receive(update, from: viewer, at: now)
    default: Issue.record("not to an app")
    }
  }
}
