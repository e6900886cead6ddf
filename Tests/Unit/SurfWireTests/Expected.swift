import SurfWire
import TestSupport

/// The content of a vector.
enum Expected: Equatable, Sendable {
  case datagram(Datagram)
  case frames([Frame])
  case record(Record)
  case delta(Delta)

  var encoded: [UInt8] {
    switch self {
    case .datagram(let datagram): datagram.encoded()
    case .frames(let frames): frames.encoded
    case .record(let record): record.encoded()
    case .delta(let delta): delta.encoded()
    }
  }

  /// Reads bytes as the same sort of thing.
  func decode(_ bytes: [UInt8]) throws -> Expected {
    switch self {
    case .datagram: .datagram(try Datagram(decoding: bytes))
    case .frames: .frames(try Frame.decode(bytes))
    case .record: .record(try Record(decoding: bytes))
    case .delta:
      .delta(try Delta(decoding: bytes, sizeMax: Limits.contentSizeMax))
    }
  }
}

extension Frame {
  /// Copies all frames out of a body.
  static func decode(_ body: [UInt8]) throws -> [Frame] {
    try body.withUnsafeBytes { bytes in
      var reader = FrameReader(bytes)
      var frames: [Frame] = []
      while let frame = try reader.next() { frames.append(try Frame(copying: frame)) }
      return frames
    }
  }

  private init(copying view: FrameView) throws {
    switch view.kind {
    case .record: self = .record([UInt8](view.body))
    case .fragment:
      let piece = try FragmentView(decoding: view.body)
      self = .fragment(
        Fragment(
          record: piece.record, total: piece.total, offset: piece.offset,
          bytes: [UInt8](piece.bytes)))
    case .restored: self = .restored(try Restored(decoding: view.body))
    }
  }
}

extension [Frame] {
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    for frame in self { frame.append(to: &bytes) }
    return bytes
  }
}

/// The value of every vector that is not refused, by name.
let expected: [String: Expected] =
  expectedDatagrams.mapValues { .datagram($0) }
  .merging(expectedFrames.mapValues { .frames($0) }) { first, _ in first }
  .merging(expectedRecords.mapValues { .record($0) }) { first, _ in first }
  .merging(expectedSession.mapValues { .datagram($0) }) { first, _ in first }
  .merging(expectedDeltas.mapValues { .delta($0.delta) }) { first, _ in first }

/// The cast of the vectors.
enum Sample {
  static let session = SessionID(rawValue: 0x1122_3344_5566_7788)
  static let viewer = ViewerID(rawValue: 0xA1A2_A3A4_A5A6_A7A8)
  static let cookie = Cookie(rawValue: 0xC0C1_C2C3_C4C5_C6C7)
  static let request: UInt64 = 0xF1F2_F3F4_F5F6_F7F8
  static let instance = InstanceID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
  static let wallTime: Int64 = 1_700_000_000_000_000_000
  static let json = "application/json"

  static let progress = StreamProgress(
    newestPacket: 12, oldestPacket: 3, newestRecord: 9, newestRecordPacket: 11,
    newestStatePacket: 11, newestStatePacketCount: 2)

  static let heartbeat = Heartbeat(
    instance: instance, app: "Counter", host: "bench", processID: 4242, contentType: json,
    acceptsResets: true, datagramSize: 1472, uptime: 1_500_000_000, progress: progress,
    position: .record(9), givenUp: Heartbeat.GivenUp(states: 17, records: 2),
    stamp: PositionStamp(newestRecord: 10, moveCount: 3))

  static func json(_ text: String) -> Content { Content(type: json, bytes: Array(text.utf8)) }

  static func datagram(_ body: Datagram.Body) -> Datagram {
    Datagram(session: session, body: body)
  }

  static func data(
    _ sequence: SequenceNumber, oldest: SequenceNumber, _ flags: DatagramFlags = [],
    _ frames: [Frame] = []
  ) -> Datagram {
    datagram(
      .data(
        DataPacket(
          sequence: sequence, oldestPacket: oldest, flags: flags, frames: frames.encoded)))
  }

