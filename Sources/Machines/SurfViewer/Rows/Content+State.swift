import JSONTree
import SurfWire

extension Content {
  /// A state that a person gives, of a type that its bytes tell; nil for none, which means the
  /// initial state.
  package init?(state bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    self.init(
      type: Self.isJSON(bytes) ? "application/json" : "application/octet-stream", bytes: bytes)
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    do throws(JSONError) {
      _ = try JSON(parsing: bytes)
      return true
    } catch {
      return false
    }
  }
}
