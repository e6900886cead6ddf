import FoundationEssentials
import JSONTree
import ValueCoding

/// Reads an app's action out of JSON, in the several ways in which people write one.
package enum ActionDecoder {
  /// The action that `json` means.
  ///
  /// - Parameter offered: The app's own list of its actions, for a request that names no such
  ///   action.
  /// - Parameter tellsValues: Whether a refusal may repeat what `json` has; all viewers hear it.
  package static func decode<Action>(
    _ json: JSON, as type: Action.Type, offered: [ActionSignature] = [], tellsValues: Bool = true
  ) throws(RefusedCommand) -> Action {
    guard let decodable = type as? any Decodable.Type else {
      throw RefusedCommand(
        "\(type) is not Decodable, so that no action can be made of JSON; let it conform")
    }
    for reading in readings(json) {
      // Below, the reason is found for all readings.
      do {
        let action = try ValueCoder.current.decodeAction(decodable, from: reading)
        if let action = action as? Action { return action }
      } catch { continue }
    }
    var fault = ActionFault()
    for candidate in candidates(json) {
      do {
        let action = try ValueCoder.current.decode(decodable, from: Data(candidate.bytes()))
        if let action = action as? Action { return action }
      } catch {
        fault.note(error, tellsValues: tellsValues)
      }
    }
    let text = tellsValues ? json.text().prefix(200) : "so"
    let reason = fault.reason(name: name(json), in: decodable, offered: offered)
    throw RefusedCommand("no \(type) is written \(text): \(reason)")
  }

  /// The name of the intended action, whatever is wrong with it.
  private static func name(_ json: JSON) -> String? {
    switch json {
    case .string(let name): return name
    case .object(let object):
      if let name = object["type"]?.string { return name }
      return object.members.count == 1 ? object.members.first?.key : nil
    case .null, .bool, .number, .array: return nil
    }
  }

  /// The JSON as it is, then what Redux calls `{"type":"count.add","payload":2}` as a case inside a
  /// case: `{"count":{"add":2}}`.
  private static func readings(_ json: JSON) -> [JSON] {
    switch json {
    case .string(let name): return [json, nested(name, nil)]
    case .object(let object):
      guard let name = object["type"]?.string else {
        guard object.members.count == 1, let member = object.members.first else { return [json] }
        return [json, nested(member.key, member.value)]
      }
      let others = object.members.filter { $0.key != "type" }
      if others.isEmpty { return [json, .string(name), nested(name, nil)] }
      let payload = others.count == 1 ? object["payload"].map { nested(name, $0) } : nil
      return [json] + [payload].compactMap(\.self) + [nested(name, .object(JSONObject(others)))]
    case .null, .bool, .number, .array: return [json]
    }
  }

  /// The innermost case by its name alone if it has no values.
  private static func nested(_ path: String, _ values: JSON?) -> JSON {
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = names.removeLast()
    let innermost: JSON = values.map { [last: $0] } ?? .string(last)
    return names.reversed().reduce(innermost) { [$1: $0] }
  }

  /// The JSON as it is, then as Swift writes an enum: `{"add":{"_0":"milk"}}`.
  ///
  /// Understands `"increment"`, `{"add":"milk"}`, and the form of Redux: `{"type":"increment"}`,
  /// `{"type":"add","payload":"milk"}`, `{"type":"move","from":1,"to":2}`. An array stands for the
  /// values in their order.
  private static func candidates(_ json: JSON) -> [JSON] {
    var candidates = [json]
    switch json {
    case .string(let name): candidates.append(enumCase(name, []))
    case .object(let object):
      if let name = object["type"]?.string {
        let others = object.members.filter { $0.key != "type" }
        if others.count == 1, let payload = object["payload"] {
          candidates += payloads(name, payload)
        }
        candidates.append(enumCase(name, others))
        // An enum with raw values.
        if others.isEmpty { candidates.append(.string(name)) }
      } else if object.members.count == 1, let member = object.members.first {
        candidates += payloads(member.key, member.value)
      }
    case .null, .bool, .number, .array: break
    }
    return candidates
  }

  private static func payloads(_ name: String, _ payload: JSON) -> [JSON] {
    var candidates = [enumCase(name, [.init(key: "_0", value: payload)])]
    if let labelled = payload.object {
      candidates.append(enumCase(name, labelled.members))
    }
    if let elements = payload.array {
      let numbered = elements.enumerated().map {
        JSONObject.Member(key: "_\($0.offset)", value: $0.element)
      }
      candidates.append(enumCase(name, numbered))
    }
    return candidates
  }

  private static func enumCase(_ name: String, _ values: [JSONObject.Member]) -> JSON {
    .object(JSONObject([.init(key: name, value: .object(JSONObject(values)))]))
  }
}
