import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Where a viewer's rules for an app that leaves, or a question that changes, meet each other.
@Suite struct AbsenceTests {
  private var receiver = Receiver(
    session: SessionID(rawValue: 5), viewer: ViewerID(rawValue: 4), viewerName: "v",
    repairWindow: 128, seed: 2, at: .zero)

  private var decoder = RecordDecoder()

  /// Protocol.md §11.1: what answers the old question leaves the new one open.
  @Test mutating func `a late answer to another question does not end a hello`() {
    join(answered: false)
    receive(1)
    receiver.follow(.since(1), at: .milliseconds(10))
    #expect(questions == [.max, 1])
    receiver.receive(welcome(wanted: .max), at: .milliseconds(15))
    #expect(receiver.cookie != nil)
    for millisecond in 15...600 { receiver.advance(to: .milliseconds(millisecond)) }
    #expect(questions.contains(1))
    receiver.receive(welcome(wanted: 1), at: .milliseconds(600))
    for millisecond in 600...5_000 { receiver.advance(to: .milliseconds(millisecond)) }
    #expect(questions.isEmpty)
  }

  /// Protocol.md §10.4 and §10.7: one packet, one request, whatever window is opened meanwhile.
  @Test
  mutating func `a window that is opened asks for nothing that another has asked for, or holds`() {
    join()
    for number in [1, 2, 3, 5] as [SequenceNumber] { receive(number) }
    for tick in 0...10 { receiver.advance(to: .microseconds(Int64(tick) * 500)) }
    #expect(asked == [4])
    receiver.refetch(1...1, at: .milliseconds(5))
    receiver.receive(welcome(wanted: 1), at: .milliseconds(5))
    #expect(asked == [1, 2, 3])
    receive(4, at: .milliseconds(6))
    #expect(delivered == [1, 2, 3, 4, 5])
    for number in [1, 2, 3] as [SequenceNumber] { receive(number, at: .milliseconds(7)) }
    #expect(delivered == [1])
  }

  /// Protocol.md §10.9: the first three were given up, what differs from the last needs no window.
  @Test mutating func `a state that was made when the app expired is a base for what comes`() {
    join()
    receive(1)
    receive(2, [])
    receive(3, base: 2)
    receive(4)
    receive(5, base: 4)
    #expect(delivered == [1])
    expire()
    #expect(delivered == [3, 4, 5])
    receive(6, base: 5, at: .seconds(20))
    #expect(delivered == [6])
  }

  /// Protocol.md §10.8: no heartbeat has named the record, and its first piece is missing.
  @Test mutating func `a record that an outage cuts in two is not lost for good`() {
    join()
    receive(1)
    var frames: [UInt8] = []
    Frame.fragment(Fragment(record: 2, total: 9, offset: 5, bytes: [1, 2, 3, 4]))
      .append(to: &frames)
    receive(3, frames)
    expire()
    _ = receiver.takeRequests()
    receiver.receive(Heartbeat.sample(progress), at: .seconds(20))
    receiver.advance(to: .seconds(20))
    #expect(questions == [2])
  }

  /// Protocol.md §10.9, rule 7: the app is stopped when it has sent the first piece of a record.
  @Test mutating func `a record in the midst of which the app was stopped comes when it goes on`() {
    join()
    receive(1)
    let record = Record(
      sequence: 2, kind: .action, name: "step",
      state: .keyframe(Content(type: "x", bytes: [0x61]))
    ).encoded()
    let pieces = [record.prefix(9), record.dropFirst(9)].map { piece in
      var frames: [UInt8] = []
      Frame.fragment(
        Fragment(
          record: 2, total: WireCount(record.count), offset: WireCount(piece.startIndex),
          bytes: Array(piece))
      ).append(to: &frames)
      return frames
    }
    receive(2, pieces[0])
    expire()
    #expect(delivered == [1])
    progress = Self.progress(newest: 2)
    receiver.receive(Heartbeat.sample(progress), at: .seconds(20))
    receiver.receive(welcome(wanted: 2), at: .seconds(20))
    receive(2, pieces[0], at: .seconds(20))
    receiver.advance(to: .seconds(20))
    receive(3, pieces[1], at: .seconds(20))
    #expect(delivered == [2])
  }

  @Test mutating func `what comes while the app is expired waits for no window`() {
    join()
    receive(1)
    receiver.receive(Goodbye(newestPacket: 2, newestRecord: 2), at: .zero)
    expire()
    #expect(delivered == [1])
    receive(3, base: 2, at: .seconds(20))
    #expect(delivered == [3])
  }

