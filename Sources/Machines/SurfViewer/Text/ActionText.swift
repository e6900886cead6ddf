import JSONTools
import JSONTree

/// Parses an action that the user wrote: JSON, a JavaScript object as in a Redux DevTools panel, a
/// call as a list of rows shows it, or words. The first word is the action's name, and the others
/// are its values.
package enum ActionText {
  /// The meanings that a typed line may have, likeliest first. Only the app knows which of these it
  /// can read.
  package static func actions(in line: String) throws(ActionTextError) -> [JSON] {
    let line = String(line.drop { $0 == " " })
    if let actions = try whole(line) { return actions }
    let name = String(line.prefix { $0 != " " })
    guard isName(name) else { throw notAnAction([line]) }
    let words: [LineWord]
    do throws(JavaScriptLiteralError) { words = try JavaScriptLiteral.words(line) } catch {
      throw .unreadable(error)
    }
    let text = line.dropFirst(name.count).trimming { $0 == " " }
    return try actions(name, words.dropFirst().map(Value.init), written: text)
  }

  /// The meanings that words of a shell may have.
  package static func actions(_ words: [String]) throws(ActionTextError) -> [JSON] {
    if words.count == 1, let actions = try whole(words[0]) { return actions }
    guard let name = words.first, isName(name) else { throw notAnAction(words) }
    return try actions(name, words.dropFirst().map { Value(.bare($0)) })
  }

  /// JSON or a call; nil if the text is neither.
  private static func whole(_ text: String) throws(ActionTextError) -> [JSON]? {
    if let json = json(text) { return [json] }
    let name = String(text.prefix { $0 != "(" })
    guard name.count < text.count, isName(name) else { return nil }
    do throws(JavaScriptLiteralError) {
      let arguments = try JavaScriptLiteral.call(text).arguments.members
      let isLabelled = arguments.enumerated().contains { $1.key != "_\($0)" }
      if isLabelled { return actions(name, of: [.object(JSONObject(arguments))]) }
      let values = arguments.map(\.value)
      return actions(name, of: values.count > 1 ? [.array(values)] : values)
    } catch {
      if let words = plainWords(in: text, error.reason) { return try actions(name, words) }
      throw .unreadable(error, meaning: "A call's values are JSON.")
    }
  }

  /// `add(Oat milk)`: without quotation marks, a call's one value is a text, as it is in a line of
  /// words. It need not be closed.
  private static func plainWords(in call: String, _ fault: LiteralFault) -> [Value]? {
    let inner = call.drop { $0 != "(" }.dropFirst().trimming { $0 == " " }
    let value = inner.last == ")" ? inner.dropLast() : inner
    guard !value.contains(where: { "()[]{}\"'`,:=".contains($0) }) else { return nil }
    let words = value.split(separator: " ").map { Value(.bare(String($0))) }
    // A single word that is not a name is a mistake.
    if case .variable = fault { return words.isEmpty ? nil : words }
    return words.count > 1 ? words : nil
  }

  /// - Parameter text: the values as they were typed, quotation marks included.
  private static func actions(
    _ name: String, _ values: [Value], written text: Substring? = nil
  ) throws(ActionTextError) -> [JSON] {
    actions(name, of: values.isEmpty ? [] : try forms(values, text))
  }

  /// - Parameter forms: of the action's values; none if it has no values.
  private static func actions(_ name: String, of forms: [JSON]) -> [JSON] {
    let type = JSONObject.Member(key: "type", value: .string(name))
    guard !forms.isEmpty else { return [.string(name), .object(JSONObject([type]))] }
    // As Redux has it, for apps that know no other form.
    let redux = forms.map { form in
      let members = form.object?.members ?? [.init(key: "payload", value: form)]
      return JSON.object(JSONObject([type] + members))
    }
    return forms.map { .object(JSONObject([.init(key: name, value: $0)])) } + redux
  }

  /// `5` as a number and as a text, `from=1 to=2` as an object, `Buy milk` as two and as one.
  private static func forms(
    _ values: [Value], _ text: Substring?
  ) throws(ActionTextError) -> [JSON] {
    let labelled = values.filter { $0.label != nil }
    guard labelled.isEmpty || labelled.count == values.count else { throw mixed(values) }
    var forms: [JSON] = []
    func add(_ form: JSON) { if !forms.contains(form) { forms.append(form) } }
    if !labelled.isEmpty {
      add(object(labelled, \.meaning))
      add(object(labelled, \.text))
    } else if values.count == 1 {
      add(values[0].meaning)
    } else {
      add(.array(values.map(\.meaning)))
      add(.array(values.map(\.text)))
    }
    let words = values.compactMap(\.word)
    if words.count == values.count {
      add(.string(words.joined(separator: " ")))
    } else if values.count > 1, let text, values.allSatisfy(\.isWords) {
      add(.string(String(text)))
    }
    return forms
  }

  private static func object(_ values: [Value], _ part: KeyPath<Value, JSON>) -> JSON {
    .object(JSONObject(values.map { .init(key: $0.label ?? "", value: $0[keyPath: part]) }))
  }

  private struct Value {
    let label: String?
    /// The likeliest meaning.
    let meaning: JSON
    /// The meaning as a text; JSON keeps the one that it has.
    let text: JSON
    /// The bare word.
    var word: String?

    /// Whether it may be part of a longer text.
    var isWords: Bool { label == nil && (word != nil || meaning.string != nil) }

    init(_ word: LineWord) {
      switch word {
      case .literal(let json, let label): (self.label, meaning, text) = (label, json, json)
      case .bare(let word):
        self.word = word
        let label = word.prefix { $0 != "=" }
        let isLabelled = label.count < word.count && ActionText.isName(String(label))
        let value = isLabelled ? String(word.dropFirst(label.count + 1)) : word
        self.label = isLabelled ? String(label) : nil
        (meaning, text) = (ActionText.json(value) ?? .string(value), .string(value))
      }
    }

    /// The same, its label being part of it.
    var unlabelled: JSON { word.map { ActionText.json($0) ?? .string($0) } ?? meaning }
  }

  private static func json(_ text: String) -> JSON? {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(text)
    } catch {
      return nil
    }
  }

  package static func isName(_ word: String) -> Bool {
    isLabel(word.filter { !".-".contains($0) }) && word.first.map { !".-".contains($0) } == true
  }

  /// Whether it may precede the colon of a call's value.
  package static func isLabel(_ word: String) -> Bool {
    guard let first = word.first, first.isLetter || first == "_" else { return false }
    return word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// Shows both readings.
  private static func mixed(_ values: [Value]) -> ActionTextError {
    let labels = object(values.filter { $0.label != nil }, \.meaning).text()
    let texts = JSON.array(values.map(\.unlabelled)).text()
    return ActionTextError(
      what: "some of the action's values have labels, and some have none",
      meaning: "With labels they begin with \(labels), without them they are \(texts).",
      advice: "labels for all values, or the action as JSON")
  }

  private static func notAnAction(_ words: [String]) -> ActionTextError {
    let first = words.first ?? ""
    do throws(JavaScriptLiteralError) {
      _ = try JavaScriptLiteral.parse(first)
      return ActionTextError(
        what: "the action '\(first)' is already JSON; drop '\(words.dropFirst().first ?? "")'",
        advice: #"statesurf dispatch add 5, or statesurf dispatch '{"add":5}'"#)
    } catch {
      let parts = first.split(separator: " ")
      guard words.count == 1, parts.count > 1, isName(String(parts[0])) else {
        return .unreadable(error)
      }
      let name = JSON.string(first).text()
      return ActionTextError(
        what: "'\(first)' is one word, which may be a name, or a name with its values",
        advice: (first.allSatisfy { $0.isLetter || $0.isNumber || " ._-".contains($0) }
          ? "statesurf dispatch \(first), or " : "") + "statesurf dispatch '\(name)'")
    }
  }
}

/// Why a text is not an action, in three parts for the user.
package struct ActionTextError: Error, Equatable, Sendable {
  package let what: String
  package var meaning = ""
  package let advice: String

  fileprivate static func unreadable(
    _ error: JavaScriptLiteralError, meaning: String = "It is neither JSON nor an action's name."
  ) -> ActionTextError {
    ActionTextError(
      what: "cannot read the action: \(error)", meaning: meaning,
      advice: #"statesurf dispatch increment, or statesurf dispatch '{"add":"Milk"}'"#)
  }
}
