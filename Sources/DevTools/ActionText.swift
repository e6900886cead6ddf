internal import Foundation
internal import JSONTree

/// Reads an app's action out of what a person typed in a panel's dispatcher.
enum ActionText {
  /// Why a text is no action.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  /// The action that `text`, JSON or a JavaScript value, means.
  static func decode<Action>(_ text: String, as type: Action.Type) throws(Refusal) -> Action {
    guard let decodable = type as? any Decodable.Type else {
      throw Refusal(description: "\(type) is not Decodable: no action can be made of text")
    }
    var reason = "it is none of its cases"
    for candidate in candidates(try parse(text)) {
      do {
        let action = try JSONDecoder().decode(decodable, from: Data(candidate.bytes()))
        if let action = action as? Action { return action }
      } catch DecodingError.dataCorrupted(let context) {
        reason = context.debugDescription
      } catch DecodingError.keyNotFound(let key, _) {
        reason = "it has no '\(key.stringValue)'"
      } catch {
        continue
      }
    }
    throw Refusal(description: "no \(type) is written like '\(text.prefix(200))': \(reason)")
  }

  private static func parse(_ text: String) throws(Refusal) -> JSON {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(text)
    } catch {
      // A case's name alone, without quotes.
      let isName = text.utf8.allSatisfy { $0 == 0x5F || UnicodeScalar($0).properties.isAlphabetic }
      if isName, !text.isEmpty { return .string(text) }
      throw Refusal(description: "no action can be made of this: \(error)")
    }
  }

  /// As it is, then as Swift writes an enum: `{"add":{"_0":"milk"}}`.
  private static func candidates(_ json: JSON) -> [JSON] {
    switch json {
    case .string(let name): return [json, enumCase(name, [])]
    case .object(let object):
      if case .string(let name)? = object["type"] {
        let others = object.members.filter { $0.key != "type" }
        let payload = others.count == 1 ? object["payload"] : nil
        return [json] + (payload.map { payloads(name, $0) } ?? []) + [enumCase(name, others)]
      }
      guard object.members.count == 1, let only = object.members.first else { return [json] }
      return [json] + payloads(only.key, only.value)
    case .null, .bool, .number, .array: return [json]
    }
  }

  /// The values of a case: the only one, those with labels, or those of an array in their order.
  private static func payloads(_ name: String, _ payload: JSON) -> [JSON] {
    var candidates = [enumCase(name, [.init(key: "_0", value: payload)])]
    if case .object(let labelled) = payload { candidates.append(enumCase(name, labelled.members)) }
    if case .array(let elements) = payload {
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
