import JSONTree
import SurfWire

extension Content {
  /// The content as a tree to show: JSON, or its text if it is nested too deeply; other text as an
  /// array of lines; other bytes as their number.
  package var tree: JSON {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return .string("\(byteText(bytes.count)) of \(type), neither JSON nor text")
      }
      // It is JSON apart from its depth.
      if error.reason == .tooDeep {
        return .array([.string("as text: \(error.reason)"), .string(text)])
      }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.count == 1 ? .string(text) : .array(lines.map { .string(String($0)) })
    }
  }

  /// A state that a person supplies. Its type follows from its bytes. Nil for no bytes, which means
  /// the initial state.
  package init?(state bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    let isJSON = JSON(ifValid: bytes) != nil
    self.init(type: isJSON ? "application/json" : "application/octet-stream", bytes: bytes)
  }
}
