/// Every count and size that the protocol bounds (Protocol.md §13). A test compares this table with
/// the document's.
package enum Limits {
  /// Largest UDP payload to send or accept: an Ethernet frame's 1,500 octets less the IPv4 and UDP
  /// headers, so that IP never fragments a datagram.
  package static let datagramSizeMax = 1_472
  /// Smallest datagram size that a sender may choose: every IPv4 link carries 576-octet packets.
  package static let datagramSizeMin = 548
  /// Octets of the common header that version 1 writes.
  package static let headerSize = 16
  /// Octets of the authentication tag that ends a sealed datagram.
  package static let tagSize = 16
  /// Largest state, payload or reset.
  package static let contentSizeMax = 64 * 1_024 * 1_024
  /// Largest record: the content of a state and a payload together, and the record's own fields.
  package static let recordSizeMax = contentSizeMax + 1_024 * 1_024
  /// Records of one session that may be incomplete at the same time.
  package static let openRecordCountMax = 4
  package static let nameSizeMax = 4_096
  package static let sourceSizeMax = 512
  package static let reasonSizeMax = 1_024
  /// App, host and viewer names: as long as a DNS label (RFC 1035 §2.3.4), because they become one.
  package static let labelSizeMax = 63
  package static let contentTypeSizeMax = 63
  /// Payloads kept as bases for deltas, and the most octets of each: enough for one round of the
  /// actions that an app repeats.
  static let keptPayloadCountMax = 16
  package static let keptPayloadSizeMax = 65_536
  /// Ranges in one NAK: with its header, they fill a datagram of the smallest size.
  package static let rangeCountMax = 40
  /// Packets that one NAK may ask for in total.
  package static let rangePacketCountMax = 4_096
  /// Ranges queued for one late joiner: the rest of its last NAK, and the next one.
  package static let queuedRangeCountMax = 2 * rangeCountMax
  /// Ranges in one check, and packets in each: they bound what the app reads for one answer.
  package static let checkRangeCountMax = 4
  package static let checkRangeSizeMax = 1_024
  /// Live values that an app keeps, and octets of their records (§10.10).
  package static let valueCountMax = 65_536
  package static let valueTableSizeMax = 16 * 1_024 * 1_024
  /// Datagrams that answer one request for values.
  package static let valueReplyCountMax = 32
  /// Size of a probe, and the most octets of a heartbeat, so that no answer is longer than the
  /// question.
  package static let probeSize = 388
  /// Smallest hello: longer than the welcome that answers it.
  package static let helloSizeMin = 104
  /// Size of a seek: as long as an offer, so that no answer is longer.
  package static let seekSize = 48
  /// Outcomes that an app remembers, so that it answers a repeated reset without applying it again.
  package static let rememberedOutcomeCountMax = 64
  /// Requests that an app has received and not yet decided on.
  package static let undecidedResetCountMax = 64
  /// Resets that an app receives at the same time.
  package static let openResetCountMax = 4
  /// Pieces of a reset that a viewer may send before the first is acknowledged, and that an app
  /// keeps beyond a hole.
  package static let aheadPieceCountMax = 32
  /// Octet ranges that one progress message may list.
  static let aheadRangeCountMax = 32

  /// Octets of incomplete data that a viewer holds for all sessions: four of the largest records.
  package static let unfinishedSizeMax = 4 * recordSizeMax
  /// The same for sessions that never answered and may not exist: one of the largest records.
  package static let unprovenSizeMax = recordSizeMax
}
