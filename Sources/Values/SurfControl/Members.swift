import JSONTree

/// The members of an object, asked for by name and type.
struct Members {
  /// What the object is, for the error.
  let word: String
  let json: JSON
  private let object: JSONObject

  init(of word: String, _ json: JSON) {
    self.word = word
    self.json = json
    if case .object(let object) = json { self.object = object } else { object = JSONObject() }
  }

  subscript(name: String) -> JSON? { object[name] }

  func value(_ name: String) throws(ControlError) -> JSON {
    guard let value = object[name] else { throw .member(name, of: word) }
    return value
  }

  func text(_ name: String) throws(ControlError) -> String {
    guard case .string(let text) = object[name] else { throw .member(name, of: word) }
    return text
  }

  func flag(_ name: String) -> Bool? {
    if case .bool(let flag) = object[name] { flag } else { nil }
  }

  func row(_ name: String) throws(ControlError) -> UInt64 {
    guard let row = try rowIfPresent(name) else { throw .member(name, of: word) }
    return row
  }

  func rowIfPresent(_ name: String) throws(ControlError) -> UInt64? {
    guard let value = object[name] else { return nil }
    guard let row = value.row else { throw .member(name, of: word) }
    return row
  }
}

extension JSON {
  var integer: Int? {
    if case .number(let number) = self { number.integer } else { nil }
  }

  /// A row's number; 0, the initial state, is one too.
  var row: UInt64? {
    if case .number(let number) = self { UInt64(number.literal) } else { nil }
  }
}

extension ControlError {
  static func parse(_ bytes: [UInt8]) throws(ControlError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: bytes)
    } catch {
      throw .syntax(error)
    }
  }
}
