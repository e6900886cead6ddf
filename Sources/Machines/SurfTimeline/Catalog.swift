import SurfWire

/// Every instance that a viewer has heard of. Those that are gone stay, with their history.
package struct Catalog: Sendable {
  package struct Bounds: Equatable, Sendable {
    /// More than a person can follow; a stranger's flood of false heartbeats ends here.
    package var instanceCountMax = 256
    /// Bytes of all timelines together.
    package var byteCountMax = 8 * Limits.contentSizeMax
    /// Bytes of the newest states of all timelines together: two of the largest fit. A false app
    /// makes such a state with a few octets (Protocol.md §15).
    package var headByteCountMax = 2 * Limits.contentSizeMax
    package var timeline = Timeline.Bounds()

    package init() {}
  }

  package let bounds: Bounds
  /// In the order in which they were first heard of.
  package private(set) var instances: [Instance] = []
  /// Instances refused for want of room.
  package private(set) var refusedCount = 0
  private var byteCount = 0
  /// Of `Timeline.headByteCount`.
  package private(set) var headByteCount = 0
  private var departureCount = 0
  /// Where each instance is: a search would look at all of them for every record.
  private var places: [SessionID: Int] = [:]

  package init(bounds: Bounds = Bounds()) { self.bounds = bounds }

  package subscript(_ session: SessionID) -> Instance? {
    index(of: session).map { instances[$0] }
  }

  /// States and payloads that came as deltas and could not be made.
  package var unmadeCount: Int { instances.reduce(0) { $0 + $1.timeline.unmadeCount } }

  package var live: [Instance] { instances.filter { $0.status == .live } }

  /// An instance exists, and this is its description; it is live again if it was gone.
  ///
  /// - Parameter standing: nil for what it was.
  /// - Returns: false if it is new and there is no room for it.
  @discardableResult
  package mutating func hear(
    _ session: SessionID, _ heartbeat: Heartbeat, as standing: Standing? = nil
  ) -> Bool {
    if index(of: session) == nil {
      guard makeRoom() else {
        refusedCount &+= 1
        return false
      }
      let timeline = Timeline(bounds: bounds.timeline)
      places[session] = instances.count
      instances.append(Instance(session: session, heartbeat: heartbeat, timeline: timeline))
    }
    update(session) {
      $0.heartbeat = heartbeat
      $0.status = .live
      if let standing { $0.standing = standing }
      $0.timeline.note(heartbeat)
    }
    return true
  }

  /// Adds a record as it came.
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

  /// - Returns: false if there is no such instance, as with all of these.
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

  /// Takes a row of this viewer out of sight.
  @discardableResult
  package mutating func hide(_ row: SequenceNumber, of session: SessionID) -> Bool {
    update(session) { $0.timeline.hide(row) } ?? false
  }

  /// Brings all of them back.
  @discardableResult
  package mutating func showHidden(of session: SessionID) -> Bool {
    update(session) { $0.timeline.showHidden() } != nil
  }

  /// - Returns: the new marker; nil if it was known.
  @discardableResult
  package mutating func note(_ restored: Restored, by session: SessionID) -> Marker? {
    update(session) { $0.timeline.note(restored) } ?? nil
  }

  @discardableResult
  package mutating func leave(_ session: SessionID, saidGoodbye: Bool) -> Bool {
    update(session) { (instance: inout Instance) -> Void in
      instance.status = .gone(saidGoodbye: saidGoodbye)
      instance.timeline.restHeads(all: false)
    } != nil
  }

  /// Changes an instance and keeps the sum of bytes; nil if there is none.
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

  private func index(of session: SessionID) -> Int? { places[session] }

  /// Forgets the instance that went first, if the table is full.
  private mutating func makeRoom() -> Bool {
    guard instances.count >= bounds.instanceCountMax else { return true }
    let gone = instances.indices.filter { instances[$0].status != .live }
    guard let index = gone.min(by: { instances[$0].departure < instances[$1].departure }) else {
      return false
    }
    byteCount -= instances[index].timeline.byteCount
    headByteCount -= instances[index].timeline.headByteCount
    instances.remove(at: index)
    places = [:]
    for (place, instance) in instances.enumerated() { places[instance.session] = place }
    return true
  }

  /// Lets the timeline with the largest newest states give up their memory, above all another one
  /// than that which has just got a state; false when there is nothing left.
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

  /// Halves the longest timeline; false when there is nothing left to give up.
  private mutating func trimLargest() -> Bool {
    let largest = instances.max { $0.timeline.byteCount < $1.timeline.byteCount }
    guard let largest, largest.timeline.byteCount > 0 else { return false }
    update(largest.session) { $0.timeline.trim(toBytes: largest.timeline.byteCount / 2) }
    return true
  }
}