  static func nak(_ ranges: [(UInt64, UInt32)], isHistory: Bool = false) -> Datagram {
    let ranges = ranges.map { PacketRange(first: SequenceNumber($0.0), count: WireCount($0.1))! }
    return datagram(
      .nak(NAK(viewer: viewer, cookie: cookie, isHistory: isHistory, ranges: ranges)))
  }

  static func hello(since: SequenceNumber, name: String = "ada@desk") -> Datagram {
    datagram(.hello(Hello(viewer: viewer, viewerName: name, since: since)))
  }

  static func welcome(
    _ progress: StreamProgress, wanted: SequenceNumber, since: SequenceNumber,
    packet: SequenceNumber
  ) -> Datagram {
    datagram(
      .welcome(
        Welcome(
          viewer: viewer, cookie: cookie, progress: progress, wanted: wanted, since: since,
          sincePacket: packet)))
  }

  static func reset(
    _ target: Position, _ part: Reset.Part, name: String = "ada@desk", form: Reset.Form = .state,
    fileName: String? = nil
  ) -> Datagram {
    var reset = Reset(
      viewer: viewer, cookie: cookie, request: request, viewerName: name, target: target,
      part: part, form: form)
    reset.fileName = fileName
    return datagram(.reset(reset))
  }

  /// A digest, and the delta of a state from that of record 7.
  static func delta(_ target: Position, digest: UInt64, _ delta: Delta) -> Datagram {
    var bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: digest >> (8 * $0)) }
    bytes += delta.encoded()
    let part = Reset.Part.bytes(
      contentType: json, total: WireCount(bytes.count), offset: 0, bytes)
    return reset(target, part, form: .delta)
  }

  static func command(_ text: String) -> Datagram {
    let part = bytes(WireCount(text.utf8.count), 0, text)
    return datagram(
      .reset(
        Reset(
          viewer: viewer, cookie: cookie, request: request, viewerName: "ada@desk",
          target: .elsewhere, part: part, form: .command)))
  }

  static let key = DigestKey(first: 0xD0D1_D2D3_D4D5_D6D7, second: 0xE0E1_E2E3_E4E5_E6E7)

  static func check(_ ranges: [(UInt64, UInt32)]) -> Datagram {
    let ranges = ranges.map { PacketRange(first: SequenceNumber($0.0), count: WireCount($0.1))! }
    return datagram(.check(Check(viewer: viewer, cookie: cookie, key: key, ranges: ranges)))
  }

  static func valueRequest(
    after: SequenceNumber, through: SequenceNumber, offset: WireCount
  ) -> Datagram {
    datagram(
      .valueRequest(
        ValueRequest(
          viewer: viewer, cookie: cookie, after: after, through: through, offset: offset)))
  }

  static let speed = Record(
    sequence: 9, kind: .update, wallTime: wallTime, uptime: 1_500_000_000, name: "speed",
    payload: Content(type: json, bytes: Array("3".utf8)))

  static func proof(_ digests: [UInt64?]) -> Datagram {
    let digests = digests.map { $0.flatMap(Digest.init) }
    return datagram(.proof(Proof(viewer: viewer, key: key.first, digests: digests)))
  }

  static func bytes(_ total: WireCount, _ offset: WireCount, _ text: String) -> Reset.Part {
    .bytes(contentType: json, total: total, offset: offset, Array(text.utf8))
  }

  static func resetProgress(
    _ received: WireCount, ahead: [Range<Int>]? = [], share: ResetProgress.Share? = nil
  ) -> Datagram {
    datagram(
      .resetProgress(
        ResetProgress(
          viewer: viewer, request: request, received: received, ahead: ahead, share: share)))
  }

  static func outcome(
    _ position: Position, _ result: Outcome.Result, digest: Content? = nil
  ) -> Datagram {
    let key = DigestKey(viewer: viewer, request: request)
    return datagram(
      .outcome(
        Outcome(
          viewer: viewer, request: request, position: position, result: result,
          digest: digest.map { Digest(of: $0, key: key) })))
  }

  static func restored(
    _ position: Position, newest: SequenceNumber, moves: WireCount = 4, _ outcome: Outcome.Result,
    name: String = "ada@desk"
  ) -> Frame {
    .restored(
      Restored(
        request: request, viewer: viewer, viewerName: name, position: position,
        newestRecord: newest, moveCount: moves, outcome: outcome))
  }
}
