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
    var fault = ActionFault()
    do {
      let action = try ValueCoder.current.decodeAction(decodable, from: json)
      if let action = action as? Action { return action }
    } catch {
      fault.noteFirst(error, tellsValues: tellsValues)
    }
    // The reason is found for all that may have been meant.
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

/// Why a command was not carried out; nothing has changed.
package struct RefusedCommand: Error, Equatable, Sendable, CustomStringConvertible {
  /// For the person who asked.
  package let description: String

  /// A refusal for this reason.
  package init(_ reason: String) { description = reason }
}
