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
    let text = tellsValues ? json.text().prefix(200) : "that"
    let reason = fault.reason(name: name(json), in: decodable, offered: offered)
    throw RefusedCommand("\(text) cannot be read as \(type): \(reason)")
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

/// Collects the errors of all attempts to decode an action, and picks the one to report.
struct ActionFault {
  private var deepest: (depth: Int, reason: String)?
  /// Reported if no other attempt failed.
  private var fallback: String?

  mutating func noteFallback(_ error: any Error, tellsValues: Bool) {
    fallback = explanation(of: error, tellsValues: tellsValues)
  }

  /// Keeps the error that lies deepest in the value: that attempt was closest to the right form. Of
  /// two at the same depth inside a case's values, keeps the later, whose form is more specific.
  mutating func note(_ error: any Error, tellsValues: Bool) {
    let depth = Self.depth(of: error)
    let before = deepest?.depth ?? -1
    guard depth > before || (depth == before && depth > 1) else { return }
    let reason = explanation(of: error, tellsValues: tellsValues)
    // `reason(name:in:offered:)` appends to it.
    deepest = (depth, reason.hasSuffix(".") ? String(reason.dropLast()) : reason)
  }

  /// Says what is wrong, where, and how the action is written.
  func reason(
    name: String?, in type: any Decodable.Type, offered: [ActionSignature]
  ) -> String {
    let forms = offered.map { ActionForm.of($0, in: type) }.joined(separator: ", ")
    let list = forms.isEmpty ? "" : "; there are \(forms)"
    let general = deepest?.reason ?? fallback ?? "not of that type"
    guard let name else { return general + list }
    if let form = ActionForm.of(name, in: type) { return "\(general); write \(form)" }
    let isOffered = offered.contains { $0.name == name }
    let isEnum = EnumProbe(type, case: name).isEnum
    return isEnum || (!offered.isEmpty && !isOffered)
      ? "there is no action \"\(name)\"\(list)" : general + list
  }

  private static func depth(of error: any Error) -> Int {
    switch error as? DecodingError {
    case .keyNotFound(_, let context): context.codingPath.count + 1
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.count
    case nil: 0
    @unknown default: 0
    }
  }
}

/// Shows people how to write an action: `"clear"`, `{"add":<String>}`,
/// `{"move":{"from":<Int>,"to":<Int>}}`.
enum ActionForm {
  /// The form of the case `name`; nil if `type` has no such case.
  static func of(_ name: String, in type: any Decodable.Type) -> String? {
    let probe = EnumProbe(type, case: name)
    guard probe.isKnown else { return nil }
    return form(name, probe.fields.map { ($0.label, kind(of: $0.type)) }, isCut: probe.isCut)
  }

  /// The form of an offered action. The types of its values are known only if `type` is an enum.
  static func of(_ offered: ActionSignature, in type: any Decodable.Type) -> String {
    of(offered.name, in: type)
      ?? form(
        offered.name,
        offered.arguments.enumerated().map { ($1 == "_" ? "_\($0)" : $1, "…") })
  }

  /// - Parameter isCut: Whether the case may have more fields than these.
  private static func form(
    _ name: String, _ fields: [(label: String, kind: String)], isCut: Bool = false
  ) -> String {
    if fields.isEmpty { return "\"\(name)\"" }
    let isUnlabelled = fields.allSatisfy { $0.label.hasPrefix("_") } && !isCut
    let kinds = fields.map { "<\($0.kind)>" }
    if isUnlabelled, fields.count == 1 { return "{\"\(name)\":\(kinds[0])}" }
    if isUnlabelled { return "{\"\(name)\":[\(kinds.joined(separator: ","))]}" }
    let members = zip(fields, kinds).map { "\"\($0.label)\":\($1)" }.joined(separator: ",")
    return "{\"\(name)\":{\(members)\(isCut ? ",…" : "")}}"
  }

  /// The type's name, or all its values if it is `CaseIterable`.
  private static func kind(of type: any Any.Type) -> String {
    guard type != Bool.self, let values = (type as? any CaseIterable.Type)?.names else {
      return "\(type)"
    }
    return values.joined(separator: "|")
  }
}

extension CaseIterable {
  fileprivate static var names: [String] {
    allCases.map { value in
      (value as? any RawRepresentable).map { "\($0.rawValue)" } ?? "\(value)"
    }
  }
}
