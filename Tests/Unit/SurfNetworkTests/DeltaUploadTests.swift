import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfTransport
import SurfWire
import Synchronization
import TestSupport
import Testing

/// The viewer's end of a reset by delta, without sockets: an app that says what the test wants.
@Suite final class DeltaUploadTests {
  private final class Answers: Sendable {
    let all = Mutex<[ResetAnswer]>([])
  }

  private let session = SessionID(rawValue: 3)
  private let app = Endpoint(rawValue: 2)
  private let state = Content(type: "x", bytes: Array(repeating: 7, count: 5_000))
  private let answers = Answers()
  private var machine = ObserverMachine(
    viewerName: "v", repairWindow: 128, heldSizeMax: 0, viewers: Endpoint(rawValue: 1),
    random: SeededGenerator(seed: 1))

  private func ask(takesDeltas: Bool = true) throws -> [Reset] {
    var heartbeat = Heartbeat.sample(StreamProgress())
    heartbeat.control = takesDeltas ? .takesDeltas : []
    hear(.heartbeat(heartbeat))
    let delta = Delta.between(state.bytes, state.bytes, baseRecord: 1, sizeMax: 100)
    let answers = answers
    machine.perform(
      .request(
        ObserverRequest(
          session: session, target: .record(1), content: state, delta: delta, isCommand: false,
          timeout: .seconds(5)
        ) { answer in answers.all.withLock { $0.append(answer) } }), at: .zero)
    for case .hello(let hello) in try said() {
      hear(
        .welcome(
          Welcome(
            viewer: hello.viewer, cookie: Cookie(rawValue: 9), progress: StreamProgress(),
            wanted: hello.since, since: 0, sincePacket: 0)))
    }
    return try resets()
  }

  private func hear(_ body: Datagram.Body, at now: Duration = .zero) {
    machine.receive(.message(Datagram(session: session, body: body)), from: app, at: now)
    takeAnswers()
  }

  private func takeAnswers() {
    for (answer, completion) in machine.takeAnswers() { completion(answer) }
  }

  private func said() throws -> [Datagram.Body] {
    try machine.takeTransmissions().flatMap { transmission -> [Datagram.Body] in
      guard case .datagrams(let datagrams) = transmission.payload else { return [] }
      return try datagrams.map { try Datagram(decoding: $0).body }
    }
  }

  private func resets() throws -> [Reset] {
    try said().compactMap { if case .reset(let reset) = $0 { reset } else { nil } }
  }

  /// - Returns: what the viewer sends then.
  private func answer(
    _ reset: Reset, _ result: Outcome.Result, digestOf told: Content? = nil
  ) throws -> [Reset] {
    let key = DigestKey(viewer: reset.viewer, request: reset.request)
    hear(
      .outcome(
        Outcome(
          viewer: reset.viewer, request: reset.request, position: .record(1), result: result,
          digest: told.map { Digest(of: $0, key: key) })))
    return try resets()
  }

  @Test(arguments: [Outcome.Result.unavailable, .mismatch])
  func `the whole follows once a delta was of no use`(result: Outcome.Result) throws {
    let first = try ask()
    #expect(first.map(\.form) == [.delta])
    let second = try answer(try #require(first.first), result)
    #expect(second.count > 1)
    #expect(second.allSatisfy { $0.form == .state && $0.request != first[0].request })
    // An app that says so of a whole state is sent nothing more.
    let third = try answer(try #require(second.first), result)
    #expect(third.isEmpty)
    #expect(answers.all.withLock { $0 } == [.answered(result, .record(1))])
  }

  @Test(arguments: [true, false])
  func `the next request waits until a delta is over`(isOfUse: Bool) throws {
    let first = try #require(try ask().first)
    guard case .bytes(_, let total, _, _) = first.part else {
      Issue.record("no bytes")
      return
    }
    let early = try ask()
    hear(
      .resetProgress(
        ResetProgress(
          viewer: first.viewer, request: first.request, received: total, ahead: nil)))
    machine.advance(to: .zero)
    let acknowledged = try resets()
    #expect(early.isEmpty && acknowledged.isEmpty)
    if isOfUse {
      _ = try answer(first, .applied)
    } else {
      let whole = try answer(first, .unavailable)
      #expect(whole.allSatisfy { $0.form == .state })
      machine.advance(to: .zero)
      let still = try resets()
      #expect(still.isEmpty)
      _ = try answer(try #require(whole.first), .applied)
    }
    machine.advance(to: .zero)
    let next = try resets().map(\.form)
    #expect(next == [.delta])
  }

  @Test func `those that wait for a request wait as long as more of it arrives`() throws {
    let first = try #require(try ask(takesDeltas: false).first)
    let early = try ask(takesDeltas: false)
    #expect(early.isEmpty)
    guard case .bytes(_, _, _, let piece) = first.part else {
      Issue.record("no bytes")
      return
    }
    let progress = ResetProgress(
      viewer: first.viewer, request: first.request, received: WireCount(piece.count), ahead: nil)
    hear(.resetProgress(progress), at: .seconds(4))
    // Told again it is no more.
    hear(.resetProgress(progress), at: .seconds(6))
    machine.advance(to: .milliseconds(8_999))
    takeAnswers()
    #expect(answers.all.withLock { $0 } == [])
    machine.advance(to: .seconds(9))
    takeAnswers()
    #expect(answers.all.withLock { $0 } == [.timedOut, .timedOut])
  }

  @Test func `an app that knows no deltas is sent the whole`() throws {
    let sent = try ask(takesDeltas: false)
    #expect(!sent.isEmpty && sent.allSatisfy { $0.form == .state })
  }

  @Test(arguments: [true, false])
  func `a digest of another state is no success`(takesDeltas: Bool) throws {
    let sent = try #require(try ask(takesDeltas: takesDeltas).first)
    let other = Content(type: "x", bytes: [1])
    _ = try answer(sent, .applied, digestOf: other)
    #expect(answers.all.withLock { $0 } == [.answered(.mismatch, .record(1))])
  }

  @Test(arguments: [true, false])
  func `a digest of the state, or none, is a success`(isTold: Bool) throws {
    let sent = try #require(try ask().first)
    _ = try answer(sent, .applied, digestOf: isTold ? state : nil)
    #expect(answers.all.withLock { $0 } == [.answered(.applied, .record(1))])
  }
}
