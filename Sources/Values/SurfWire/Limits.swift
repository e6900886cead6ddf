/// Every count and size that the protocol bounds (Protocol.md §13).
///
/// A test holds this table and the document's against each other, so a limit lives in both or in
/// neither.
package enum Limits {
  /// Largest UDP payload that we send or accept: an Ethernet frame's 1,500 octets less the IPv4 and
  /// UDP headers, so that no datagram is ever cut into IP fragments.
  package static let datagramSizeMax = 1_472
  /// Smallest datagram size that a sender may choose: every IPv4 link carries 576-octet packets.
  package static let datagramSizeMin = 548
  /// Octets of the common header that version 1 writes.
  package static let headerSize = 16
  /// Octets that an authentication tag takes at the end of a datagram with a key id.
  package static let tagSize = 16
  /// Largest state, payload or reset.
  package static let contentSizeMax = 64 * 1_024 * 1_024
  /// Largest record: a state and a payload of which one is small, and the record's own fields.
  package static let recordSizeMax = contentSizeMax + 1_024 * 1_024
  /// Records of one session that may be incomplete at the same time.
  package static let openRecordCountMax = 4
  package static let nameSizeMax = 4_096
  package static let sourceSizeMax = 512
  package static let reasonSizeMax = 1_024
  /// App, host and viewer names: the length of a DNS label (RFC 1035 §2.3.4), because they become
  /// one.
  package static let labelSizeMax = 63
  package static let contentTypeSizeMax = 63
  /// Payloads of which others may be made, and octets of each: one round of an app's repeated
  /// actions.
  package static let keptPayloadCountMax = 16
  package static let keptPayloadSizeMax = 65_536
  /// Ranges in one NAK: with its header they fill one datagram of the smallest size.
  package static let rangeCountMax = 40
  /// Packets that one NAK may ask for in all.
  package static let rangePacketCountMax = 4_096
  /// Ranges that wait to be sent to one late joiner: the last NAK's rest and the next.
  package static let queuedRangeCountMax = 2 * rangeCountMax
  /// Ranges that one check may be about, and packets of each: the app's reading for one answer.
  package static let checkRangeCountMax = 4
  package static let checkRangeSizeMax = 1_024
  /// Live values that an app answers for, and octets of their records (§10.10).
  package static let valueCountMax = 65_536
  package static let valueTableSizeMax = 16 * 1_024 * 1_024
  /// Datagrams that answer one request for values.
  package static let valueReplyCountMax = 32
  /// Octets of a probe, and at most of a heartbeat, so that an answer never outgrows it.
  package static let probeSize = 388
  /// Octets of a hello: more than the welcome that answers it.
  package static let helloSizeMin = 104
  /// Octets of a seek: as long as an offer, so that no answer outgrows it.
  package static let seekSize = 48
  /// Outcomes that an app remembers, to answer a repeated reset without applying it again.
  package static let rememberedOutcomeCountMax = 64
  /// Requests that an app was handed and has not decided about.
  package static let undecidedResetCountMax = 64
  /// Resets that an app receives at the same time.
  package static let openResetCountMax = 4
  /// Pieces of a reset that are sent before the first of them is known to be here, and that an app
  /// keeps beyond a hole.
  package static let aheadPieceCountMax = 32
  /// Ranges of octets that one progress may name.
  static let aheadRangeCountMax = 32

  /// Octets of unfinished data that a viewer holds over all sessions: four of the largest records.
  package static let unfinishedSizeMax = 4 * recordSizeMax
  /// The same for sessions that never answered, and may not exist: one of the largest records.
  package static let unprovenSizeMax = recordSizeMax

  /// The table under its names in Protocol.md §13.
  package static let table: [(name: String, value: Int)] = [
    ("datagram size max", datagramSizeMax), ("datagram size min", datagramSizeMin),
    ("header size", headerSize), ("tag size", tagSize),
    ("content size max", contentSizeMax), ("record size max", recordSizeMax),
    ("open record count max", openRecordCountMax), ("name size max", nameSizeMax),
    ("source size max", sourceSizeMax), ("reason size max", reasonSizeMax),
    ("label size max", labelSizeMax), ("content type size max", contentTypeSizeMax),
    ("kept payload count max", keptPayloadCountMax),
    ("kept payload size max", keptPayloadSizeMax),
    ("range count max", rangeCountMax), ("range packet count max", rangePacketCountMax),
    ("queued range count max", queuedRangeCountMax),
    ("check range count max", checkRangeCountMax), ("check range size max", checkRangeSizeMax),
    ("value count max", valueCountMax), ("value table size max", valueTableSizeMax),
    ("value reply count max", valueReplyCountMax),
    ("probe size", probeSize), ("hello size min", helloSizeMin), ("seek size", seekSize),
    ("remembered outcome count max", rememberedOutcomeCountMax),
    ("undecided reset count max", undecidedResetCountMax),
    ("open reset count max", openResetCountMax),
    ("unfinished size max", unfinishedSizeMax), ("unproven size max", unprovenSizeMax),
    ("ahead piece count max", aheadPieceCountMax), ("ahead range count max", aheadRangeCountMax),
  ]
}
