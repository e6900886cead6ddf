import JSONTree
import SurfBasics

/// A message of Historian's in a file: the envelope that MultipeerKit puts around what was sent,
/// and in it a state in base64.
///
///     {"type":"Message","payload":{"command":"record","action":"…","state":"eyJuIjoxfQ=="}}
package struct HistorianMessage: Equatable {
  /// Empty for the initial state.
  package let state: [UInt8]

  /// Nil if `bytes` are anything else, such as the state of an app.
  package init?(_ bytes: [UInt8]) {
    guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{"), let json = Self.json(bytes),
      json.object?.members.count == 2, json["type"]?.string == "Message",
      let payload = json["payload"],
      payload["command"]?.string != nil, let state = payload["state"]?.string,
      let decoded = Base64.decode(Array(state.utf8)[...], .canonical)
    else { return nil }
    self.state = decoded
  }

  private static func json(_ bytes: [UInt8]) -> JSON? {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      return nil
    }
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
