import JSONTree
import ReduxDevTools
import SurfControl
import SurfWire
import TestSupport

extension Content {
  /// JSON, as it is written.
  static func json(_ text: String) -> Content {
    Content(type: "application/json", bytes: Array(text.utf8))
  }
}

extension Record {
  /// An action at `sequence` seconds after 1970, with its payload and the state after it.
  static func action(
    _ sequence: SequenceNumber, _ name: String, _ payload: String? = nil, state: String? = nil
  ) -> Record {
    Record(
      sequence: sequence, kind: .action, wallTime: Int64(sequence) * 1_000_000_000, name: name,
      payload: payload.map(Content.json), state: state.map { .keyframe(.json($0)) } ?? .none)
  }

  /// A revision without rows has no state.
  static func revision(_ sequence: SequenceNumber, _ revision: Revision, state: String) -> Record {
    Record(
      sequence: sequence, kind: .revision, name: revision.command,
      payload: .json(revision.json.text()),
      state: revision.staging == nil ? .none : .keyframe(.json(state)))
  }
}

extension Heartbeat {
  static func of(_ control: Control = [], uptime: UInt64 = 0, at position: Position = .initial)
    -> Heartbeat
  {
    Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "todo", host: "desk", processID: 7,
      contentType: "application/json", acceptsResets: true, control: control, datagramSize: 1_400,
      uptime: uptime, position: position)
  }
}

extension PanelInstance {
  /// An app with these records, all loaded.
  static func loaded(
    _ control: Heartbeat.Control = [], _ records: [Record], bounds: Bounds = Bounds()
  ) -> PanelInstance {
    var instance = PanelInstance(id: "i", heartbeat: .of(control), bounds: bounds)
    for record in records { _ = instance.receive(record) }
    _ = instance.finishLoading()
    return instance
  }

  /// An app that has added `milk`, `eggs` and `tea` to a list.
  static func shopping(_ control: Heartbeat.Control = []) -> PanelInstance {
    loaded(control, shoppingRecords)
  }

  static let shoppingRecords: [Record] = [
    .action(1, "add(\"milk\")", ##"{"add":{"_0":"milk"}}"##, state: ##"["milk"]"##),
    .action(2, "add(\"eggs\")", ##"{"add":{"_0":"eggs"}}"##, state: ##"["milk","eggs"]"##),
    .action(3, "add(\"tea\")", ##"{"add":{"_0":"tea"}}"##, state: ##"["milk","eggs","tea"]"##),
  ]

  var lifted: JSON? { JSON(ifValid: Array(liftedText.utf8)) }
}

/// The frame's texts are JSON themselves.
extension JSON {
  var inner: JSON? { string.flatMap { JSON(ifValid: Array($0.utf8)) } }

  var list: [JSON] { array ?? [] }

  var keys: [String] { object?.members.map(\.key) ?? [] }
}

extension Heartbeat.Control {
  /// An app that runs its actions again.
  static let ofStore: Self = .allCommands
}
