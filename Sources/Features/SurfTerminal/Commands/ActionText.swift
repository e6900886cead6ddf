import JSONTools
import JSONTree

/// Parses an action that the user wrote: JSON, a JavaScript object as in a Redux DevTools panel, or
/// words. The first word is the action's name, and the others are its values.
package enum ActionText {
  /// What the words may mean, likeliest first. Only the app knows which of these it can read.
  ///
  /// - Parameter words: empty for standard input.
  /// - Throws: with exit code 64 for words.
  package static func actions(_ words: [String]) throws(Failure) -> [JSON] {
    guard let first = words.first else { return [try literal(try StateFile.bytes(of: nil))] }
    if words.count == 1, let json = json(first) { return [json] }
    guard isName(first) else { throw notAnAction(words) }
    let values = Array(words.dropFirst())
    let type = JSONObject.Member(key: "type", value: .string(first))
    guard !values.isEmpty else { return [.string(first), .object(JSONObject([type]))] }
    let forms = try forms(values)
    // As Redux has it, for apps that know no other form.
    let redux = forms.map { form in
      let members = form.object?.members ?? [.init(key: "payload", value: form)]
      return JSON.object(JSONObject([type] + members))
    }
    return forms.map { .object(JSONObject([.init(key: first, value: $0)])) } + redux
  }

  /// `5` as a number and as a text, `from=1 to=2` as an object, `Buy milk` as two and as one.
  private static func forms(_ values: [String]) throws(Failure) -> [JSON] {
    let labelled = values.compactMap(labelled)
    guard labelled.isEmpty || labelled.count == values.count else { throw mixed(values) }
    var forms: [JSON] = []
    func add(_ form: JSON) { if !forms.contains(form) { forms.append(form) } }
    if !labelled.isEmpty {
      add(.object(JSONObject(labelled.map { .init(key: $0.label, value: value($0.text)) })))
      add(.object(JSONObject(labelled.map { .init(key: $0.label, value: .string($0.text)) })))
    }
    if values.count == 1 {
      add(value(values[0]))
    } else if labelled.isEmpty {
      add(.array(values.map(value)))
      add(.array(values.map { .string($0) }))
    }
    add(.string(values.joined(separator: " ")))
    return forms
  }

  private static func value(_ word: String) -> JSON { json(word) ?? .string(word) }

  private static func json(_ text: String) -> JSON? {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(text)
    } catch {
      return nil
    }
  }

  private static func labelled(_ word: String) -> (label: String, text: String)? {
    guard let equals = word.firstIndex(of: "=") else { return nil }
    let label = String(word[..<equals])
    return isName(label) ? (label, String(word[word.index(after: equals)...])) : nil
  }

  private static func isName(_ word: String) -> Bool {
    guard let first = word.first, first.isLetter || first == "_" else { return false }
    return word.allSatisfy { $0.isLetter || $0.isNumber || "_.-".contains($0) }
  }

  /// Shows both readings.
  private static func mixed(_ values: [String]) -> Failure {
    let objects = values.compactMap(labelled).map {
      JSONObject.Member(key: $0.label, value: value($0.text))
    }
    let labels = JSON.object(JSONObject(objects)).text()
    let texts = JSON.array(values.map(value)).text()
    return Failure(
      "some of the action's values have labels, and some have none",
      meaning: "With labels they begin with \(labels), without them they are \(texts).",
      advice: "labels for all values, or the action as JSON", exitCode: ExitCode.misuse)
  }

  private static func literal(_ bytes: [UInt8]) throws(Failure) -> JSON {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure(
        "cannot read the action: \(error)", advice: #"echo '{"add":"Milk"}' | statesurf dispatch -"#
      )
    }
  }

  private static func notAnAction(_ words: [String]) -> Failure {
    do throws(JavaScriptLiteralError) {
      _ = try JavaScriptLiteral.parse(words[0])
      return Failure(
        "the action '\(words[0])' is JSON, and so takes no '\(words[1])'",
        advice: #"statesurf dispatch add 5, or statesurf dispatch '{"add":5}'"#,
        exitCode: ExitCode.misuse)
    } catch {
      let parts = words[0].split(separator: " ")
      guard words.count == 1, parts.count > 1, isName(String(parts[0])) else {
        return Failure(
          "cannot read the action: \(error)", meaning: "It is neither JSON nor an action's name.",
          advice: #"statesurf dispatch increment, or statesurf dispatch '{"add":"Milk"}'"#,
          exitCode: ExitCode.misuse)
      }
      let name = JSON.string(words[0]).text()
      return Failure(
        "'\(words[0])' is one word, which may be a name, or a name with its values",
        advice: "statesurf dispatch \(words[0]), or statesurf dispatch '\(name)'",
        exitCode: ExitCode.misuse)
    }
  }
}