  /// Protocol.md §10.9: a window fetches the base of the record that it was opened for. Here this
  /// record came with the outage's records, but the records based on it still waited.
  @Test mutating func `what waits behind a record that came by another way has its state, too`() {
    join()
    receiveChain([1, 2, 3, 5])
    expire()
    #expect(states == [1, 2, 3])
    receiveChain([6], at: .seconds(20))
    receiver.receive(welcome(wanted: 4), at: .seconds(20))
    receiveChain([7], at: .seconds(20))
    receiveChain([4, 5, 6], at: .seconds(20))
    #expect(states == [4, 5, 6, 7])
    receiveChain([1, 2, 3], at: .seconds(20))
    #expect(states == [])
    receiveChain(1...8, at: .seconds(20))
    #expect(states == [8])
  }

  /// Protocol.md §10.9, rules 2 and 7: no record was given up, but the newest state was, and the app
  /// has a newer one by now.
  @Test mutating func `a state whose base an outage took is asked for when it is missed`() {
    joinWithoutState()
    receive(4, base: 2, at: .seconds(20))
    receiver.advance(to: .seconds(20))
    #expect(questions == [4])
    progress = Self.progress(newest: 4)
    receiver.receive(welcome(wanted: 4, in: 1), at: .seconds(20))
    receiveChain([1, 2], at: .seconds(20))
    receiveStateless(3, at: .seconds(20))
    receive(4, base: 2, at: .seconds(20))
    #expect(states == [4])
    // It goes on beside the live window until the next whole state.
    receive(5, base: 4, at: .seconds(20))
    receive(6, at: .seconds(20))
    #expect(states == [5, 6])
    receiver.advance(to: .seconds(20))
    #expect(questions.isEmpty)
  }

  /// Protocol.md §10.9, rule 11: also while the live chain is not whole.
  @Test mutating func `a record that is wanted again behind an outage costs few packets`() {
    joinWithoutState()
    for number in 4...1_000 as ClosedRange<SequenceNumber> {
      receiveStateless(number, at: .seconds(20))
    }
    receiver.refetch(3...3, at: .seconds(20))
    receiver.advance(to: .seconds(20))
    _ = receiver.takeRequests()
    receiver.receive(welcome(wanted: 3), at: .seconds(20))
    #expect(asked == Array(3...130))
    receiveStateless(3, at: .seconds(20))
    #expect(delivered.last == 3)
    // What comes then opens no window without need.
    receiveStateless(1_001, at: .seconds(20))
    receiver.advance(to: .seconds(20))
    #expect(receiver.takeRequests().isEmpty)
  }

  /// Protocol.md §10.9, rules 7 and 10: it may still be there.
  @Test(arguments: [true, false])
  mutating func `what is wanted again when the app expires is asked for when it is back`(
    isLocated: Bool
  ) {
    join()
    for number in [1, 2, 3] as [SequenceNumber] { receive(number) }
    receiver.refetch(1...2, at: .zero)
    #expect(delivered == [1, 2, 3])
    if isLocated {
      receiver.receive(welcome(wanted: 1), at: .zero)
      receive(1)
      #expect(delivered == [1])
    }
    expire()
    #expect(lost == [])
    _ = receiver.takeRequests()
    progress = Self.progress(newest: 3)
    receiver.receive(Heartbeat.sample(progress), at: .seconds(20))
    receiver.advance(to: .seconds(20))
    let first: SequenceNumber = isLocated ? 2 : 1
    #expect(questions == [first])
    receiver.receive(welcome(wanted: first), at: .seconds(20))
    for number in first...2 { receive(number, at: .seconds(20)) }
    #expect(delivered == Array(first...2))
    receiver.advance(to: .seconds(20))
    #expect(questions.isEmpty && lost == [])
  }

  /// The third record is here when the app expires, and the newest state is not; the app comes back
  /// with one that begins in its sixth packet.
  private mutating func joinWithoutState() {
    progress = Self.progress(newest: 3)
    join()
    receiveStateless(3)
    expire()
    #expect(delivered == [3])
    _ = receiver.takeRequests()
    progress.newestStatePacket = 6
    receiver.receive(Heartbeat.sample(progress), at: .seconds(20))
    receiver.advance(to: .seconds(20))
    #expect(questions == [.max])
    receiver.receive(welcome(wanted: .max), at: .seconds(20))
  }

