import CDNSSD
import SurfDiscovery

/// A relay as other programs have them: what it says of itself changes while it is registered,
/// which none of ours does.
struct ChangingRelay {
  private let reference: DNSServiceRef

  init?(name: String, port: UInt16, type: String, says text: String) {
    var reference: DNSServiceRef?
    let record = Self.record(text)
    let code = DNSServiceRegister(
      &reference, 0, 0, name, type, nil, nil, port.bigEndian, UInt16(record.count), record, nil,
      nil)
    guard code == 0, let reference else { return nil }
    self.reference = reference
  }

  /// Whether the daemon took it.
  func say(_ text: String) -> Bool {
    let record = Self.record(text)
    return DNSServiceUpdateRecord(reference, nil, 0, UInt16(record.count), record, 0) == 0
  }

  private static func record(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }
}
