// The messages in datagrams besides data: Protocol.md §7, one section each.

/// "I exist, and this is how far I am": beacon, liveness and tail-loss detector in one (§7.2).
package struct Heartbeat: Equatable, Sendable {
  package var instance: InstanceID
  package var app: String
  package var host: String
  /// The group of people whose app it is; nil for everybody's.
  package var realm: Realm?
  package var processID: UInt32
  /// The type of this instance's states, if they are all the same.
  package var contentType: String
  package var acceptsResets: Bool
  /// The other requests that it accepts, and those in force.
  package var control: Control = []
  /// The largest datagram that this sender sends, in octets.
  package var datagramSize: UInt16
  /// Nanoseconds since the session began.
  package var uptime: UInt64
  package var progress: StreamProgress
  package var position: Position
  package var givenUp: GivenUp
  /// When it was at `position`: now. Its newest record may not have been sent yet.
  package var stamp: PositionStamp
  package var introduction: Introduction

  package init(
    instance: InstanceID, app: String, host: String, processID: UInt32, contentType: String,
    acceptsResets: Bool, control: Control = [], datagramSize: UInt16, uptime: UInt64 = 0,
    progress: StreamProgress = StreamProgress(), position: Position = .initial,
    givenUp: GivenUp = GivenUp(), stamp: PositionStamp = PositionStamp(), realm: Realm? = nil,
    introduction: Introduction = Introduction()
  ) {
    self.instance = instance
    self.app = app
    self.host = host
    self.processID = processID
    self.contentType = contentType
    self.acceptsResets = acceptsResets
    self.control = control
    self.datagramSize = datagramSize
    self.uptime = uptime
    self.progress = progress
    self.position = position
    self.givenUp = givenUp
    self.stamp = stamp
    self.realm = realm
    self.introduction = introduction
  }
}

/// The words by which an app introduces itself and its machine (§7.2). Each may be empty.
package struct Introduction: Equatable, Sendable {
  /// Of the app: a release, or a revision.
  package var version: String
  /// Of the app: `com.example.todo`.
  package var identifier: String
  /// The operating system and its version.
  package var system: String
  /// The model of the device, or its processor.
  package var machine: String

  package init(
    version: String = "", identifier: String = "", system: String = "", machine: String = ""
  ) {
    self.version = version
    self.identifier = identifier
    self.system = system
    self.machine = machine
  }
}

extension Heartbeat {
  /// The losses of an app that lacked time or room, since the session began (§12). Neither count
  /// ever falls.
  package struct GivenUp: Equatable, Sendable {
    /// Records that came without their state.
    package var states: WireCount
    /// Records that did not come at all.
    package var records: WireCount

    package init(states: WireCount = 0, records: WireCount = 0) {
      self.states = states
      self.records = records
    }

    package var isNothing: Bool { states.isZero && records.isZero }
  }

  /// Bits of the heartbeat's flags, besides the first, which says that resets are accepted.
  package struct Control: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// The app carries out commands (§11.5).
    package static let takesCommands = Control(rawValue: 2)
    /// It can run its recorded actions again, so that a skip is exact.
    package static let replays = Control(rawValue: 4)
    /// It refuses its own actions until it is unlocked.
    package static let locked = Control(rawValue: 8)
    /// It records nothing until it is resumed.
    package static let paused = Control(rawValue: 16)
    /// Actions are left out: the newest revision with rows tells which.
    package static let leavesOut = Control(rawValue: 32)
    /// It takes a state as a delta from one that it has sent (§11.8).
    package static let takesDeltas = Control(rawValue: 64)
    /// It has told values, and answers for those that are live (§10.10).
    package static let hasValues = Control(rawValue: 128)
    /// One viewer at a time may drive it (§11.9).
    package static let hasWheel = Control(rawValue: 256)
    /// One does.
    package static let driven = Control(rawValue: 512)
    /// It takes the name of the file that a state is from (§11.2).
    package static let takesNames = Control(rawValue: 1_024)
    /// All that this version knows; others are ignored.
    static let known: Control = [
      .takesCommands, .replays, .locked, .paused, .leavesOut, .takesDeltas, .hasValues, .hasWheel,
      .driven, .takesNames,
    ]
  }
}