  private mutating func receiveStateless(_ number: SequenceNumber, at now: Duration = .zero) {
    var frames: [UInt8] = []
    Frame.record(Record(sequence: number, kind: .action, name: "step").encoded())
      .append(to: &frames)
    receive(number, frames, at: now)
  }

  /// Protocol.md §10.7: one window at a time feeds the backlog's chain. The app held 4 and 5 all
  /// the time, and the viewer asks for them when the backlog has come.
  @Test(arguments: [true, false])
  mutating func `a viewer that wants more of the past after an outage loses none of its records`(
    isAsked: Bool
  ) {
    progress = Self.progress(newest: 3)
    join()
    receiveChain([1, 2, 3, 6])
    expire()
    #expect(delivered == [3, 6])
    receive(7, at: .seconds(20))
    progress = Self.progress(newest: 7)
    if isAsked { receiver.receive(welcome(wanted: 4), at: .seconds(20)) }
    receiver.follow(.since(1), at: .seconds(20))
    #expect(questions.last == 1)
    receiver.receive(welcome(wanted: 1), at: .seconds(20))
    receiveChain([1, 2, 3], at: .seconds(20))
    receiver.advance(to: .seconds(20))
    #expect(questions == [4])
    receiver.receive(welcome(wanted: 4), at: .seconds(20))
    receiveChain([4, 5, 6], at: .seconds(20))
    #expect(delivered == [7, 1, 2, 4, 5, 6])
  }

  /// Protocol.md §10.9: the third record came without its state. The backlog should have sent it
  /// again, but the app expired before that.
  @Test(arguments: [true, false])
  mutating func `a state that two outages have kept from the viewer comes after the second`(
    isLocated: Bool
  ) {
    progress = Self.progress(newest: 4)
    join(.since(2))
    receiver.receive(welcome(wanted: 2, in: 1), at: .zero)
    receiveChain([4, 1, 3])
    expire()
    #expect(states == [4])
    receiver.receive(Heartbeat.sample(progress), at: .seconds(20))
    receiver.follow(.since(1), at: .seconds(20))
    if isLocated {
      receiver.receive(welcome(wanted: 1), at: .seconds(20))
      receiveChain([1], at: .seconds(20))
      #expect(states == [1])
    }
    expire(from: 20)
    #expect(lost == (isLocated ? [] : [1...1]))
    _ = receiver.takeRequests()
    receiver.receive(Heartbeat.sample(progress), at: .seconds(40))
    receiver.advance(to: .seconds(40))
    #expect(receiver.counters.recordsLost == (isLocated ? 1 : 2))
    let first: SequenceNumber = isLocated ? 2 : 1
    #expect(questions == [first])
    receiver.receive(welcome(wanted: first, in: 1), at: .seconds(40))
    receiveChain([1, 2, 3], at: .seconds(40))
    #expect(states == (isLocated ? [2, 3] : [1, 2, 3]))
    #expect(receiver.counters.recordsLost == 0)
  }

  /// Protocol.md §10.7: the app has dropped everything older than its newest record.
  @Test mutating func `what was delivered is not lost for a viewer that wants more of the past`() {
    progress = Self.progress(newest: 4)
    join(.since(2))
    receiver.receive(welcome(wanted: 2, in: 1), at: .zero)
    receiveChain([4, 1, 2, 3])
    #expect(delivered == [4, 2, 3])
    receiver.follow(.since(1), at: .zero)
    receiver.receive(welcome(wanted: 1, in: 0), at: .zero)
    #expect(lost == [1...1])
    #expect(receiver.counters.recordsLost == 1)
  }

