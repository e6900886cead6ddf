import JSONTree
import SurfWire

/// A message to panels about one instance.
package enum PanelMessage: Equatable, Sendable {
  /// The history has changed as a whole: send all of it.
  case whole
  /// An action, and the state after it.
  case action(PanelStep)
  /// A part of the lifted state, such as where the app is.
  case lifted(JSONObject)
  /// The answer to a command that could not be carried out.
  case error(String)
  /// The actions of the history and the state that it begins with, for a file.
  case export(actions: String, committed: String)
}

/// One action of a history, as panels have it: JSON in strings.
package struct PanelStep: Equatable, Sendable {
  /// Its place in the history that the panel has.
  package var id: Int
  /// The row of `statesurf`; nil in a program of DevTools, which has no rows.
  package var row: SequenceNumber?
  /// The action alone: `{"type":"add","payload":"milk"}`.
  package var action: JSON
  /// Milliseconds since 1970.
  package var timestamp: Int64
  /// The state after it.
  package var state: String
  /// Where it came from, and what caused it, as lines of a JavaScript error.
  package var stack: String?
  /// A log line or a mark: no action, and shown where it was made.
  package var isRemark: Bool

  /// A step as it is shown.
  package init(
    id: Int, row: SequenceNumber? = nil, action: JSON, timestamp: Int64, state: String,
    stack: String? = nil, isRemark: Bool = false
  ) {
    self.id = id
    self.row = row
    self.action = action
    self.timestamp = timestamp
    self.state = state
    self.stack = stack
    self.isRemark = isRemark
  }

  /// An action that is JSON in a text, or else a name.
  ///
  /// - Parameter name: The cases of an enum from outside inwards: `count.add`.
  package init(
    id: Int, name: String, text: String, timestamp: Int64, state: String
  ) {
    let action = JSON(ifValid: Array(text.utf8)).map { PanelAction.json(of: $0, named: name) }
    self.init(
      id: id, action: action ?? ["type": .string(text)], timestamp: timestamp, state: state)
  }

  /// As redux-devtools-instrument wraps an action. The row is there as well, so that people find
  /// the action in `statesurf`.
  var lifted: JSON {
    var object = JSONObject([
      .init(key: "type", value: "PERFORM_ACTION"), .init(key: "action", value: action),
      .init(key: "timestamp", value: .number(timestamp)),
    ])
    object["stack"] = stack.map { .string($0) }
    object["row"] = row.map { .number($0) }
    return .object(object)
  }
}

/// What the caller must do for a panel's command.
package enum PanelReply: Equatable, Sendable {
  /// Tell every panel.
  case send(PanelMessage)
  /// Put the app into the state of a row; nil for its initial state.
  case reset(row: SequenceNumber?, ResetState)
  /// Fetch the record of a row from the app again, and then jump there.
  case fetch(row: SequenceNumber)
  /// Ask the app to do something with its history.
  case command([UInt8])

  /// A state to be in.
  package enum ResetState: Equatable, Sendable {
    case initial
    case bytes([UInt8], contentType: String)
  }
}