/// How far a stream is, and how much of it is still available (§7.2).
package struct StreamProgress: Equatable, Sendable {
  /// The packet sent last; 0 before the first.
  package var newestPacket: SequenceNumber = 0
  /// The trailing edge: the oldest packet of the unbroken run up to the newest that can still be
  /// repaired. `newestPacket + 1` when there is none.
  package var oldestPacket: SequenceNumber = 1
  /// The record begun last, and the packet in which it begins; both 0 before the first.
  package var newestRecord: SequenceNumber = 0
  package var newestRecordPacket: SequenceNumber = 0
  /// The packet in which the newest record that carries a state begins, and how many it takes; 0 if
  /// there is none. They can be repaired even when they lie before the trailing edge.
  package var newestStatePacket: SequenceNumber = 0
  package var newestStatePacketCount: WireCount = 0

  package init(
    newestPacket: SequenceNumber = 0, oldestPacket: SequenceNumber = 1,
    newestRecord: SequenceNumber = 0,
    newestRecordPacket: SequenceNumber = 0, newestStatePacket: SequenceNumber = 0,
    newestStatePacketCount: WireCount = 0
  ) {
    self.newestPacket = newestPacket
    self.oldestPacket = oldestPacket
    self.newestRecord = newestRecord
    self.newestRecordPacket = newestRecordPacket
    self.newestStatePacket = newestStatePacket
    self.newestStatePacketCount = newestStatePacketCount
  }
}

/// "I am leaving": spares the viewers the wait for the liveness timeout (§7.3).
package struct Goodbye: Equatable, Sendable {
  package var newestPacket: SequenceNumber
  package var newestRecord: SequenceNumber

  package init(newestPacket: SequenceNumber, newestRecord: SequenceNumber) {
    self.newestPacket = newestPacket
    self.newestRecord = newestRecord
  }
}

/// "Who is there?", to the group; each app answers with a heartbeat soon (§7.4).
package struct Probe: Equatable, Sendable {
  package var viewer: ViewerID
  package init(viewer: ViewerID) { self.viewer = viewer }
}

/// A viewer introduces itself to one app, and asks where a record begins (§7.5).
package struct Hello: Equatable, Sendable {
  package var viewer: ViewerID
  package var viewerName: String
  /// The first record wanted; `.max` for none but the newest state.
  package var since: SequenceNumber

  package init(viewer: ViewerID, viewerName: String, since: SequenceNumber) {
    self.viewer = viewer
    self.viewerName = viewerName
    self.since = since
  }
}

/// The answer to a hello: the right to ask for repairs, and where history begins (§7.6).
package struct Welcome: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  package var progress: StreamProgress
  /// The hello's own `since`: tells which question this answers.
  package var wanted: SequenceNumber
  /// The oldest retained record not older than the wanted one, and the packet in which it begins;
  /// both 0 if there is none.
  package var since: SequenceNumber
  package var sincePacket: SequenceNumber

  package init(
    viewer: ViewerID, cookie: Cookie, progress: StreamProgress, wanted: SequenceNumber,
    since: SequenceNumber,
    sincePacket: SequenceNumber
  ) {
    self.viewer = viewer
    self.cookie = cookie
    self.progress = progress
    self.wanted = wanted
    self.since = since
    self.sincePacket = sincePacket
  }
}

/// "Send me these packets" (§7.7).
package struct NAK: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  /// A late joiner's request: the answer is for this viewer alone and may wait behind repairs.
  package var isHistory: Bool
  package var ranges: [PacketRange]

  package init(viewer: ViewerID, cookie: Cookie, isHistory: Bool, ranges: [PacketRange]) {
    self.viewer = viewer
    self.cookie = cookie
    self.isHistory = isHistory
    self.ranges = ranges
  }
}

/// How far a viewer has read, and how far the app may run ahead of that (§7.8).
package struct WindowUpdate: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  /// The newest packet that the viewer has taken out of its socket; 0 for none.
  package var newestPacket: SequenceNumber
  /// Packets beyond it that its socket has room for.
  package var window: WireCount

  package init(viewer: ViewerID, cookie: Cookie, newestPacket: SequenceNumber, window: WireCount) {
    self.viewer = viewer
    self.cookie = cookie
    self.newestPacket = newestPacket
    self.window = window
  }
}

