/// Why bytes are not a TXT record, or an entry does not fit.
package enum TXTRecordError: Error, Equatable, Sendable {
  /// A length byte exceeds the rest of the record.
  case truncated(needed: Int, available: Int)
  /// The whole record would exceed `TXTRecord.byteCountMax`.
  case recordTooLong(byteCount: Int)
  /// `key=value` would exceed `TXTRecord.entryByteCountMax`.
  case entryTooLong(key: String, byteCount: Int)
  /// A key is one or more printable ASCII characters other than "=" (RFC 6763 §6.4).
  case invalidKey(String)
}

/// The `key=value` strings of a DNS-SD service, in order (RFC 6763 §6).
package struct TXTRecord: Hashable, Sendable {
  /// A record should fit one Ethernet frame with its headers (RFC 6763 §6.2).
  package static let byteCountMax = 1300
  /// Each entry has one length byte (RFC 6763 §6.1).
  static let entryByteCountMax = 255

  /// A key and its value; `nil` for a key without "=".
  package struct Entry: Hashable, Sendable {
    package let key: String
    package let value: [UInt8]?

    package init(key: String, value: [UInt8]?) {
      self.key = key
      self.value = value
    }

    var bytes: [UInt8] { Array(key.utf8) + (value.map { [TXTRecord.equals] + $0 } ?? []) }
  }

  package private(set) var entries: [Entry] = []

  package init() {}

  /// The value of `key`, ignoring case, if it is valid UTF-8.
  package subscript(_ key: String) -> String? {
    guard let bytes = entry(key)?.value else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The values that are valid UTF-8, by key, of a service that is not an app's. For those, see
  /// `InstanceAdvertisement`.
  package var texts: [String: String] {
    var texts: [String: String] = [:]
    for entry in entries { texts[entry.key] = self[entry.key] }
    return texts
  }

  /// Adds an entry. Does nothing if the key exists: the first one wins.
  package mutating func append(_ key: String, _ value: String) throws(TXTRecordError) {
    try append(Entry(key: key, value: Array(value.utf8)))
  }

  /// Adds an entry. Does nothing if the key exists: the first one wins.
  package mutating func append(_ entry: Entry) throws(TXTRecordError) {
    guard Self.isKey(entry.key.utf8) else { throw .invalidKey(entry.key) }
    let size = entry.bytes.count
    guard size <= Self.entryByteCountMax else {
      throw .entryTooLong(key: entry.key, byteCount: size)
    }
    let total = entries.reduce(size + 1) { $0 + $1.bytes.count + 1 }
    guard total <= Self.byteCountMax else { throw .recordTooLong(byteCount: total) }
    if self.entry(entry.key) == nil { entries.append(entry) }
  }

  private func entry(_ key: String) -> Entry? {
    entries.first { $0.key.lowercased() == key.lowercased() }
  }

  static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != equals }
  }

  static let equals = UInt8(ascii: "=")
}

// The bytes on the wire.
extension TXTRecord {
  /// The record as DNS carries it: a single zero byte if empty (RFC 6763 §6.1).
  package var encoded: [UInt8] {
    entries.isEmpty ? [0] : entries.flatMap { [UInt8($0.bytes.count)] + $0.bytes }
  }

  /// Reads a record. Ignores entries with an invalid key, and all but the first with the same key,
  /// as RFC 6763 §6.4 requires.
  package init(decoding bytes: [UInt8]) throws(TXTRecordError) {
    guard bytes.count <= Self.byteCountMax else { throw .recordTooLong(byteCount: bytes.count) }
    var rest = bytes[...]
    while let size = rest.popFirst().map(Int.init) {
      guard size <= rest.count else { throw .truncated(needed: size, available: rest.count) }
      if let entry = Self.entry(rest.prefix(size)) { try append(entry) }
      rest = rest.dropFirst(size)
    }
  }

  private static func entry(_ bytes: ArraySlice<UInt8>) -> Entry? {
    let parts = bytes.split(separator: equals, maxSplits: 1, omittingEmptySubsequences: false)
    guard let key = parts.first, isKey(key) else { return nil }
    let value = parts.count == 2 ? Array(parts[1]) : nil
    return Entry(key: String(decoding: key, as: UTF8.self), value: value)
  }
}
