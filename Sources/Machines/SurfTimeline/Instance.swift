import SurfWire

/// One session of one instrumented store, as a viewer knows it.
package struct Instance: Sendable {
  package let session: SessionID
  /// The newest heartbeat.
  package internal(set) var heartbeat: Heartbeat
  package internal(set) var status = Status.live
  /// Whether it is the one that it says to be.
  package internal(set) var standing = Standing.plain
  /// Which of all that went it was, counted from the start.
  var departure = 0
  package internal(set) var timeline: Timeline
  /// Its live values, if somebody has asked for them.
  package var values = KnownValues()

  package var id: InstanceID { heartbeat.instance }
  package var name: String { heartbeat.app }
  package var host: String { heartbeat.host }
  package var realm: Realm? { heartbeat.realm }
  package var introduction: Introduction { heartbeat.introduction }
  package var processID: UInt32 { heartbeat.processID }
  /// Its name for people: unique on one host, short enough for every line.
  package var label: String { "\(name)#\(processID)" }

  /// Whether it is on another machine than the one of this name.
  ///
  /// - Parameter host: Nil for a viewer that sees apps of its own machine only.
  package func isAway(from host: String?) -> Bool {
    host.map { $0.lowercased() != self.host.lowercased() } ?? false
  }

  /// Its label, with its machine if that is another one; `Catalog.find` knows either.
  package func label(seenFrom host: String?) -> String {
    isAway(from: host) ? "\(label)@\(self.host)" : label
  }

  package enum Status: Equatable, Sendable {
    case live
    /// It said goodbye, or fell silent.
    case gone(saidGoodbye: Bool)
  }
}

/// What a viewer knows of whether an app is the one that it says to be (Protocol.md §18.5).
package enum Standing: String, Equatable, Sendable {
  /// Neither is sealed, nor has the viewer a key.
  case plain
  /// The viewer has a key, and the app is not sealed: anybody may pose as it.
  case open
  /// Sealed under a key of the viewer's, and it has answered.
  case sealed
  /// The same, and nobody has asked it: a recording of it may be played.
  case unproven

  /// For people; nil for what needs no word.
  package var note: String? {
    switch self {
    case .plain, .sealed: nil
    case .open: "open"
    case .unproven: "liveness unproven"
    }
  }
}
