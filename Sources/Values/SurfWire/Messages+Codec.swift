// The bytes of the types in `Messages.swift`: Protocol.md §§7, 11.3 and 11.4. Resets, repairs among
// viewers and live values have theirs in files of their own.

/// Encodes and decodes one kind of datagram body.
protocol WireBody {
  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError)
  func encode(into writer: inout ByteWriter)
  var flags: DatagramFlags { get }
}

extension WireBody {
  var flags: DatagramFlags { [] }
}

extension Heartbeat: WireBody {
  private static let acceptsResetsBit: UInt16 = 1

  func encode(into writer: inout ByteWriter) {
    writer.progress(progress)
    writer.integer(position.wire)
    writer.integer(uptime)
    writer.integer(instance.high)
    writer.integer(instance.low)
    writer.integer(processID)
    writer.integer((acceptsResets ? Self.acceptsResetsBit : 0) | control.rawValue)
    writer.integer(datagramSize)
    writer.count(givenUp.states, as: UInt64.self)
    writer.count(givenUp.records, as: UInt64.self)
    writer.integer(stamp.newestRecord)
    writer.count(stamp.moveCount, as: UInt64.self)
    writer.text(app, length: UInt8.self, max: Limits.labelSizeMax)
    writer.text(host, length: UInt8.self, max: Limits.labelSizeMax)
    writer.text(contentType, length: UInt8.self, max: Limits.contentTypeSizeMax)
    for label in lastLabels(room: Limits.probeSize - writer.count) {
      writer.text(label, length: UInt8.self, max: Limits.labelSizeMax)
    }
  }

  /// The realm and the introduction (§7.2), up to the last one that is not empty. It also ends
  /// before the first that would make the heartbeat longer than a probe.
  private func lastLabels(room: Int) -> [String] {
    let said = [introduction.version, introduction.identifier, introduction.system]
    var labels = [realm?.name ?? ""] + said + [introduction.machine, introduction.library]
    var size = 0
    let fitting = labels.prefix { label in
      size += 1 + min(label.utf8.count, Limits.labelSizeMax)
      return size <= room
    }
    labels = Array(fitting)
    while labels.last == "" { labels.removeLast() }
    return labels
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    progress = try reader.progress()
    position = Position(wire: try reader.sequence("position"))
    uptime = try reader.integer("uptime")
    instance = InstanceID(
      high: try reader.integer("instance id"), low: try reader.integer("instance id"))
    processID = try reader.integer("process id")
    let bits = try reader.integer("heartbeat flags", as: UInt16.self)
    acceptsResets = bits & Self.acceptsResetsBit != 0
    control = Control(rawValue: bits).intersection(.known)
    datagramSize = try reader.integer("datagram size")
    givenUp = GivenUp(
      states: try reader.count("states given up", as: UInt64.self),
      records: try reader.count("records given up", as: UInt64.self))
    stamp = PositionStamp(
      newestRecord: try reader.sequence("records made"),
      moveCount: try reader.count("moves", as: UInt64.self))
    guard stamp.newestRecord < .max else { throw .invalid(field: "records made") }
    app = try reader.text("app", length: UInt8.self, max: Limits.labelSizeMax)
    host = try reader.text("host", length: UInt8.self, max: Limits.labelSizeMax)
    contentType = try reader.text(
      "content type", length: UInt8.self, max: Limits.contentTypeSizeMax)
    realm = try reader.realm()
    introduction = Introduction(
      version: try reader.lastLabel("version"), identifier: try reader.lastLabel("identifier"),
      system: try reader.lastLabel("system"), machine: try reader.lastLabel("machine"),
      library: try reader.lastLabel("library"))
  }
}

extension ByteReader {
  /// Empty if an older sender ended before this field (Protocol.md §16).
  fileprivate mutating func lastLabel(_ field: String) throws(WireError) -> String {
    isEmpty ? "" : try text(field, length: UInt8.self, max: Limits.labelSizeMax)
  }

  fileprivate mutating func realm() throws(WireError) -> Realm? {
    let name = try lastLabel("realm")
    guard !name.isEmpty else { return nil }
    do throws(RealmError) {
      return try Realm(name)
    } catch {
      throw .invalid(field: "realm")
    }
  }
}

extension Goodbye: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(newestPacket)
    writer.integer(newestRecord)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    newestPacket = try reader.sequence("newest packet")
    newestRecord = try reader.sequence("newest record")
    guard newestPacket < .max, newestRecord < .max else { throw .invalid(field: "goodbye") }
  }
}

extension Probe: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.pad(to: Limits.probeSize)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    // Protocol.md §7.4: the answer to a short probe would be longer than the probe.
    let padding = Limits.probeSize - Limits.headerSize - 8
    try reader.skip(padding, "probe padding")
  }
}

extension Hello: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(since)
    writer.text(viewerName, length: UInt8.self, max: Limits.labelSizeMax)
    writer.pad(to: Limits.helloSizeMin)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    try reader.require(Limits.helloSizeMin - Limits.headerSize, "hello padding")
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    since = try reader.sequence("since")
    viewerName = try reader.text("viewer name", length: UInt8.self, max: Limits.labelSizeMax)
  }
}

extension Welcome: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(cookie.rawValue)
    writer.progress(progress)
    writer.integer(wanted)
    writer.integer(since)
    writer.integer(sincePacket)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    cookie = Cookie(rawValue: try reader.integer("cookie"))
    progress = try reader.progress()
    wanted = try reader.sequence("wanted")
    since = try reader.sequence("since")
    sincePacket = try reader.sequence("since packet")
  }
}

