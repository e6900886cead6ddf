import JSONTools
import JSONTree
import SurfBasics
import SurfTimeline
import SurfWire

/// Converts records' actions to Redux actions: objects with a `type`.
enum PanelAction {
  static let logWord = "@@LOG"
  static let markWord = "@@MARK"
  static let pausedWord = "@@PAUSED"
  static let elsewhereWord = "@@ELSEWHERE"

  /// Whether a panel's row has no action that could be dispatched again.
  static func isNoAction(_ name: String) -> Bool {
    [logWord, markWord, pausedWord, elsewhereWord].contains {
      name == $0 || name.hasPrefix("\($0) ")
    }
  }

  /// The JSON that dispatches a record's action again: `add("milk")`, encoded as
  /// `{"add":{"_0":"milk"}}`, becomes `{"type":"add","payload":"milk"}`.
  static func json(of record: Record) -> JSON {
    switch record.kind {
    case .log(let level): return remark("\(logWord) \(level): ", record)
    case .mark: return remark("\(markWord) ", record)
    case .update: return remark("", record)
    case .restored: return remark("restored ", record)
    default: break
    }
    guard let payload = record.payload, payload.type == Content.json,
      let json = JSON(ifValid: payload.bytes)
    else { return ["type": .string(record.name)] }
    return self.json(of: json, named: record.name)
  }

  /// The same, as a panel's list shows coalesced actions: `tick ×12`.
  static func shown(_ record: Record) -> JSON {
    let json = json(of: record)
    guard record.count > 1, var object = json.object, let type = object["type"]?.string else {
      return json
    }
    object["type"] = .string(type + record.countText)
    return .object(object)
  }

  private static func remark(_ word: String, _ record: Record) -> JSON {
    var remark = JSONObject([.init(key: "type", value: .string(word + record.name))])
    remark["payload"] = record.payload.flatMap { JSON(ifValid: $0.bytes) }
    return .object(remark)
  }

  /// The same for an action that Swift encoded.
  ///
  /// The name shows how cases nest: `count.add(2)`, encoded as `{"count":{"add":2}}`, becomes
  /// `{"type":"count.add","payload":2}`.
  static func json(of action: JSON, named name: String) -> JSON {
    let path = name.prefix { $0 != "(" }.split(separator: ".").map(String.init)
    guard path.count > 1, let (type, values) = follow(path, into: action) else {
      return flat(action, named: name)
    }
    guard let payload = values.flatMap({ payload(of: $0, named: name) }) else {
      return ["type": .string(type)]
    }
    return ["type": .string(type), "payload": payload]
  }

  /// The cases in `path` that `action` consists of, if at least two, and the last one's values.
  private static func follow(
    _ path: [String], into action: JSON
  ) -> (type: String, values: JSON?)? {
    var (names, rest) = ([String](), JSON?.some(action))
    for name in path {
      if rest == .string(name) {
        (names, rest) = (names + [name], nil)
      } else if let values = rest?.only(name) {
        (names, rest) = (names + [name], values)
      } else if let only = rest?.object?.members.first?.value, rest?.object?.members.count == 1,
        only == .string(name) || only.only(name) != nil
      {
        // The value is inside a label, or inside the `_0` of a longer spelling.
        (names, rest) = (names + [name], only.only(name))
      } else {
        break
      }
    }
    return names.count > 1 ? (names.joined(separator: "."), rest) : nil
  }

  private static func flat(_ action: JSON, named name: String) -> JSON {
    switch action {
    case .string(let word): return ["type": .string(word)]
    case .object(let object):
      // Already a Redux action.
      if case .string = object["type"] { return action }
      guard object.members.count == 1, let member = object.members.first else { break }
      guard let payload = payload(of: member.value, named: name) else {
        return ["type": .string(member.key)]
      }
      return ["type": .string(member.key), "payload": payload]
    case .null, .bool, .number, .array: break
    }
    return ["type": .string(name), "payload": action]
  }

  /// An enum's values: none, a single one without a label, or all with their labels.
  private static func payload(of values: JSON, named name: String) -> JSON? {
    guard let object = values.object else { return values }
    // `set([:])` has an empty value.
    if object.members.isEmpty { return name.contains("(") ? values : nil }
    guard object.members.count == 1, let only = object["_0"] else { return values }
    // On its own, a value with such a member would be mistaken for its contents.
    return only["_0"] == nil ? only : values
  }
}

extension JSON {
  /// The only member of this object, if it has this name.
  fileprivate func only(_ name: String) -> JSON? {
    object?.members.count == 1 ? object?[name] : nil
  }
}

extension Content {
  static let json = "application/json"

  /// The bytes as JSON, for insertion into other JSON. Bytes that are not JSON become
  /// `{"$base64":…}`, which a panel shows and cannot mistake for the state.
  package var jsonBytes: [UInt8] {
    if type == Self.json || type.hasSuffix("+json"), JSON(ifValid: bytes) != nil {
      return bytes
    }
    return unreadable
  }

  /// The same without validating every byte, for a place where an error harms nothing else.
  var jsonText: String {
    let isJSON = type == Self.json || type.hasSuffix("+json")
    return String(decoding: isJSON ? bytes : unreadable, as: UTF8.self)
  }

  private var unreadable: [UInt8] {
    let json: JSON = ["$base64": .string(Base64.text(bytes)), "contentType": .string(type)]
    return json.bytes()
  }
}