/// A run of `count` packets from `first` on; never empty, never beyond the last sequence.
package struct PacketRange: Hashable, Sendable {
  package let first: SequenceNumber
  package let count: WireCount

  /// Nil if the run is empty or would pass the end of the sequence space.
  package init?(first: SequenceNumber, count: WireCount) {
    guard first > 0, count > 0, count <= first.distance(to: .max) else { return nil }
    self.first = first
    self.count = count
  }

  /// The sequence after the last.
  package var end: SequenceNumber { first.advanced(by: count) }
  package var packets: Range<SequenceNumber> { first..<end }
}

/// A piece of "be in this state" (§11.2), or of "do this" (§11.5).
package struct Reset: Equatable, Sendable {
  package var form: Form
  package var viewer: ViewerID
  package var cookie: Cookie
  package var request: UInt64
  package var viewerName: String
  package var target: Position
  /// Of the file that the state is from; nil if it is from none, or the app takes no names.
  package var fileName: String?
  package var part: Part

  /// The form of the bytes.
  package enum Form: Equatable, Sendable {
    case state
    /// A digest and a delta (§11.8); there are always bytes.
    case delta
    /// A command and no state (§11.5); then `target` is `.elsewhere`, and there are always bytes.
    case command
  }

  /// The part of the state in this datagram.
  package enum Part: Equatable, Sendable {
    /// No state: be as you were at the start.
    case initial
    /// Bytes from `offset` on, of `total`.
    case bytes(contentType: String, total: WireCount, offset: WireCount, [UInt8])
  }

  package init(
    viewer: ViewerID, cookie: Cookie, request: UInt64, viewerName: String, target: Position,
    part: Part, form: Form = .state
  ) {
    self.form = form
    self.viewer = viewer
    self.cookie = cookie
    self.request = request
    self.viewerName = viewerName
    self.target = target
    self.part = part
  }
}

/// How much of a reset has arrived (§11.3).
package struct ResetProgress: Equatable, Sendable {
  package var viewer: ViewerID
  package var request: UInt64
  /// Octets from the first on, without a hole.
  package var received: WireCount
  /// Ranges beyond a hole, in rising order and never touching; nil from an app that keeps none.
  package var ahead: [Range<Int>]?
  /// How much of the work on a request that is whole is done; nil if the app does not say.
  package var share: Share?

  /// A part of a whole, in ten-thousandths.
  package struct Share: Comparable, Sendable {
    package let rawValue: UInt16

    package static let whole = 10_000

    package init(_ done: Int, of total: Int) {
      let share = total > 0 ? Double(done) / Double(total) * Double(Self.whole) : 0
      rawValue = UInt16(min(max(0, share), Double(Self.whole)))
    }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    package var percent: Int { Int(rawValue) * 100 / Self.whole }

    package static func < (one: Share, other: Share) -> Bool { one.rawValue < other.rawValue }
  }

  package init(
    viewer: ViewerID, request: UInt64, received: WireCount, ahead: [Range<Int>]?,
    share: Share? = nil
  ) {
    self.viewer = viewer
    self.request = request
    self.received = received
    self.ahead = ahead
    self.share = share
  }
}

/// The outcome of a reset (§11.4).
package struct Outcome: Equatable, Sendable {
  package var viewer: ViewerID
  package var request: UInt64
  package var position: Position
  package var result: Result
  /// Of the applied state, under the key of the request; nil if there was none, or if the app tells
  /// none.
  package var digest: Digest?

  package init(
    viewer: ViewerID, request: UInt64, position: Position, result: Result, digest: Digest? = nil
  ) {
    self.viewer = viewer
    self.request = request
    self.position = position
    self.result = result
    self.digest = digest
  }

  package enum Result: Hashable, Sendable {
    /// The app is in that state.
    case applied
    /// The app refused; it is in the state it was in.
    case rejected(reason: String)
    /// The app takes no resets at all.
    case forbidden
    /// The app is occupied with others' resets; try again.
    case busy
    /// It does not hold the state that a delta is from; send the state whole.
    case unavailable
    /// The result of a delta is not the intended state; send the state whole.
    case mismatch
  }
}
