import JSONTree
import SurfViewer
import SurfWire

/// What came with a record, as JSON where it can be.
enum PayloadJSON {
  case json(JSON)
  /// Bytes that are not JSON, such as another program's.
  case other(Content)

  /// Nil if nothing came.
  init?(_ payload: Content?) {
    guard let payload else { return nil }
    do throws(JSONError) {
      self = .json(try JSON(parsing: payload.bytes))
    } catch {
      self = .other(payload)
    }
  }

  /// On one line.
  var text: String {
    switch self {
    case .json(let json): json.text(.compact, sortedKeys: true)
    case .other(let content) where content.type.hasPrefix("text/"):
      String(decoding: content.bytes, as: UTF8.self)
    case .other(let content): "(\(byteText(content.bytes.count)) of \(content.type))"
    }
  }

  var json: JSON {
    if case .json(let json) = self { json } else { .string(text) }
  }
}
