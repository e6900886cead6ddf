import JSONTree
import SurfTimeline
import SurfWire

/// What `show` prints of a row.
struct StateView {
  let options: ShowOptions
  let row: SequenceNumber
  let instance: Instance

  /// - Parameter content: nil for an initial state that nobody tells.
  func actions(_ content: Content?) throws(Failure) -> [CommandAction] {
    switch options.form {
    case .raw: return [.write(content?.bytes ?? [], path: nil)]
    case .json: return [.printBytes(try line(content))]
    case .laidOut:
      guard let content else { return [.print(Line("(the initial state: no record carries it)"))] }
      guard !options.path.elements.isEmpty else { return ContentView.actions(content) }
      return [.printBytes(EventJSON.bytes(try value(content), .pretty))]
    }
  }

  /// `event: "state"` or `"payload"`, `row`, `path`, and `value`, unless nobody tells it.
  private func line(_ content: Content?) throws(Failure) -> [UInt8] {
    var members: JSONObject = [
      "row": .number(row), "path": .string(options.path.description),
    ]
    if let content { members["value"] = try value(content) }
    return EventJSON.line(options.part.rawValue, instance, members)
  }

  private func value(_ content: Content) throws(Failure) -> JSON {
    guard let payload = PayloadJSON(content) else { return .null }
    guard !options.path.elements.isEmpty else { return payload.json }
    let owner = "the \(options.part.rawValue) of row \(row) of \(instance.label)"
    guard case .json(let json) = payload else {
      throw Failure("\(owner) is \(payload.text), and no JSON", meaning: "It has no places.")
    }
    return try PlaceView.value(at: options.path, in: json, of: owner)
  }
}
