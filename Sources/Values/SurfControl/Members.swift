import JSONTree

/// Reads the members of a JSON object by name and type, for commands and revisions.
struct Members {
  /// Names the object in errors.
  let word: String
  let json: JSON

  init(of word: String, _ json: JSON) { (self.word, self.json) = (word, json) }

  subscript(name: String) -> JSON? { json[name] }

  func value(_ name: String) throws(ControlError) -> JSON {
    guard let value = json[name] else { throw .member(name, of: word) }
    return value
  }

  func text(_ name: String) throws(ControlError) -> String {
    guard let text = json[name]?.string else { throw .member(name, of: word) }
    return text
  }

  func flag(_ name: String) -> Bool? { json[name]?.bool }

  /// A row number. Row 0 is the initial state.
  func row(_ name: String) throws(ControlError) -> UInt64 {
    guard let row = try rowIfPresent(name) else { throw .member(name, of: word) }
    return row
  }

  func rowIfPresent(_ name: String) throws(ControlError) -> UInt64? {
    guard let value = json[name] else { return nil }
    guard let row = value.natural else { throw .member(name, of: word) }
    return row
  }
}

extension ControlError {
  static func parse(_ bytes: [UInt8]) throws(ControlError) -> JSON {
    try reading { () throws(JSONError) in try JSON(parsing: bytes) }
  }

  static func reading<Value>(
    _ body: () throws(JSONError) -> Value
  ) throws(ControlError) -> Value {
    do throws(JSONError) {
      return try body()
    } catch {
      throw .syntax(error)
    }
  }
}
