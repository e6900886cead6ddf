// All messages that are not data: Protocol.md §7, §11.

/// "I exist, and this is how far I am": for discovery, liveness, and the detection of lost last
/// packets (§7.2).
package struct Heartbeat: Equatable, Sendable {
  package var instance: InstanceID
  package var app: String
  package var host: String
  /// The group of people who see this app; nil if everybody does.
  package var realm: Realm?
  package var processID: UInt32
  /// The media type of this instance's states, if all have the same.
  package var contentType: String
  package var acceptsResets: Bool
  /// Other requests that the app accepts, and which of them are in force.
  package var control: Control = []
  /// The size in octets of the largest datagram that this sender sends.
  package var datagramSize: UInt16
  /// Nanoseconds since the session began.
  package var uptime: UInt64
  package var progress: StreamProgress
  package var position: Position
  package var givenUp: GivenUp
  /// When the app was at `position`: now. Its newest record may not have been sent yet.
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

/// How an app describes itself, its machine and its library (§7.2). Each field may be empty.
package struct Introduction: Equatable, Sendable {
  /// The version of StateSurf itself (semver.org), the first one in `.github/CHANGELOG.md`.
  package static let libraryVersion = "1.0.0-beta.1"

  /// The app's release or revision.
  package var version: String
  /// The app's identifier, such as `com.example.todo`.
  package var identifier: String
  /// The operating system and its version.
  package var system: String
  /// The model of the device, or its processor.
  package var machine: String
  /// The version of StateSurf that speaks for the app: its own, or the gateway's.
  package var library: String

  package init(
    version: String = "", identifier: String = "", system: String = "", machine: String = "",
    library: String = ""
  ) {
    self.version = version
    self.identifier = identifier
    self.system = system
    self.machine = machine
    self.library = library
  }
}

extension Heartbeat {
  /// Counts what an app has given up for lack of time or space since the session began (§12).
  /// Neither count ever decreases.
  package struct GivenUp: Equatable, Sendable {
    /// Records sent without their state.
    package var states: WireCount
    /// Records not sent at all.
    package var records: WireCount

    package init(states: WireCount = 0, records: WireCount = 0) {
      self.states = states
      self.records = records
    }

    package var isNothing: Bool { states.isZero && records.isZero }
  }

  /// The heartbeat's flags, except the first, which says that the app accepts resets.
  package struct Control: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// The app carries out commands (§11.5).
    package static let takesCommands = Control(rawValue: 2)
    /// The app can replay its recorded actions, so that skipping one is exact.
    package static let replays = Control(rawValue: 4)
    /// The app refuses its own actions until a viewer unlocks it.
    package static let locked = Control(rawValue: 8)
    /// The app records nothing until a viewer resumes it.
    package static let paused = Control(rawValue: 16)
    /// The app leaves out some actions. The newest revision with rows says which.
    package static let leavesOut = Control(rawValue: 32)
    /// The app accepts a state as a delta from one that it has sent (§11.8).
    package static let takesDeltas = Control(rawValue: 64)
    /// The app has published values, and answers requests for those that are live (§10.10).
    package static let hasValues = Control(rawValue: 128)
    /// Only one viewer at a time may drive the app (§11.9).
    package static let hasWheel = Control(rawValue: 256)
    /// A viewer is driving the app.
    package static let driven = Control(rawValue: 512)
    /// The app accepts the name of the file that a state is from (§11.2).
    package static let takesNames = Control(rawValue: 1_024)
    /// The app takes actions from viewers (§11.5).
    package static let takesActions = Control(rawValue: 2_048)
    /// Of an app that has its actions, and so takes every command.
    package static let allCommands: Control = [.takesCommands, .replays, .takesActions]
    /// All flags of this version. Others are ignored.
    static let known: Control = [
      .takesCommands, .replays, .locked, .paused, .leavesOut, .takesDeltas, .hasValues, .hasWheel,
      .driven, .takesNames, .takesActions,
    ]
  }
}

extension Heartbeat {
  /// Whether viewers may dispatch actions.
  package var takesActions: Bool { control.isSuperset(of: [.takesCommands, .takesActions]) }
}

