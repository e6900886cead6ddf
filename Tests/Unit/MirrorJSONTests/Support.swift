import Foundation
import MirrorJSON
import Testing

/// A value, and the JSON it becomes.
// Unchecked: `value` is anything at all, and no test changes it.
struct Golden: CustomTestStringConvertible, @unchecked Sendable {
  let name: String
  let value: Any?
  let json: String

  init(_ name: String, _ value: Any?, _ json: String) {
    (self.name, self.value, self.json) = (name, value, json)
  }

  var testDescription: String { name }

  /// Whether the value becomes just this JSON, which must be JSON.
  func check() throws {
    let text = MirrorJSON.encode(value)
    #expect(text == json)
    _ = try parsed(text)
  }
}

/// What Foundation reads from `text`.
@discardableResult
func parsed(_ text: String) throws -> Any {
  try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
}

/// An action as an app declares it.
enum Action {
  case increment
  case setText(String)
  case load(id: Int, force: Bool)
  case one(id: Int)
  case pair(Int, String)
  case mixed(Int, by: Int, Double)
  case maybe(Int?)
  case nested(Inner)
  case point(Point)
  case date(Date)
  indirect case again(Action)

  enum Inner {
    case add(String)
    case clear
  }
}

struct Point { var y = 1, x = 2 }

/// The same with `Codable`.
enum CodableAction: Codable {
  case increment
  case setText(String)
  case load(id: Int, force: Bool)
  case one(id: Int)
  case pair(Int, String)
  case mixed(Int, by: Int, Double)
  case maybe(Int?)
  case nested(Inner)
  case point(CodablePoint)
  case date(Date)
  indirect case again(CodableAction)

  enum Inner: Codable {
    case add(String)
    case clear
  }
}

struct CodablePoint: Codable { var y = 1, x = 2 }