  /// Protocol.md §10.8: anybody who has recorded a session can repeat its packets without limit.
  @Test mutating func `packets that were here are no sign of life`() {
    join()
    for number in [1, 2, 3] as [SequenceNumber] { receive(number) }
    for tenth in 1...200 {
      let number = SequenceNumber(UInt64(tenth % 3 + 1))
      receive(number, at: .milliseconds(100 * tenth))
      receiver.advance(to: .milliseconds(100 * tenth))
    }
    let outputs = receiver.takeEvents()
    #expect(
      outputs.count { if case .gone(_, saidGoodbye: false) = $0 { true } else { false } } == 1)
    #expect(!receiver.isPresent)
    receive(4, at: .seconds(21))
    #expect(receiver.isPresent)
  }

  /// Protocol.md §10.4, rule 8: nor does a viewer wait for what it lacks because of them.
  @Test mutating func `history that was here puts no request off`() {
    progress = Self.progress(newest: 4)
    join(.since(1))
    receiver.receive(welcome(wanted: 1), at: .zero)
    receiver.advance(to: .zero)
    #expect(!asked.isEmpty)
    for number in [1, 2, 4] as [SequenceNumber] { receive(number, flags: [.repair, .history]) }
    for tick in 1...60 {
      receive(1, flags: [.repair, .history], at: .milliseconds(10 * tick))
      receiver.advance(to: .milliseconds(10 * tick))
    }
    #expect(asked.count { $0 == 3 } > 2)
  }

  /// Each differs from the one before, but for 1 and 4.
  private mutating func receiveChain(
    _ numbers: some Sequence<SequenceNumber>, at now: Duration = .zero
  ) {
    for number in numbers {
      let isWhole = number == 1 || number == 4
      receive(number, base: isWhole ? nil : UInt8(number.rawValue) - 1, at: now)
    }
  }

  private mutating func join(_ past: HistoryRequest = .newestState, answered: Bool = true) {
    receiver.receive(Heartbeat.sample(progress), at: .zero)
    receiver.follow(past, at: .zero)
    guard answered else { return }
    receiver.receive(welcome(wanted: .max), at: .zero)
    _ = receiver.takeRequests()
  }

  private mutating func expire(from start: Int = 0) {
    for second in start...start + 15 { receiver.advance(to: .seconds(second)) }
  }

  private var progress = AbsenceTests.progress(newest: 1)

  /// Every packet is a record, and only the first and the fourth have a whole state.
  private static func progress(newest: SequenceNumber) -> StreamProgress {
    StreamProgress(
      newestPacket: newest, oldestPacket: 1, newestRecord: newest, newestRecordPacket: newest,
      newestStatePacket: newest < 4 ? 1 : 4,
      newestStatePacketCount: (newest < 4 ? 1 : SequenceNumber(4)).distance(to: newest.next))
  }

  private func welcome(wanted: SequenceNumber, in packet: SequenceNumber? = nil) -> Welcome {
    let isHere = wanted < .max
    return Welcome(
      viewer: ViewerID(rawValue: 4), cookie: Cookie(rawValue: 9), progress: progress,
      wanted: wanted, since: isHere ? wanted : 0, sincePacket: isHere ? packet ?? wanted : 0)
  }

  /// The record's number is also that of its packet.
  private mutating func receive(
    _ number: SequenceNumber, base: UInt8? = nil, flags: DatagramFlags = [],
    at now: Duration = .zero
  ) {
    let delta = base.map { Content(type: "x", bytes: [$0, 1, 1, 5, 0x62]) }
    let record = Record(
      sequence: number, kind: .action, name: "step",
      state: delta.map { .delta($0) } ?? .keyframe(Content(type: "x", bytes: [0x61])))
    var frames: [UInt8] = []
    Frame.record(record.encoded()).append(to: &frames)
    receive(number, frames, flags: flags, at: now)
  }

  private mutating func receive(
    _ number: SequenceNumber, _ frames: [UInt8], flags: DatagramFlags = [],
    at now: Duration = .zero
  ) {
    receiver.receive(
      DataPacket(sequence: number, oldestPacket: 1, flags: flags, frames: frames), at: now)
  }

  private var delivered: [SequenceNumber] {
    mutating get {
      receiver.takeEvents().compactMap {
        $0.shown?.sequence
      }
    }
  }

  private var lost: [ClosedRange<SequenceNumber>] {
    mutating get {
      receiver.takeEvents().compactMap { if case .lost(_, let range) = $0 { range } else { nil } }
    }
  }

  /// The delivered records whose states can be rebuilt.
  private var states: [SequenceNumber] {
    mutating get {
      var made: [SequenceNumber] = []
      for case .record(_, let arrived) in receiver.takeEvents() {
        var record = arrived.record
        decoder.resolve(&record, from: arrived.origin)
        guard case .keyframe = record.state else { continue }
        if !arrived.isBase { made.append(record.sequence) }
      }
      return made
    }
  }

  private var questions: [SequenceNumber] {
    mutating get {
      receiver.takeRequests().compactMap {
        if case .hello(let hello) = $0.body { hello.since } else { nil }
      }
    }
  }

  private var asked: [SequenceNumber] {
    mutating get {
      receiver.takeRequests().flatMap { request -> [SequenceNumber] in
        guard case .nak(let nak) = request.body else { return [] }
        return nak.ranges.flatMap { Array($0.packets) }
      }.sorted()
    }
  }
}
