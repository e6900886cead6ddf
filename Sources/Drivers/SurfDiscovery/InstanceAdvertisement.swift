import Glibc
import SurfBasics

/// Why a TXT record does not describe an instance.
package enum InstanceAdvertisementError: Error, Equatable, Sendable {
  case record(TXTRecordError)
  case missing(key: String)
  case malformed(key: String)
}

/// The TXT record of an instance: enough for a viewer to listen to it.
package struct InstanceAdvertisement: Hashable, Sendable {
  /// The version of the wire protocol, `v`.
  package var version: UInt8
  /// The random 128-bit id of the instance, `id`: 32 hexadecimal digits.
  package var id: UInt128
  /// The name of the app, `app`.
  package var app: String
  /// The process, `pid`: above zero.
  package var process: Int32
  /// The name of the app's machine, `host`.
  package var host: String
  /// The multicast group of the stream, `grp`: a numeric IPv4 or IPv6 address.
  package var group: String
  /// The UDP port of the stream, `port`: neither zero nor the last, since probes go to the next
  /// one.
  package var port: UInt16
  /// The content type of the states, `ct`.
  package var contentType: String
  /// The group of people whose app it is, `realm`; empty for everybody.
  package var realm: String
  /// The version of StateSurf that speaks for the app, `lib`; empty if it does not say.
  package var library: String

  /// Long text is clipped in `record()`, not here.
  package init(
    version: UInt8, id: UInt128, app: String, process: Int32, host: String, group: String,
    port: UInt16, contentType: String, realm: String = "", library: String = ""
  ) {
    self.version = version
    self.id = id
    self.app = app
    self.process = process
    self.host = host
    self.group = group
    self.port = port
    self.contentType = contentType
    self.realm = realm
    self.library = library
  }

  /// The record of this instance. Text that is too long for an entry is clipped between characters.
  package func record() throws(TXTRecordError) -> TXTRecord {
    var values = [
      ("v", String(version)), ("id", id.digits(32, radix: 16)),
      ("app", app), ("pid", String(process)), ("host", host), ("grp", group),
      ("port", String(port)), ("ct", contentType),
    ]
    for (key, value) in [("realm", realm), ("lib", library)] where !value.isEmpty {
      values.append((key, value))
    }
    var record = TXTRecord()
    for (key, value) in values {
      let room = TXTRecord.entryByteCountMax - key.utf8.count - 1
      try record.append(key, value.prefix(byteCountMax: room))
    }
    return record
  }

  /// Reads a record. Ignores unknown keys.
  package init(_ record: TXTRecord) throws(InstanceAdvertisementError) {
    version = UInt8(try Self.number("v", in: record, 0...Int(UInt8.max)))
    id = try Self.identifier("id", in: record)
    app = try Self.text("app", in: record)
    process = Int32(try Self.number("pid", in: record, 1...Int(Int32.max)))
    host = try Self.text("host", in: record)
    group = try Self.address("grp", in: record)
    port = UInt16(try Self.number("port", in: record, 1...Int(UInt16.max - 1)))
    contentType = try Self.text("ct", in: record)
    realm = try Self.textIfAny("realm", in: record)
    library = try Self.textIfAny("lib", in: record)
  }

  /// Reads the bytes of a record from the network.
  package init(decoding bytes: [UInt8]) throws(InstanceAdvertisementError) {
    let record: TXTRecord
    do {
      record = try TXTRecord(decoding: bytes)
    } catch {
      throw .record(error)
    }
    try self.init(record)
  }
}

extension InstanceAdvertisement {
  private typealias Failure = InstanceAdvertisementError

  private static func text(_ key: String, in record: TXTRecord) throws(Failure) -> String {
    guard record.entries.contains(where: { $0.key.lowercased() == key }) else {
      throw .missing(key: key)
    }
    guard let text = record[key] else { throw .malformed(key: key) }
    return text
  }

  /// Empty if the key is missing.
  private static func textIfAny(_ key: String, in record: TXTRecord) throws(Failure) -> String {
    do throws(Failure) {
      return try text(key, in: record)
    } catch .missing {
      return ""
    }
  }

  /// A decimal number without sign or leading zeros, so that each value has one spelling.
  private static func number(
    _ key: String, in record: TXTRecord, _ range: ClosedRange<Int>
  ) throws(Failure) -> Int {
    let text = try text(key, in: record)
    guard let number = Int(text), range ~= number, String(number) == text else {
      throw .malformed(key: key)
    }
    return number
  }

  private static func identifier(_ key: String, in record: TXTRecord) throws(Failure) -> UInt128 {
    let text = try text(key, in: record)
    guard text.utf8.count == 32, text.utf8.first != UInt8(ascii: "+"),
      let identifier = UInt128(text, radix: 16)
    else { throw .malformed(key: key) }
    return identifier
  }

  private static func address(_ key: String, in record: TXTRecord) throws(Failure) -> String {
    let text = try text(key, in: record)
    var address = in6_addr()
    // C ends a string at its first zero, and would ignore the rest.
    guard !text.utf8.contains(0),
      inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1
    else { throw .malformed(key: key) }
    return text
  }
}

extension String {
  /// The longest prefix of at most `byteCountMax` UTF-8 bytes that ends between two characters.
  ///
  /// A single character may exceed the limit (a letter under a hundred combining marks). The cut is
  /// then between two Unicode scalars, which is better than an empty string.
  package func prefix(byteCountMax: Int) -> String {
    let clipped = clipped(toUTF8: byteCountMax)
    guard clipped.isEmpty else { return clipped }
    var byteCount = 0
    let scalars = unicodeScalars.prefix { scalar in
      byteCount += UTF8.width(scalar)
      return byteCount <= byteCountMax
    }
    return String(scalars)
  }
}
