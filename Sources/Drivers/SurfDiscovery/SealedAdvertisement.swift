/// What the TXT record of a sealed app says: where to listen, and under which key it is. Viewers
/// with the key learn the rest from the app itself.
package struct SealedAdvertisement: Hashable, Sendable {
  /// The version of the wire protocol, `v`.
  package var version: UInt8
  /// The id of the key, `key`: two hexadecimal digits.
  package var keyID: String
  /// The multicast group of the stream, `grp`: a numeric IPv4 or IPv6 address.
  package var group: String
  /// The UDP port of the stream, `port`.
  package var port: UInt16

  package init(version: UInt8, keyID: String, group: String, port: UInt16) {
    (self.version, self.keyID, self.group, self.port) = (version, keyID, group, port)
  }

  /// Viewers that look for instances ignore it: it describes none.
  package func record() throws(TXTRecordError) -> TXTRecord {
    var record = TXTRecord()
    let values = [
      ("v", String(version)), ("key", keyID), ("grp", group), ("port", String(port)),
    ]
    for (key, value) in values { try record.append(key, value) }
    return record
  }
}
