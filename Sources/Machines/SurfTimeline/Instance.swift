import SurfWire

/// One session of one instrumented store, as a viewer knows it.
package struct Instance: Sendable {
  package let session: SessionID
  /// The newest heartbeat.
  package internal(set) var heartbeat: Heartbeat
  package internal(set) var status = Status.live
  /// Whether the viewer can trust that it is the app it claims to be.
  package internal(set) var standing = Standing.plain
  /// Departures are numbered, so that the catalog can evict the earliest.
  var departure = 0
  /// Heartbeats are numbered, too. These are the numbers of the first one heard and of the newest.
  let firstHeard: Int
  var lastHeard: Int
  /// Its place among the live ones, or that of the run that it continues.
  var seat: Seat
  /// The run that continues this one, which is gone.
  package internal(set) var nextRun: SessionID?
  package internal(set) var timeline: Timeline
  /// Its live values, if a viewer has asked for them.
  package var values = KnownValues()

  /// - Parameter started: on the viewer's clock.
  init(
    session: SessionID, heartbeat: Heartbeat, timeline: Timeline, started: Duration, firstHeard: Int
  ) {
    self.session = session
    self.heartbeat = heartbeat
    self.timeline = timeline
    self.firstHeard = firstHeard
    (lastHeard, seat) = (firstHeard, Seat(started: started, firstHeard: firstHeard))
  }

  package var id: InstanceID { heartbeat.instance }
  package var name: String { heartbeat.app }
  package var host: String { heartbeat.host }
  package var realm: Realm? { heartbeat.realm }
  package var introduction: Introduction { heartbeat.introduction }
  package var processID: UInt32 { heartbeat.processID }
  /// Its name for people: unique on one host, and short enough for every line.
  package var label: String { "\(name)#\(processID)" }

  /// Whether it runs on another machine than `host`.
  ///
  /// - Parameter host: Nil in a viewer that sees only apps of its own machine.
  package func isAway(from host: String?) -> Bool {
    host.map { $0.lowercased() != self.host.lowercased() } ?? false
  }

  /// Its label, with `@host` if it runs on another machine. `Catalog.find` accepts both forms.
  package func label(seenFrom host: String?) -> String {
    isAway(from: host) ? "\(label)@\(self.host)" : label
  }

  struct Seat: Comparable {
    let started: Duration
    let firstHeard: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.started, left.firstHeard) < (right.started, right.firstHeard)
    }
  }

  package enum Status: Equatable, Sendable {
    case live
    /// It said goodbye or fell silent.
    case gone(saidGoodbye: Bool)
  }
}

/// How far a viewer can trust that an app is what it claims to be (Protocol.md §18.5).
package enum Standing: String, Equatable, Sendable {
  /// The app is not sealed, and the viewer has no key.
  case plain
  /// The viewer has a key, but the app is not sealed: anybody may pose as it.
  case open
  /// Sealed under one of the viewer's keys, and the app has answered a challenge.
  case sealed
  /// Sealed, but nobody has challenged it: it may be a replayed recording.
  case unproven

  /// A word for people; nil if the standing needs no comment.
  package var note: String? {
    switch self {
    case .plain, .sealed: nil
    case .open: "open"
    case .unproven: "liveness unproven"
    }
  }
}
