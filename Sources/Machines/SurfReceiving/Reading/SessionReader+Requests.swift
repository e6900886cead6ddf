import SurfBasics
import SurfTransport
import SurfWire

// Which of the missing packets of all windows to request, and when. `Receiver` sends the requests.
extension SessionReader {
  /// Notes arriving history packets. Call it before they are received, while it is known when each
  /// was requested.
  mutating func noteHistory(_ train: PacketTrain, at now: Duration) {
    let places = train.indices.compactMap { packets.missing.historyPlace(of: train[$0].sequence) }
    packets.missing.noteHistory(places.max(), at: now)
  }

  /// Chooses what is due, and notes it as requested: history, and packets that every viewer may
  /// have lost. The newest state comes first, then the live stream, then the past.
  ///
  /// - Parameter packetCount: how many packets may be requested.
  /// - Parameter historyRanges: how many more history ranges the app can queue.
  /// - Parameter isHeard: false while the app answers nothing at all. Then silence says nothing
  ///   about a single request.
  mutating func ask(
    at now: Duration, packets packetCount: WireCount, historyRanges: Int, repeatMin: Duration,
    isHeard: Bool, using random: inout SeededGenerator
  ) -> (history: [PacketRange], repair: [PacketRange]) {
    if isHeard { closeVainNewestState(at: now) }
    var round = RequestRound(
      at: now, repeatMin: repeatMin, historyEnd: extent.ownPacket.next,
      historyRanges: historyRanges,
      packets: min(packetCount, WireCount(Limits.rangePacketCountMax)), number: requestNumber)
    for window in rests { packets.missing.ask(for: window, in: &round, using: &random) }
    newestState?.noteAsked(from: requestNumber, of: packets.missing)
    requestNumber = round.number
    let ranges = round.asked.compactMap(\.range)
    return (
      ranges.filter { $0.first <= extent.ownPacket },
      ranges.filter { $0.first > extent.ownPacket }
    )
  }

  private mutating func closeVainNewestState(at now: Duration) {
    let askMax = liveChain.isEmpty ? Self.newestStateAskMax : Self.awaitedStateAskMax
    guard newestState?.isInVain(after: askMax, of: packets.missing, at: now) == true else { return }
    past.noteVain()
    closeNewestState()
  }

  // MARK: From another viewer (Protocol.md §A.1)

  /// The first unbroken part of the backlog that is missing and that no other window requests, if
  /// any.
  var soughtPackets: Range<SequenceNumber>? {
    guard past.isBacklog, let window = past.window,
      let run = packets.missing.part(in: window.rest).runs.first,
      run.first == window.next
    else { return nil }
    let boundary = past.boundaryPacket
    let end = min(run.end, boundary, newestState?.window.next ?? boundary)
    return run.first < end ? run.first..<end : nil
  }
}
