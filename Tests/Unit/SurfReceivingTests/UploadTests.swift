import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

@Suite struct UploadTests {
  private func state(_ size: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private func upload() -> ResetUpload {
    ResetUpload(
      session: SessionID(rawValue: 5), viewer: ViewerID(rawValue: 1), viewerName: "v", request: 7,
      target: .elsewhere, state: Content(type: "x", bytes: state(120_000, seed: 1)),
      datagramSize: 1_472, timeout: .seconds(5), at: .zero)
  }

  /// The app forgot the upload almost immediately. No rule makes it say so: the viewer asks.
  @Test func `who believes that all it sent is here asks once more`() {
    var upload = self.upload()
    let offsets = offsets(&upload, at: .zero)
    #expect(offsets.count == Limits.aheadPieceCountMax)
    let size = offsets[1]
    upload.receive(progress(7, 0, [size..<32 * size]), at: .zero)
    upload.receive(progress(7, size, []), at: .milliseconds(1))
    #expect(self.offsets(&upload, at: .milliseconds(1)) == [32 * size])
    upload.receive(progress(7, size, [32 * size..<33 * size]), at: .milliseconds(2))
    #expect(self.offsets(&upload, at: .milliseconds(2)) == [])
    #expect(self.offsets(&upload, at: .milliseconds(40)) == [32 * size])
    // By now every piece that is not named is certainly missing.
    upload.receive(progress(7, size, [32 * size..<33 * size]), at: .milliseconds(300))
    var other = upload
    #expect(self.offsets(&upload, at: .milliseconds(300)) == (1...32).map { $0 * size })
    // Pieces that turn out to be here after all are not sent again, though none was sent since.
    other.receive(progress(7, 5 * size, []), at: .milliseconds(300))
    #expect(self.offsets(&other, at: .milliseconds(300)) == (5...36).map { $0 * size })
  }

  private func offsets(_ upload: inout ResetUpload, at now: Duration) -> [Int] {
    upload.advance(to: now, cookie: Cookie(rawValue: 9), wait: Timers.nakRepeatMin).compactMap {
      guard case .reset(let reset) = $0.body, case .bytes(_, _, let offset, _) = reset.part else {
        return nil
      }
      return offset.clamped(to: .max)
    }
  }

  /// Lossless, 720 pieces take as many datagrams.
  @Test func `a lost piece costs that piece`() {
    let state = state(920_000, seed: 1)
    for seed in 0..<5 as Range<UInt64> {
      var simulation = UploadSimulation(
        state: state, network: SimulatedNetwork.Link(loss: 0.2), seed: seed)
      #expect(simulation.run() == .answered(.applied, .elsewhere))
      #expect(simulation.taken.map(\.state?.bytes) == [state])
      // 720 in 0.8, and again those whose report was lost.
      #expect(simulation.sentCount < 1_080, "\(simulation.sentCount)")
      #expect(simulation.now < .seconds(1), "\(simulation.now)")
    }
  }

  @Test func `a state of any size arrives as it was, once, over any link`() {
    var random = SeededGenerator(seed: 4)
    for seed in 0..<300 as Range<UInt64> {
      let size =
        [1, 1_272, 1_277, 1_278, 2_554, 2_555, 40_000, 120_000].randomElement(using: &random) ?? 1
      let state = state(size + Int.random(in: 0...2, using: &random), seed: seed)
      let link = SimulatedNetwork.Link(
        loss: .random(in: 0...0.4, using: &random),
        duplication: .random(in: 0...0.2, using: &random),
        jitter: .microseconds(Int64.random(in: 0...4_000, using: &random)))
      var simulation = UploadSimulation(state: state, network: link, seed: seed)
      simulation.isOldApp = seed % 3 == 0
      #expect(simulation.run() == .answered(.applied, .elsewhere), "seed \(seed)")
      #expect(simulation.taken.map(\.state?.bytes) == [state], "seed \(seed)")
    }
  }

  /// 32 pieces of 1,278 octets for each 200 ms: 25 times as long as the timeout.
  @Test func `an upload that goes on is not given up, however long it takes`() {
    let state = state(2_000_000, seed: 1)
    let link = SimulatedNetwork.Link(loss: 0.05, delay: .milliseconds(100))
    for seed in 0..<3 as Range<UInt64> {
      var simulation = UploadSimulation(
        state: state, network: link, timeout: .milliseconds(400), seed: seed)
      #expect(simulation.run() == .answered(.applied, .elsewhere), "seed \(seed)")
      #expect(simulation.now > .seconds(10), "\(simulation.now)")
    }
  }

  @Test func `an upload of which there is no more news is given up after the timeout`() {
    let state = state(2_000_000, seed: 1)
    let link = SimulatedNetwork.Link(delay: .milliseconds(100))
    for cut in [Duration.zero, .milliseconds(150), .seconds(3)] {
      var simulation = UploadSimulation(
        state: state, network: link, timeout: .seconds(2), seed: 1)
      simulation.outage = cut..<(.seconds(1_000))
      #expect(simulation.run() == .timedOut)
      // What was under way when the link was cut still brings news.
      #expect(cut + .seconds(2)...(cut + .milliseconds(2_300)) ~= simulation.now)
    }
  }

  @Test func `an app that forgets again and again is not waited for without end`() {
    var upload = self.upload()
    let size = offsets(&upload, at: .zero)[1]
    for second in 1...9 {
      let now = Duration.seconds(second)
      let isMore = upload.receive(progress(7, second % 2 * 3 * size, []), at: now)
      #expect(isMore == (second == 1))
      // All is sent again whenever the app has forgotten all.
      let offsets = offsets(&upload, at: now)
      #expect(offsets.contains(0) == (second % 2 == 0 && second < 6), "\(second)")
    }
    #expect(upload.answer == .timedOut)
    #expect(upload.giveUpAt == .seconds(6))
  }

  /// Protocol.md §11.3: a decision may take long, if the app is seen to be at work.
  @Test func `a greater share of the work is waited for, and no other`() {
    var upload = self.upload()
    _ = offsets(&upload, at: .zero)
    func progress(_ share: Int) -> ResetProgress {
      var progress = self.progress(7, upload.total, [])
      progress.share = ResetProgress.Share(share, of: 100)
      return progress
    }
    upload.receive(self.progress(7, upload.total, []), at: .seconds(1))
    for (share, second, end) in [(1, 2, 7), (1, 3, 7), (50, 4, 9), (49, 5, 9)] {
      let isMore = upload.receive(progress(share), at: .seconds(second))
      #expect(isMore == (upload.giveUpAt == .seconds(second + 5)))
      #expect(upload.giveUpAt == .seconds(end))
    }
    #expect(upload.share?.percent == 50)
    _ = offsets(&upload, at: .seconds(9))
    #expect(upload.answer == .timedOut)
  }

  @Test func `an app learns once of each viewer that asks no longer`() {
    var intake = ResetIntake(acceptsResets: true)
    var handed: [UInt64: IncomingReset] = [:]
    for request in 1...3 as ClosedRange<UInt64> {
      if case .deliver(let reset, _) = intake.receive(
        wish(request), position: .initial, at: .zero)
      {
        handed[request] = reset
      }
    }
    // One asks again and learns how far the app is; one has its answer.
    if let reset = handed[1] { intake.note(ResetProgress.Share(1, of: 4), of: reset) }
    var told = progress(1, 0, [])
    told.share = ResetProgress.Share(1, of: 4)
    let again = intake.receive(wish(1), position: .initial, at: .seconds(4))
    #expect(again == .answer(.resetProgress(told)))
    if let reset = handed[2] { _ = intake.decide(reset, .applied, position: .initial) }
    let times = [4_999, 5_000, 8_000, 9_000].map(Duration.milliseconds)
    let taken = times.map { intake.takeAbandoned(at: $0) }
    let keys = [3, 1].compactMap { handed[$0] }.map { ResetIntake.Key($0) }
    #expect(taken == [[], [keys[0]], [], [keys[1]]])
  }

  /// 5 s without a piece, and the app has forgotten what it had, but for what it was handed.
  @Test func `an upload that an outage interrupts goes on, and is applied once`() {
    var random = SeededGenerator(seed: 12)
    var sentAnew: [Int] = []
    for seed in 0..<200 as Range<UInt64> {
      let state = state(120_000, seed: seed)
      let link = SimulatedNetwork.Link(
        loss: .random(in: 0...0.3, using: &random),
        jitter: .microseconds(Int64.random(in: 0...4_000, using: &random)))
      var simulation = UploadSimulation(state: state, network: link, seed: seed)
      let begin = Duration.microseconds(Int64.random(in: 0...30_000, using: &random))
      simulation.outage = begin..<(begin + .seconds(.random(in: 1...12, using: &random)))
      #expect(simulation.run() == .answered(.applied, .elsewhere), "seed \(seed)")
      let isWhole = simulation.taken.map(\.state?.bytes) == [state]
      #expect(isWhole, "seed \(seed)")
      #expect(simulation.now < simulation.outage.upperBound + .seconds(2), "seed \(seed)")
      // 94 pieces, twice; and while nobody answers 32 at a time, four times a second.
      #expect(simulation.sentCount < 2_200, "\(simulation.sentCount), seed \(seed)")
      if let before = simulation.sentWhenForgotten {
        sentAnew.append(simulation.sentCount - before)
      }
    }
    // 94 pieces in 0.7 to 1, and again those whose report was lost.
    #expect(sentAnew.count > 50)
    #expect(sentAnew.reduce(0, +) < sentAnew.count * 132)
  }

  @Test func `pieces that overlap as they like make what a map of octets makes`() {
    var random = SeededGenerator(seed: 8)
    for seed in 0..<200 as Range<UInt64> {
      let state = state(200, seed: seed)
      var intake = ResetIntake(acceptsResets: true)
      var here = [Bool](repeating: false, count: state.count)
      for _ in 0..<40 {
        let start = Int.random(in: 0..<state.count, using: &random)
        let end = min(state.count, start + Int.random(in: 0...20, using: &random))
        let reaction = intake.receive(
          piece(200, at: WireCount(start), Array(state[start..<end])), position: .initial, at: .zero
        )
        for octet in start..<end { here[octet] = true }
        guard case .answer(.resetProgress(let progress)) = reaction else { break }
        let received = progress.received.clamped(to: .max)
        let told = (0..<received).map { $0 } + (progress.ahead ?? []).flatMap { Array($0) }
        // Of two pieces with the same start the longer is kept. The app reports only octets that it
        // has, but may report some of them late.
        #expect(told.allSatisfy { here[$0] }, "seed \(seed)")
        #expect(received == (here.firstIndex(of: false) ?? here.count), "seed \(seed)")
        #expect(intake.size <= 200 + 32 * 20)
      }
    }
  }

  private func piece(
    _ total: WireCount, at offset: WireCount, _ bytes: [UInt8], type: String = "x"
  ) -> Reset {
    Reset(
      viewer: ViewerID(rawValue: 1), cookie: Cookie(rawValue: 1), request: 3, viewerName: "v",
      target: .elsewhere,
      part: .bytes(contentType: type, total: total, offset: offset, bytes))
  }

  @Test func `what was rejected for its pieces stays rejected`() {
    var intake = ResetIntake(acceptsResets: true)
    _ = intake.receive(piece(2, at: 0, [1]), position: .initial, at: .zero)
    let answers = [piece(2, at: 1, [1], type: "y"), piece(2, at: 0, [1]), piece(2, at: 1, [2])]
      .map { intake.receive($0, position: .initial, at: .zero) }
    for answer in answers {
      guard case .answer(.outcome(let outcome)) = answer, case .rejected = outcome.result else {
        Issue.record("\(answer)")
        return
      }
    }
  }

  @Test(arguments: [
    (Position.record(9), true), (.record(10), false), (.record(.max), false), (.initial, true),
    (.elsewhere, true),
  ])
  func `a target that the app has not made is rejected`(target: Position, isTaken: Bool) {
    var intake = ResetIntake(acceptsResets: true)
    let reset = Reset(
      viewer: ViewerID(rawValue: 1), cookie: Cookie(rawValue: 1), request: 3, viewerName: "v",
      target: target, part: .bytes(contentType: "", total: 1, offset: 0, [7]))
    for _ in 0..<2 {
      let reaction = intake.receive(reset, position: .record(9), newestRecord: 9, at: .zero)
      switch reaction {
      case .deliver(let incoming, _): #expect(isTaken && incoming.target == target)
      case .answer(.resetProgress): #expect(isTaken)
      case .answer(.outcome(let outcome)):
        #expect(!isTaken && outcome.position == .record(9))
        let row = target.row.map { "\($0)" } ?? ""
        #expect(outcome.result == .rejected(reason: "this app has made no row \(row)"))
      case .answer(let other): Issue.record("\(other)")
      }
    }
  }

  @Test func `no more is kept beyond a hole than pieces that may be under way`() {
    var intake = ResetIntake(acceptsResets: true)
    for offset in 1...1_000 as ClosedRange<UInt64> {
      _ = intake.receive(
        piece(60_000, at: WireCount(offset * 2), [1]), position: .initial, at: .zero)
    }
    #expect(intake.size == Limits.aheadPieceCountMax)
  }

  /// Pieces left far ahead do not displace those of a viewer that has started over.
  @Test func `what is farthest gives way beyond a hole`() {
    var intake = ResetIntake(acceptsResets: true)
    for offset in (1...100).reversed() {
      _ = intake.receive(
        piece(60_000, at: WireCount(offset * 2), [1]), position: .initial, at: .zero)
    }
    let last = intake.receive(piece(60_000, at: 0, [1]), position: .initial, at: .zero)
    let nearest = (1...Limits.aheadPieceCountMax).map { $0 * 2..<$0 * 2 + 1 }
    #expect(last == .answer(.resetProgress(progress(3, 1, nearest))))
  }

  private func wish(_ request: UInt64) -> Reset {
    Reset(
      viewer: ViewerID(rawValue: 1), cookie: Cookie(rawValue: 1), request: request,
      viewerName: "v", target: .initial, part: .initial)
  }

  /// An app that hangs: whatever arrives meanwhile, it gets nothing a second time.
  @Test func `what is undecided is never forgotten, and those beyond it are told busy`() {
    var intake = ResetIntake(acceptsResets: true)
    var handed: [IncomingReset] = []
    var busyCount = 0
    for request in 1...1_000 as ClosedRange<UInt64> {
      switch intake.receive(wish(request), position: .initial, at: .zero) {
      case .deliver(let reset, _): handed.append(reset)
      case .answer(.outcome(let outcome)) where outcome.result == .busy: busyCount += 1
      case .answer(let other): Issue.record("\(other)")
      }
    }
    #expect(handed.count == Limits.undecidedResetCountMax)
    #expect(busyCount == 1_000 - handed.count)
    let again = intake.receive(wish(1), position: .initial, at: .zero)
    #expect(again == .answer(.resetProgress(progress(1, 0, []))))
    // When it goes on, each has its answer, and there is room again.
    for reset in handed {
      #expect(intake.decide(reset, .applied, position: .initial)?.request == reset.request)
    }
    guard case .deliver = intake.receive(wish(999), position: .initial, at: .zero) else {
      Issue.record("no room")
      return
    }
  }

  private func progress(_ request: UInt64, _ received: Int, _ ahead: [Range<Int>])
    -> ResetProgress
  {
    ResetProgress(
      viewer: ViewerID(rawValue: 1), request: request, received: WireCount(received), ahead: ahead)
  }
}
