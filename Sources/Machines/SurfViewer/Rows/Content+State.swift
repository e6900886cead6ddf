import JSONTree
import SurfWire

extension Content {
  /// A state that a person gives, of a type that its bytes tell; nil for none, which means the
  /// initial state.
  package init?(state bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    let isJSON = JSON(ifValid: bytes) != nil
    self.init(type: isJSON ? "application/json" : "application/octet-stream", bytes: bytes)
  }
}