extension NAK: WireBody {
  var flags: DatagramFlags { isHistory ? .history : [] }

  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(cookie.rawValue)
    writer.integer(UInt16(ranges.count))
    for range in ranges {
      writer.integer(range.first)
      writer.count(range.count, as: UInt32.self)
    }
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    cookie = Cookie(rawValue: try reader.integer("cookie"))
    isHistory = flags.contains(.history)
    let count = try reader.count("range count", as: UInt16.self, max: Limits.rangeCountMax)
    ranges = []
    for _ in 0..<count { ranges.append(try reader.packetRange()) }
    try ranges.map(\.count).sum.check("range", limit: WireCount(Limits.rangePacketCountMax))
  }
}

extension ByteReader {
  mutating func packetRange() throws(WireError) -> PacketRange {
    let first = try sequence("range first")
    let count = try count("range length", as: UInt32.self)
    guard let range = PacketRange(first: first, count: count) else {
      throw .invalid(field: "range")
    }
    return range
  }
}

extension WindowUpdate: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(cookie.rawValue)
    writer.integer(newestPacket)
    writer.count(window, as: UInt32.self)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    cookie = Cookie(rawValue: try reader.integer("cookie"))
    newestPacket = try reader.sequence("newest packet")
    window = try reader.count("window", as: UInt32.self)
    guard newestPacket < .max else { throw .invalid(field: "newest packet") }
  }
}

extension ResetProgress: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(request)
    writer.count(received, as: UInt32.self)
    guard let ahead else { return }
    writer.integer(UInt8(ahead.count))
    for range in ahead {
      writer.integer(UInt32(range.lowerBound))
      writer.integer(UInt32(range.count))
    }
    if let share { writer.integer(share.rawValue) }
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    request = try reader.integer("request")
    received = try reader.count("received", as: UInt32.self)
    // Protocol.md §16: an older sender ends before this field.
    ahead = reader.isEmpty ? nil : try Self.ranges(from: &reader, beyond: received)
    share = reader.isEmpty ? nil : Share(rawValue: try reader.integer("share"))
    if let share, share.rawValue > Share.whole { throw .invalid(field: "share") }
  }

  private static func ranges(
    from reader: inout ByteReader, beyond received: WireCount
  ) throws(WireError) -> [Range<Int>] {
    let count = try reader.count("range count", as: UInt8.self, max: Limits.aheadRangeCountMax)
    var ranges: [Range<Int>] = []
    let limit = Limits.contentSizeMax
    var end = received
    for _ in 0..<count {
      let first = try reader.count("range", as: UInt32.self)
      let length = try reader.count("range length", as: UInt32.self)
      guard first > end, !length.isZero else { throw .invalid(field: "range") }
      end = first.adding(length)
      try end.check("range", limit: WireCount(limit))
      ranges.append(first.clamped(to: limit)..<end.clamped(to: limit))
    }
    return ranges
  }
}

extension Outcome: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(request)
    writer.integer(position.wire)
    result.encode(into: &writer)
    if result == .applied, let digest { writer.integer(digest.rawValue) }
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    request = try reader.integer("request")
    position = Position(wire: try reader.sequence("position"))
    result = try Result(from: &reader)
    // Protocol.md §16: an older sender ends before this field.
    digest = result == .applied && !reader.isEmpty ? try Digest(from: &reader) : nil
  }
}

extension Outcome.Result {
  // Part of the wire format: append only.
  private var code: UInt8 {
    switch self {
    case .applied: 0
    case .rejected: 1
    case .forbidden: 2
    case .busy: 3
    case .unavailable: 4
    case .mismatch: 5
    }
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(code)
    let reason = if case .rejected(let reason) = self { reason } else { "" }
    writer.text(reason, length: UInt16.self, max: Limits.reasonSizeMax)
  }

  init(from reader: inout ByteReader) throws(WireError) {
    let code = try reader.integer("outcome", as: UInt8.self)
    let reason = try reader.text("reason", length: UInt16.self, max: Limits.reasonSizeMax)
    switch code {
    case 0: self = .applied
    case 1: self = .rejected(reason: reason)
    case 2: self = .forbidden
    case 3: self = .busy
    case 4: self = .unavailable
    case 5: self = .mismatch
    default: throw .invalid(field: "outcome")
    }
  }
}

// Protocol.md §7.2: heartbeats and welcomes contain the same six numbers, in this order.
extension ByteWriter {
  fileprivate mutating func progress(_ progress: StreamProgress) {
    integer(progress.newestPacket)
    integer(progress.oldestPacket)
    integer(progress.newestRecord)
    integer(progress.newestRecordPacket)
    integer(progress.newestStatePacket)
    count(progress.newestStatePacketCount, as: UInt32.self)
  }
}

extension ByteReader {
  fileprivate mutating func progress() throws(WireError) -> StreamProgress {
    let progress = StreamProgress(
      newestPacket: try sequence("newest packet"), oldestPacket: try sequence("oldest packet"),
      newestRecord: try sequence("newest record"),
      newestRecordPacket: try sequence("newest record packet"),
      newestStatePacket: try sequence("newest state packet"),
      newestStatePacketCount: try count("newest state packet count", as: UInt32.self))
    guard progress.isConsistent else { throw .invalid(field: "stream progress") }
    return progress
  }
}

extension StreamProgress {
  /// Whether a sender could truthfully report these values (Protocol.md §7.2).
  fileprivate var isConsistent: Bool {
    newestPacket < .max && newestRecord < .max
      && oldestPacket > 0 && oldestPacket <= newestPacket.next
      && newestRecordPacket <= newestPacket && newestStatePacket <= newestPacket
      && (newestRecord == 0) == (newestRecordPacket == 0)
      && newestStatePacketCount <= newestStatePacket.distance(to: newestPacket.next)
      && newestStatePacketCount.isZero == (newestStatePacket == 0)
  }
}
