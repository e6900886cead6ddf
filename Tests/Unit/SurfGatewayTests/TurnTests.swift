import SurfGateway
import SurfStreams
import SurfWeb
import SurfWire
import Testing

/// The waits that one client may cause for others.
@Suite struct TurnTests {
  private let bench = Bench.inspecting

  /// Frames of values of 50 ids, numbered.
  private func burst(_ count: Int, padding: Int = 0) -> [UInt8] {
    var socket = WebSocketConnection(
      role: .client(maskingKey: { 7 }), limits: WebSocketLimits(messageBytes: 1 << 28))
    let filler = String(repeating: "x", count: padding)
    for number in 0..<count {
      socket.send(.text(updated("id \(number % 50)", "\"\(number)\(filler)\"")))
    }
    return socket.takeOutput()
  }

  private func guest() -> StreamID {
    let peer = InspectorPeer(bench)
    _ = bench.takeRequests()
    // Its own end would try to make sense of what is done by hand here.
    bench.inspectorPeers[peer.stream] = nil
    return peer.stream
  }

  /// The values that viewers receive from here on, without further turns.
  private func told() -> [String] {
    bench.takeRequests(takesTurns: false).compactMap { request in
      if case .tell(_, .update(_, let data)) = request {
        String(decoding: data, as: UTF8.self)
      } else {
        nil
      }
    }
  }

  private func receive(_ bytes: [UInt8], on stream: StreamID) -> [StreamAction] {
    bench.machine.receive(.received(stream, bytes), at: bench.now)
    bench.machine.performRequests()
    return bench.machine.takeActions()
  }

  private func takeTurn() -> [StreamAction] {
    bench.machine.takeTurns(at: bench.now)
    bench.machine.performRequests()
    return bench.machine.takeActions()
  }

  @Test func `a burst is heard in turns, others are answered first, and nothing is lost`() {
    let stream = guest()
    let actions = receive(burst(1_000), on: stream)
    #expect(actions.contains(.hold(stream)))
    var values = told()
    #expect((1...20).contains(values.count))
    let visitor = bench.open()
    let request = HTTPRequest(method: "GET", target: "/", headers: ["Host": "localhost:9"])
    let answers = receive(request.encoded(), on: visitor)
    #expect(answers.contains { $0.isWrite(to: visitor) })
    var turnCount = 0
    var isReleased = false
    while bench.machine.isBehind {
      #expect(bench.machine.deadline == .zero)
      isReleased = takeTurn().contains(.release(stream))
      let more = told()
      #expect(more.count <= 40)
      values += more
      turnCount += 1
    }
    #expect(isReleased && turnCount > 20)
    #expect(values == (0..<1_000).map { "\"\($0)\"" })
  }

  @Test func `what takes long is not done before answers have left`() {
    let stream = guest()
    bench.machine.receive(.received(stream, burst(1)), at: bench.now)
    _ = bench.machine.takeActions()
    #expect(told().isEmpty)
    bench.machine.advance(to: bench.now)
    #expect(told().count == 1)
  }

  @Test func `streams that wait have their turns one after the other`() {
    let streams = (0..<10).map { _ in guest() }
    for stream in streams { _ = receive(burst(300), on: stream) }
    _ = told()
    var newest: [InstanceID: Int] = [:]
    for _ in 0..<6 {
      _ = takeTurn()
      for case .tell(let instance, _) in bench.takeRequests(takesTurns: false) {
        newest[instance, default: 0] += 1
      }
    }
    // All together have no more than one turn's, and each has its part.
    #expect(newest.count == 10)
    #expect((newest.values.max() ?? 0) <= 2 * (newest.values.min() ?? 0))
  }

  @Test func `a large message waits for its turn, and a small one behind it waits as well`() {
    let stream = guest()
    _ = receive(burst(1, padding: 100_000) + burst(1), on: stream)
    #expect(told().isEmpty)
    _ = takeTurn()
    #expect(told().count == 1)
    _ = takeTurn()
    #expect(told() == ["\"0\""])
  }

