import SurfDiscovery
import Testing

struct InstanceAdvertisementTests {
  static let keys = ["v", "id", "app", "pid", "host", "grp", "port", "ct"]

  /// The sample's record with one value replaced, or left out.
  func record(_ changed: String, _ value: String?) throws -> TXTRecord {
    var record = TXTRecord()
    for entry in try InstanceAdvertisement.sample.record().entries {
      if entry.key != changed {
        try record.append(entry)
      } else if let value {
        try record.append(changed, value)
      }
    }
    return record
  }

  @Test func aRecordSaysWhatAViewerNeeds() throws {
    let entries = try InstanceAdvertisement.sample.record().entries
    let lines = entries.map { "\($0.key)=\(String(decoding: $0.value ?? [], as: UTF8.self))" }
    #expect(
      lines == [
        "v=1", "id=0000000000000000000000000000abcd", "app=Todo", "pid=42", "host=desk",
        "grp=239.255.7.7", "port=7070", "ct=application/json",
      ])
  }

  @Test func itReadsItsOwnRecord() throws {
    let bytes = try InstanceAdvertisement.sample.record().encoded
    #expect(try InstanceAdvertisement(decoding: bytes) == .sample)
  }

  @Test(arguments: ["", "1.0.0-beta.1"])
  func `a record has a realm and the library's version where there is one`(text: String) throws {
    for (key, field) in [("realm", \InstanceAdvertisement.realm), ("lib", \.library)] {
      var advertisement = InstanceAdvertisement.sample
      advertisement[keyPath: field] = text
      let record = try advertisement.record()
      #expect(record[key] == (text.isEmpty ? nil : text))
      #expect(try InstanceAdvertisement(decoding: record.encoded) == advertisement)
    }
  }

  @Test func `an empty realm is none, and one that is no text is malformed`() throws {
    var record = try InstanceAdvertisement.sample.record()
    try record.append("realm", "")
    #expect(try InstanceAdvertisement(record) == .sample)
    record = try InstanceAdvertisement.sample.record()
    try record.append(TXTRecord.Entry(key: "realm", value: [0xFF]))
    #expect(throws: InstanceAdvertisementError.malformed(key: "realm")) {
      try InstanceAdvertisement(record)
    }
  }

  @Test func unknownKeysAreIgnored() throws {
    var record = try InstanceAdvertisement.sample.record()
    try record.append("later", "1")
    #expect(try InstanceAdvertisement(record) == .sample)
  }

  @Test(arguments: keys)
  func aMissingKeyIsNamed(_ key: String) throws {
    let record = try record(key, nil)
    #expect(throws: InstanceAdvertisementError.missing(key: key)) {
      try InstanceAdvertisement(record)
    }
  }

  @Test(arguments: [
    ("v", "256"), ("v", ""), ("v", "+1"), ("v", "01"), ("id", "abcd"),
    ("id", "+000000000000000000000000000abcd"), ("id", "-000000000000000000000000000abcd"),
    ("id", "g0000000000000000000000000000abc"), ("pid", "0"), ("pid", "-1"),
    ("pid", "2147483648"), ("port", "0"), ("port", "65535"), ("port", "65536"), ("port", "7070 "),
    ("grp", "desk.local"), ("grp", "239.255.7"), ("grp", "239.255.7.7\0x"),
  ])
  func aMalformedValueIsNamed(_ key: String, _ value: String) throws {
    let record = try record(key, value)
    #expect(throws: InstanceAdvertisementError.malformed(key: key)) {
      try InstanceAdvertisement(record)
    }
  }

  @Test func aTruncatedRecordIsRefused() throws {
    let bytes = try InstanceAdvertisement.sample.record().encoded
    for size in 0..<bytes.count {
      #expect(throws: InstanceAdvertisementError.self) {
        try InstanceAdvertisement(decoding: Array(bytes.prefix(size)))
      }
    }
  }

  @Test func everyLongTextIsCutAndStillFits() throws {
    let family = String(repeating: "👩‍👩‍👧‍👦", count: 100)
    var advertisement = InstanceAdvertisement.sample
    advertisement.app = family
    advertisement.host = family
    advertisement.contentType = family
    let read = try InstanceAdvertisement(decoding: advertisement.record().encoded)
    #expect(read.app == String(repeating: "👩‍👩‍👧‍👦", count: 10))
    #expect(read.contentType == read.app)
  }
}
