import FoundationEssentials
import JSONTree
import ValueCoding

/// Turns the JSON that a person typed or a panel sent into one of the app's actions.
package enum ActionDecoder {
  /// Decodes `json`, in any of the forms that `candidates` lists.
  ///
  /// - Parameter offered: The actions that the app offers. A refusal lists them.
  /// - Parameter tellsValues: Whether a refusal may quote `json`; every viewer sees the refusal.
  package static func decode<Action>(
    _ json: JSON, as type: Action.Type, offered: [ActionSignature] = [], tellsValues: Bool = true
  ) throws(RefusedCommand) -> Action {
    guard let decodable = type as? any Decodable.Type else {
      throw RefusedCommand(
        "\(type) is not Decodable, so it cannot be read from JSON; make it conform")
    }
    var fault = ActionFault()
    do {
      let action = try ValueCoder.current.decodeAction(decodable, from: json)
      if let action = action as? Action { return action }
    } catch {
      fault.noteFallback(error, tellsValues: tellsValues)
    }
    // Decode every form that may have been meant, only to find the best explanation.
    for candidate in candidates(json) {
      do {
        _ = try ValueCoder.current.decode(decodable, from: Data(candidate.bytes()))
      } catch {
        fault.note(error, tellsValues: tellsValues)
      }
    }
    let text = tellsValues ? json.text().prefix(200) : "so"
    let reason = fault.reason(name: name(json), in: decodable, offered: offered)
    throw RefusedCommand("no \(type) is written \(text): \(reason)")
  }

  /// The name of the intended action, even if the rest of the JSON is wrong.
  private static func name(_ json: JSON) -> String? {
    switch json {
    case .string(let name): return name
    case .object(let object):
      if let name = object["type"]?.string { return name }
      return object.members.count == 1 ? object.members.first?.key : nil
    case .null, .bool, .number, .array: return nil
    }
  }

  /// The JSON as it is, then rewritten in every way that Swift may encode an enum:
  /// `{"add":{"_0":"milk"}}`.
  ///
  /// Understands `"increment"`, `{"add":"milk"}`, and the forms of Redux: `{"type":"increment"}`,
  /// `{"type":"add","payload":"milk"}`, `{"type":"move","from":1,"to":2}`. An array contains a
  /// case's values in order.
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
        // An enum with raw values encodes as a string.
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

/// Why an app refused a command. A refused command changes nothing.
package struct RefusedCommand: Error, Equatable, Sendable, CustomStringConvertible {
  /// For the person who sent the command.
  package let description: String

  package init(_ reason: String) { description = reason }
}