  @Test func `a turn has one large message, of an app or of a stream, and neither starves`() {
    let session = SessionID(rawValue: 0x11)
    bench.appear(session)
    let stream = guest()
    _ = told()
    func record(_ row: UInt64) -> Record {
      let state = Array(String(repeating: "\(row)", count: 1 << 20).utf8)
      return Record(
        sequence: SequenceNumber(row), kind: .action, name: "\(row)",
        state: .keyframe(Content(type: "application/json", bytes: state)))
    }
    for row in 1...4 {
      bench.machine.receive(.observer(.record(session, record(UInt64(row)))), at: bench.now)
    }
    _ = receive(burst(4, padding: 1 << 20), on: stream)
    var turns: [String] = []
    var size = bench.machine.historySize(of: session)
    while bench.machine.isBehind {
      _ = takeTurn()
      let grown = bench.machine.historySize(of: session)
      turns.append(
        String(repeating: "r", count: (grown - size) >> 20)
          + String(repeating: "s", count: told().count))
      size = grown
    }
    #expect(turns.joined().count == 8 && turns.allSatisfy { $0.count < 2 }, "\(turns)")
    let served = turns.joined()
    #expect(!served.contains("rr") && !served.contains("ss"), "\(served)")
  }

  @Test func `a guest waits while too much is to be carried out for guests, and others do not`() {
    let (stream, other) = (guest(), guest())
    bench.carriesOut = false
    _ = receive(burst(40, padding: 500_000), on: stream)
    var actions: [StreamAction] = []
    while bench.machine.isBehind { actions += takeTurn() }
    #expect(!actions.contains(.release(stream)))
    #expect(bench.machine.deadline != .zero)
    var values = told()
    #expect((17...18).contains(values.count) && bench.uncarried > 8 << 20)
    let visitor = bench.open()
    let request = HTTPRequest(method: "GET", target: "/", headers: ["Host": "localhost:9"])
    #expect(receive(request.encoded(), on: visitor).contains { $0.isWrite(to: visitor) })
    // A second guest waits after its first message, whatever its size.
    _ = receive(burst(2), on: other)
    #expect(told().count == 1)
    for _ in 0..<10 {
      bench.carryOut()
      while bench.machine.isBehind { actions += takeTurn() }
      values += told()
    }
    #expect(actions.contains(.release(stream)) && actions.contains(.release(other)))
    #expect(values.count == 41)
  }

  @Test func `a guest that waits for others to be carried out is heard to its end when it leaves`()
  {
    let stream = guest()
    bench.carriesOut = false
    _ = receive(burst(40, padding: 500_000), on: stream)
    while bench.machine.isBehind { _ = takeTurn() }
    let before = told().count
    bench.machine.receive(.closed(stream, .byPeer), at: bench.now)
    bench.machine.performRequests()
    #expect(before + told().count == 40)
    bench.carryOut()
    #expect(!bench.machine.isBehind)
  }

  @Test func `what a client said before it left is heard`() {
    let stream = guest()
    _ = receive(burst(200), on: stream)
    let before = told().count
    bench.machine.receive(.closed(stream, .byPeer), at: bench.now)
    bench.machine.performRequests()
    _ = bench.machine.takeActions()
    #expect(before + told().count == 200)
    #expect(bench.takeRequests().isEmpty && !bench.machine.isBehind)
  }

  @Test func `records of apps come in turns and in order`() throws {
    let session = SessionID(rawValue: 0x11)
    bench.appear(session)
    let panel = bench.panel()
    panel.transmit("respond", ["type": "START"])
    for row in 1...1_000 {
      let record = Record(sequence: SequenceNumber(UInt64(row)), kind: .action, name: "\(row)")
      bench.machine.receive(.observer(.record(session, record)), at: bench.now)
    }
    #expect(bench.machine.isBehind)
    for _ in 0..<10 { bench.advance(by: .seconds(1)) }
    #expect(!bench.machine.isBehind)
    let actions = try panel.lifted["actionsById"]?.object?.members ?? []
    let names = actions.compactMap { $0.value["action"]?["type"]?.string }.compactMap(Int.init)
    #expect(names.count > 100 && names == Array((1_001 - names.count)...1_000))
  }
}

extension StreamAction {
  fileprivate func isWrite(to stream: StreamID) -> Bool {
    if case .write(stream, _) = self { true } else { false }
  }
}
