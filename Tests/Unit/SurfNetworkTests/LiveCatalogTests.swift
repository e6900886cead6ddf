import SurfNetwork
import SurfObserver
import SurfThreads
import SurfTimeline
import SurfWire
import Testing

/// The catalog between the thread that fills it and those that look.
@Suite(.timeLimit(.minutes(10)))
struct LiveCatalogTests {
  private struct Told {
    var session: SessionID?
    var rowCount: WireCount = 0
    var isCaughtUp = false

    mutating func note(_ change: CatalogChange) {
      switch change {
      case .appeared(let session): self.session = session
      case .rows(_, let rows): rowCount.add(rows.length)
      case .caughtUp: isCaughtUp = true
      default: break
      }
    }
  }

  @Test func `a heartbeat that says nothing new is not told`() {
    let session = SessionID(rawValue: 1)
    var heartbeat = Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "Todo", host: "desk", processID: 7,
      contentType: "application/json", acceptsResets: true, datagramSize: 1_344)
    var catalog = Catalog()
    let appeared = CatalogChange.appeared(session)
    #expect(catalog.apply(.appeared(session, heartbeat)) == appeared)
    heartbeat.uptime += 1_000_000_000
    #expect(catalog.apply(.heartbeat(session, heartbeat)) == nil)
    #expect(catalog[session]?.heartbeat == heartbeat)
    heartbeat.control.insert(.paused)
    let heard = CatalogChange.heard(session)
    #expect(catalog.apply(.heartbeat(session, heartbeat)) == heard)
  }

  @Test func `a heartbeat that only tells how far the records are that came is not told`() {
    let session = SessionID(rawValue: 1)
    var heartbeat = Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "Todo", host: "desk", processID: 7,
      contentType: "text/plain", acceptsResets: true, datagramSize: 1_344)
    var catalog = Catalog()
    _ = catalog.apply(.appeared(session, heartbeat))
    #expect(catalog.apply(.record(session, record(1))) == .rows(session, 1...1))
    heartbeat.progress.newestPacket = 9
    heartbeat.progress.newestRecord = 1
    (heartbeat.position, heartbeat.stamp) = (.record(1), PositionStamp(newestRecord: 1))
    #expect(catalog.apply(.heartbeat(session, heartbeat)) == nil)
    #expect(catalog[session]?.heartbeat == heartbeat)
    // The app was moved, and its report on that was lost.
    (heartbeat.position, heartbeat.stamp.moveCount) = (.initial, 1)
    #expect(catalog.apply(.heartbeat(session, heartbeat)) == .heard(session))
    #expect(catalog.apply(.heartbeat(session, heartbeat)) == nil)
    // A record that has not come.
    (heartbeat.progress.newestRecord, heartbeat.stamp.newestRecord) = (2, 2)
    #expect(catalog.apply(.heartbeat(session, heartbeat)) == .heard(session))
    heartbeat.givenUp.records.add(1)
    #expect(catalog.apply(.heartbeat(session, heartbeat)) == .heard(session))
  }

  private static let count: UInt64 = 3_000
  private static let partCount = 300

  /// States of 2,000 octets, each but the first a delta of one octet from the one before.
  private func record(_ number: UInt64) -> Record {
    var form = RecordState.keyframe(state(number))
    if number > 1,
      let delta = Delta.between(
        state(number - 1).bytes, state(number).bytes, baseRecord: SequenceNumber(number - 1),
        sizeMax: 1_000)
    {
      form = .delta(Content(type: "text/plain", bytes: delta.encoded()))
    }
    return Record(sequence: SequenceNumber(number), kind: .action, name: "", state: form)
  }

  private func state(_ number: UInt64) -> Content {
    var bytes = [UInt8](repeating: 0x20, count: 2_000)
    for index in 0..<Int(number) { bytes[index % 2_000] ^= 1 }
    return Content(type: "text/plain", bytes: bytes)
  }

  @Test func whoLooksAgainAndAgainHoldsUpNothingAndSeesWhatWasTold() throws {
    let port = Ports.take()
    let app = TestApp("shelf", port: port)
    defer { app.end() }
    let told = Monitor(Told())
    var configuration = Observer.Configuration()
    configuration.port = port
    configuration.browsesDNSSD = false
    let live = try LiveCatalog(configuration: configuration) { change in
      told.withLock { $0.note(change) }
    }
    defer { live.observer.stop() }
    told.wait { $0.session != nil }
    let session = try #require(told.withLock { $0.session })
    live.observer.follow(session, since: .since(1))
    var wrong: [SequenceNumber] = []
    // Two minutes are the end of a test that fails, not a time that one measures.
    let end = monotonicNow() + .seconds(120)
    func look() {
      let known = told.withLock { $0.rowCount }
      let seen = live.read { catalog in
        catalog[session]?.timeline.rows.last.map { row in
          (row.number, catalog[session]?.timeline.state(of: row.number))
        }
      }
      guard let (number, content) = seen else { return }
      if content != state(number.rawValue) || known > WireCount(number.rawValue) {
        wrong.append(number)
      }
    }
    // In parts, so that this thread sees something of each, however late it looks.
    for first in stride(from: 1, through: Self.count, by: Self.partCount) {
      let last = first + UInt64(Self.partCount) - 1
      for number in first...last { app.broadcaster.send([record(number)]) }
      repeat {
        look()
      } while told.withLock({ $0.rowCount }) < WireCount(last) && monotonicNow() < end
    }
    look()
    #expect(wrong.isEmpty)
    let (unmade, compared, rows) = live.read { catalog in
      let timeline = catalog[session]?.timeline
      return (catalog.unmadeCount, timeline?.comparisonCount, timeline?.rows.count)
    }
    #expect(unmade == 0)
    #expect(compared == 0)
    #expect(rows == Int(Self.count))
  }
}
