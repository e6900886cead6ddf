import SurfWire

/// Every instance that a viewer has heard of. Gone instances stay, with their history, until the
/// catalog is full.
package struct Catalog: Sendable {
  package struct Bounds: Equatable, Sendable {
    /// More than a person can follow. Bounds what a flood of forged heartbeats can add.
    package var instanceCountMax = 256
    /// Bytes of all timelines together.
    package var byteCountMax = 8 * Limits.contentSizeMax
    /// Bytes of the newest states of all timelines together: enough for two of the largest. A
    /// forged app can create such a state with a few bytes (Protocol.md §15).
    package var headByteCountMax = 2 * Limits.contentSizeMax
    package var timeline = Timeline.Bounds()

    package init() {}
  }

  package let bounds: Bounds
  /// In the order that the viewer first heard of them.
  package private(set) var instances: [Instance] = []
  /// Instances refused because the catalog was full.
  package private(set) var refusedCount = 0
  private var byteCount = 0
  /// The sum of every timeline's `headByteCount`.
  package private(set) var headByteCount = 0
  private var departureCount = 0
  private var heartbeatCount = 0
  /// The time when an app appears, on a clock of whoever fills the catalog; nil without a clock.
  package var now: Duration?
  /// When the first app appeared.
  private var began: Duration?
  /// Saves a linear search for each record.
  private var indexBySession: [SessionID: Int] = [:]

  package init(bounds: Bounds = Bounds()) { self.bounds = bounds }

  package subscript(_ session: SessionID) -> Instance? {
    index(of: session).map { instances[$0] }
  }

  /// Without the copy of an instance.
  package func contains(_ session: SessionID) -> Bool { index(of: session) != nil }

  /// States and payloads that arrived as deltas and could not be rebuilt.
  package var unmadeCount: Int { instances.reduce(0) { $0 + $1.timeline.unmadeCount } }

  package var live: [Instance] { instances.filter { $0.status == .live } }

  /// Adds or updates an instance. A gone instance becomes live again.
  ///
  /// - Parameter standing: nil leaves it unchanged.
  /// - Returns: false if the instance is new and the catalog is full of live ones.
  @discardableResult
  package mutating func hear(
    _ session: SessionID, _ heartbeat: Heartbeat, as standing: Standing? = nil
  ) -> Bool {
    let before = self[session]?.status
    heartbeatCount += 1
    if before == nil {
      guard makeRoom() else {
        refusedCount &+= 1
        return false
      }
      let timeline = Timeline(bounds: bounds.timeline)
      indexBySession[session] = instances.count
      instances.append(
        Instance(
          session: session, heartbeat: heartbeat, timeline: timeline, started: start(of: heartbeat),
          firstHeard: heartbeatCount))
    }
    let number = heartbeatCount
    update(session) {
      $0.heartbeat = heartbeat
      $0.lastHeard = number
      $0.status = .live
      if let standing { $0.standing = standing }
      $0.timeline.note(heartbeat)
    }
    if before == nil { linkRuns(before: session) } else if before != .live { unlinkRun(session) }
    return true
  }

  /// When the app started. If it did not answer with the first ones, that is now, to keep its place
  /// behind them.
  private mutating func start(of heartbeat: Heartbeat) -> Duration {
    guard let now else { return .zero }
    began = began ?? now
    return isOpening ? now - .nanoseconds(Int64(clamping: heartbeat.uptime)) : now
  }

  /// Whether the newest app was among the first to answer, so that an older one may still come.
  package var isOpening: Bool {
    guard let now, let began else { return false }
    return now - began < Self.answering
  }

  /// All apps that are live when a viewer starts answer within this time.
  package static let answering = Duration.milliseconds(500)

  @discardableResult
  package mutating func add(_ arrived: ArrivedRecord, to session: SessionID) -> Timeline.Addition {
    let addition =
      update(session) { instance in
        if !arrived.isBase { instance.values.note(arrived.record) }
        return instance.timeline.add(arrived)
      } ?? .none
    while byteCount > bounds.byteCountMax, trimLargest() {}
    while headByteCount > bounds.headByteCountMax, restLargest(but: session) {}
    return addition
  }

  /// - Returns: whether the record is a new row.
  @discardableResult
  package mutating func append(_ record: Record, to session: SessionID) -> Bool {
    if case .row = add(ArrivedRecord(record), to: session) { true } else { false }
  }

  /// - Returns: false if there is no such instance. The same goes for the methods below.
  @discardableResult
  package mutating func lose(
    _ range: ClosedRange<SequenceNumber>, of session: SessionID
  ) -> Bool {
    update(session) { $0.timeline.lose(range) } != nil
  }

  @discardableResult
  package mutating func retract(from first: SequenceNumber, of session: SessionID) -> Bool {
    update(session) { (instance: inout Instance) -> Void in
      instance.timeline.retract(from: first)
      instance.values.retract(from: first)
    } != nil
  }

  @discardableResult
  package mutating func recall(
    _ rows: ClosedRange<SequenceNumber>, of session: SessionID
  ) -> Bool {
    update(session) { $0.timeline.recall(rows) } != nil
  }

  /// Hides a row in this viewer; false if there is no such row to hide.
  @discardableResult
  package mutating func hide(_ row: SequenceNumber, of session: SessionID) -> Bool {
    update(session) { $0.timeline.hide(row) } ?? false
  }

  /// Shows a hidden row again, or all.
  @discardableResult
  package mutating func showHidden(_ row: SequenceNumber? = nil, of session: SessionID) -> Bool {
    update(session) { $0.timeline.showHidden(row) } != nil
  }

  /// - Returns: the new marker; nil if it is known already.
  @discardableResult
  package mutating func note(_ restored: Restored, by session: SessionID) -> Marker? {
    update(session) { $0.timeline.note(restored) } ?? nil
  }

  @discardableResult
  package mutating func leave(_ session: SessionID, saidGoodbye: Bool) -> Bool {
    let wasLive = self[session]?.status == .live
    update(session) {
      $0.status = .gone(saidGoodbye: saidGoodbye)
      $0.timeline.restHeads(all: false)
    }
    if wasLive { linkRun(after: session) }
    return self[session] != nil
  }

  /// Changes an instance and keeps the byte counts up to date; nil if there is no such instance.
  @discardableResult
  package mutating func update<Value>(
    _ session: SessionID, _ change: (inout Instance) -> Value
  ) -> Value? {
    guard let index = index(of: session) else { return nil }
    let (before, wasLive) = (instances[index].timeline.byteCount, instances[index].status == .live)
    let headsBefore = instances[index].timeline.headByteCount
    defer {
      byteCount += instances[index].timeline.byteCount - before
      headByteCount += instances[index].timeline.headByteCount - headsBefore
      if wasLive, instances[index].status != .live {
        departureCount += 1
        instances[index].departure = departureCount
      }
    }
    return change(&instances[index])
  }

  private func index(of session: SessionID) -> Int? { indexBySession[session] }

  /// If the catalog is full, evicts the instance that has been gone the longest; false if all are
  /// live.
  private mutating func makeRoom() -> Bool {
    guard instances.count >= bounds.instanceCountMax else { return true }
    let gone = instances.indices.filter { instances[$0].status != .live }
    guard let index = gone.min(by: { instances[$0].departure < instances[$1].departure }) else {
      return false
    }
    byteCount -= instances[index].timeline.byteCount
    headByteCount -= instances[index].timeline.headByteCount
    instances.remove(at: index)
    indexBySession = [:]
    for (place, instance) in instances.enumerated() { indexBySession[instance.session] = place }
    return true
  }

  /// Releases the largest newest states, preferably of a timeline other than `session`'s, which has
  /// just received one. False if there is nothing left to release.
  private mutating func restLargest(but session: SessionID) -> Bool {
    let others = instances.filter { $0.session != session && $0.timeline.headByteCount > 0 }
    let largest = others.max { $0.timeline.headByteCount < $1.timeline.headByteCount }
    guard let holder = largest?.session ?? (headByteCount > 0 ? session : nil) else { return false }
    update(holder) { $0.timeline.restHeads(all: false) }
    if self[holder]?.timeline.headByteCount ?? 0 > 0 {
      update(holder) { $0.timeline.restHeads(all: true) }
    }
    return true
  }

  /// Halves the largest timeline; false if there is nothing left to drop.
  private mutating func trimLargest() -> Bool {
    let largest = instances.max { $0.timeline.byteCount < $1.timeline.byteCount }
    guard let largest, largest.timeline.byteCount > 0 else { return false }
    update(largest.session) { $0.timeline.trim(toBytes: largest.timeline.byteCount / 2) }
    return true
  }
}
