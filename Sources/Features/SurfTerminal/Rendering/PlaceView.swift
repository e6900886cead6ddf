import JSONTools
import JSONTree
import SurfBasics

/// Looks up a path that the user named in a state or payload.
enum PlaceView {
  /// - Parameter owner: what the JSON is, for the error, such as "the newest state".
  static func value(at path: JSONPath, in json: JSON, of owner: String) throws(Failure) -> JSON {
    if let value = json[path.pointer] { return value }
    throw absent(path, in: json, of: owner)
  }

  /// Reports how far the path leads, and what is there instead.
  static func absent(_ path: JSONPath, in json: JSON, of owner: String) -> Failure {
    var reached = JSONPath()
    var value = json
    for element in path.elements {
      let next = JSONPath(reached.elements + [element])
      guard let child = json[next.pointer] else { break }
      (reached, value) = (next, child)
    }
    let missing = path.elements[reached.elements.count]
    return Failure(
      "there is no \(path) in \(owner)", meaning: instead(of: missing, in: value, at: "\(reached)"),
      advice: reached.elements.isEmpty ? "statesurf show" : "statesurf show tip '\(reached)'")
  }

  private static let keyCountMax = 8

  private static func instead(
    of missing: JSONPath.Element, in value: JSON, at place: String
  ) -> String {
    let place = place == "$" ? "It" : place
    switch (value, missing) {
    case (.array(let elements), .index): return "\(place) has \(elements.count) elements."
    case (.array(let elements), .key):
      return "\(place) is an array of \(elements.count): its elements are [0], [1] …"
    case (.object(let object), .key(let key)):
      let keys = object.members.map(\.key)
      if let meant = nearest(to: key, in: keys).first { return "Did you mean '\(meant)'?" }
      let shown = keys.sorted().prefix(keyCountMax).joined(separator: ", ")
      return "\(place) has \(keys.isEmpty ? "no keys" : shown)"
        + (keys.count > keyCountMax ? ", and \(keys.count - keyCountMax) more." : ".")
    case (.object, .index): return "\(place) is an object, which has keys."
    default: return "\(place) is \(value.text())."
    }
  }
}