/// How far a stream has come, and how much of it can still be repaired (§7.2).
package struct StreamProgress: Equatable, Sendable {
  /// The packet sent last; 0 before the first.
  package var newestPacket: SequenceNumber = 0
  /// The trailing edge: the first packet of the unbroken run, up to the newest packet, that can
  /// still be repaired. If that run is empty, `newestPacket + 1`.
  package var oldestPacket: SequenceNumber = 1
  /// The last record that was begun, and its first packet; both 0 before the first record.
  package var newestRecord: SequenceNumber = 0
  package var newestRecordPacket: SequenceNumber = 0
  /// The first packet of the newest record with a state, and how many packets it takes; both 0
  /// without such a record. They can be repaired even if they are before the trailing edge.
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

/// "I am leaving": saves viewers from waiting for the liveness timeout (§7.3).
package struct Goodbye: Equatable, Sendable {
  package var newestPacket: SequenceNumber
  package var newestRecord: SequenceNumber

  package init(newestPacket: SequenceNumber, newestRecord: SequenceNumber) {
    self.newestPacket = newestPacket
    self.newestRecord = newestRecord
  }
}

/// "Who is there?", multicast to the group. Each app soon answers with a heartbeat (§7.4).
package struct Probe: Equatable, Sendable {
  package var viewer: ViewerID
  package init(viewer: ViewerID) { self.viewer = viewer }
}

/// A viewer introduces itself to one app, and asks where a record begins (§7.5).
package struct Hello: Equatable, Sendable {
  package var viewer: ViewerID
  package var viewerName: String
  /// The first record wanted; `.max` if only the newest state is.
  package var since: SequenceNumber

  package init(viewer: ViewerID, viewerName: String, since: SequenceNumber) {
    self.viewer = viewer
    self.viewerName = viewerName
    self.since = since
  }
}

/// The answer to a hello: a cookie for further requests, and where history begins (§7.6).
package struct Welcome: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  package var progress: StreamProgress
  /// The hello's own `since`, so that the viewer knows which question this answers.
  package var wanted: SequenceNumber
  /// The oldest retained record that is not before the wanted one, and its first packet; both 0
  /// without such a record.
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
  /// Whether a late joiner asks. Its answer goes to this viewer alone, and may wait behind repairs.
  package var isHistory: Bool
  package var ranges: [PacketRange]

  package init(viewer: ViewerID, cookie: Cookie, isHistory: Bool, ranges: [PacketRange]) {
    self.viewer = viewer
    self.cookie = cookie
    self.isHistory = isHistory
    self.ranges = ranges
  }
}

/// How far a viewer has read, and how many more packets the app may send (§7.8).
package struct WindowUpdate: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  /// The newest packet that the viewer has read from its socket; 0 for none.
  package var newestPacket: SequenceNumber
  /// How many packets after it fit into the viewer's socket buffer.
  package var window: WireCount

  package init(viewer: ViewerID, cookie: Cookie, newestPacket: SequenceNumber, window: WireCount) {
    self.viewer = viewer
    self.cookie = cookie
    self.newestPacket = newestPacket
    self.window = window
  }
}

/// `count` packets, starting with `first`. Never empty, and never past the last sequence number.
package struct PacketRange: Equatable, Sendable {
  package let first: SequenceNumber
  package let count: WireCount

  /// Nil if the range is empty or passes the last sequence number.
  package init?(first: SequenceNumber, count: WireCount) {
    guard first > 0, count > 0, count <= first.distance(to: .max) else { return nil }
    self.first = first
    self.count = count
  }

  /// The sequence number after the last one.
  package var end: SequenceNumber { first.advanced(by: count) }
  package var packets: Range<SequenceNumber> { first..<end }
}

/// One piece of "be in this state" (§11.2) or "run this command" (§11.5).
package struct Reset: Equatable, Sendable {
  package var form: Form
  package var viewer: ViewerID
  package var cookie: Cookie
  package var request: UInt64
  package var viewerName: String
  package var target: Position
  /// The file that the state is from; nil if it is not from a file, or if the app takes no names.
  package var fileName: String?
  package var part: Part

  /// What the bytes of all pieces together are.
  package enum Form: Equatable, Sendable {
    case state
    /// A digest, then a delta (§11.8). Never without bytes.
    case delta
    /// A command (§11.5). `target` is then `.elsewhere`. Never without bytes.
    case command
  }

  /// What this datagram carries of the state.
  package enum Part: Equatable, Sendable {
    /// Nothing: the app returns to its initial state.
    case initial
    /// The bytes from `offset` on, out of `total`.
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
  /// How many leading octets have arrived without a hole.
  package var received: WireCount
  /// The ranges received beyond the first hole, ascending and never adjacent; nil if the app keeps
  /// none.
  package var ahead: [Range<Int>]?
  /// Once all octets have arrived, how much of the work is done; nil if the app does not say.
  package var share: Share?

  /// A fraction in ten-thousandths.
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

/// How an app answered a reset (§11.4).
package struct Outcome: Equatable, Sendable {
  package var viewer: ViewerID
  package var request: UInt64
  package var position: Position
  package var result: Result
  /// The digest of the applied state, under the request's key; nil if none was applied, or if the
  /// app does not report digests.
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
    /// The app is in the requested state.
    case applied
    /// The app refused, and stays in its state.
    case rejected(reason: String)
    /// The app takes no resets.
    case forbidden
    /// The app is busy with other viewers' resets; retry.
    case busy
    /// The app does not have the delta's base; send the whole state.
    case unavailable
    /// Applying the delta did not give the intended state; send the whole state.
    case mismatch
  }
}
