import JSONTree
import SurfWire

extension Content {
  /// As a tree for a person: JSON as it is, or as text where it is too deep; text as its lines; and
  /// of other bytes how many there are.
  package var tree: JSON {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return .string("\(byteText(bytes.count)) of \(type), neither JSON nor text")
      }
      // It would be a tree, but for this.
      if error.reason == .tooDeep {
        return .array([.string("as text: \(error.reason)"), .string(text)])
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.count == 1 ? .string(text) : .array(lines.map { .string(String($0)) })
    }
  }
}

extension Content {
  /// A state that a person gives, of a type that its bytes tell; nil for none, which means the
  /// initial state.
  package init?(state bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    let isJSON = JSON(ifValid: bytes) != nil
    self.init(type: isJSON ? "application/json" : "application/octet-stream", bytes: bytes)
  }
}
