import SurfDiscovery
import Testing

@Suite struct SealedAdvertisementTests {
  private static let sample = SealedAdvertisement(
    version: 1, keyID: "9d", group: "239.255.7.7", port: 7_070)

  @Test func `its record says where to listen, and under which key`() throws {
    let entries = try Self.sample.record().entries
    let lines = entries.map { "\($0.key)=\(String(decoding: $0.value ?? [], as: UTF8.self))" }
    #expect(lines == ["v=1", "key=9d", "grp=239.255.7.7", "port=7070"])
  }

  @Test func `it describes no instance`() throws {
    let bytes = try Self.sample.record().encoded
    #expect(throws: InstanceAdvertisementError.missing(key: "id")) {
      try InstanceAdvertisement(decoding: bytes)
    }
  }
}
