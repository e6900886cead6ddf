import SurfBasics
import SurfTransport
import SurfWire

// What is missing in the three windows, and must be asked for.
extension SessionReader {
  var deadline: Duration? {
    least(\.deadline)
  }

  /// Packets that were asked for and are still expected, each counted once, and how many ranges of
  /// history that makes in the app's list.
  func underWay(at now: Duration) -> (packets: WireCount, historyRanges: Int) {
    (
      windows.flatMap { $0.missing.outstanding(at: now) }.unionCount,
      Set(windows.flatMap { $0.missing.queuedRequests(at: now) }).count
    )
  }

  /// The soonest time at which a request must be repeated.
  func nextRepetition(after now: Duration) -> Duration? {
    least { $0.nextRepetition(after: now) }
  }

  /// The oldest packet that was asked for and has not come.
  var oldestAsked: SequenceNumber? {
    least(\.oldestAsked)
  }

  /// Packets of history have come. Call it before they are received, while it is known which of
  /// them were asked for.
  mutating func noteHistory(_ packets: PacketTrain, at now: Duration) {
    var place: HistoryProgress.Place?
    for window in windows {
      for index in packets.indices {
        let other = window.missing.historyPlace(of: packets[index].sequence)
        place = [place, other].compactMap { $0 }.max()
      }
    }
    forEachWindow { $0.missing.noteHistory(place, at: now) }
  }

  /// Asks for all that is due: history, and packets that every viewer may have lost. The newest
  /// state comes first, then the live stream, then the backlog; a packet that several windows lack
  /// is asked for once.
  ///
  /// - Parameter packets: how many may be asked for.
  /// - Parameter historyRanges: how many ranges of history the app still has room for.
  /// - Parameter isHeard: false while the app answers nothing at all, which says nothing about the
  ///   requests.
  mutating func ask(
    at now: Duration, packets: WireCount, historyRanges: Int, repeatMin: Duration, isHeard: Bool,
    using random: inout SplitMix64
  ) -> (history: [PacketRange], repair: [PacketRange]) {
    if isHeard { closeVainNewestState(at: now) }
    var round = RequestRound(
      at: now, repeatMin: repeatMin, historyEnd: extent.ownPacket.next,
      historyRanges: historyRanges,
      packets: min(packets, WireCount(Limits.rangePacketCountMax)), number: requestNumber)
    forEachWindow { window in
      window.missing.adopt(round.asked)
      window.missing.ask(in: &round, using: &random)
    }
    forEachWindow { $0.missing.adopt(round.asked) }
    newestState?.noteAsked(from: requestNumber)
    requestNumber = round.number
    let ranges = round.asked.compactMap(\.range)
    return (
      ranges.filter { $0.first <= extent.ownPacket },
      ranges.filter { $0.first > extent.ownPacket }
    )
  }

  private mutating func closeVainNewestState(at now: Duration) {
    let askMax = liveChain.isEmpty ? Self.newestStateAskMax : Self.awaitedStateAskMax
    guard newestState?.isInVain(after: askMax, at: now) == true else { return }
    recovery.noteVain(afterBacklog: !backlog.isDone)
    closeNewestState()
  }

  // MARK: From another viewer (Protocol.md §A.1)

  /// The part of the backlog that no other window asks for, all of it missing; nil if there is
  /// none.
  var soughtPackets: Range<SequenceNumber>? {
    guard let window = backlog.window, let run = window.missing.runs.first,
      run.first == window.next
    else { return nil }
    let boundary = backlog.boundaryPacket
    let end = min(run.end, boundary, newestState?.window.next ?? boundary)
    return run.first < end ? run.first..<end : nil
  }

  mutating func putOff(_ packets: Range<SequenceNumber>) {
    backlog.window.update { $0.missing.putOff(packets) }
  }

  mutating func callBack(_ packets: Range<SequenceNumber>, due: Duration) {
    backlog.window.update { $0.missing.callBack(packets, due: due) }
  }

  // MARK: Windows

  /// The least that the windows say of what they miss. A list of them would be a copy of each, and
  /// this is asked whenever packets have come.
  private func least<Value: Comparable>(_ part: (MissingRuns) -> Value?) -> Value? {
    .least(
      part(live.missing), newestState.flatMap { part($0.window.missing) },
      backlog.window.flatMap { part($0.missing) }, recovery.window.flatMap { part($0.missing) })
  }

  private var windows: [Window] {
    [live, newestState?.window, backlog.window, recovery.window].compactMap { $0 }
  }

  /// A new window lacks packets that others may have asked for: one request counts for all.
  func adoptingRequests(_ window: Window) -> Window {
    var window = window
    for other in windows { window.missing.adoptRequests(of: other.missing) }
    return window
  }

  /// In the order of their importance.
  private mutating func forEachWindow(_ change: (inout Window) -> Void) {
    newestState.update { change(&$0.window) }
    change(&live)
    backlog.window.update(change)
    recovery.window.update(change)
  }
}

extension Optional {
  /// Changes the value, if there is one, in place.
  fileprivate mutating func update(_ change: (inout Wrapped) -> Void) {
    if var value = take() {
      change(&value)
      self = value
    }
  }
}
