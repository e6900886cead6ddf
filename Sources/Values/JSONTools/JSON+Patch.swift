import JSONTree

extension JSON {
  /// The changes of `JSON.diff`, in its order, as a JSON Patch (RFC 6902).
  package static func patch(_ changes: [Change]) -> JSON {
    .array(
      changes.map {
        switch $0 {
        case .added(let path, let value): edit("add", path, value)
        case .removed(let path, _): edit("remove", path)
        case .changed(let path, _, let new): edit("replace", path, new)
        }
      })
  }

  private static func edit(_ name: String, _ path: JSONPath, _ value: JSON? = nil) -> JSON {
    var object: JSONObject = ["op": .string(name), "path": .string(path.pointer.description)]
    object["value"] = value
    return .object(object)
  }
}
