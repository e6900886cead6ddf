import JSONTree
import SurfWire

/// A message to panels about one app. `PanelFrames` encodes it.
package enum PanelMessage: Equatable, Sendable {
  /// The whole history, because it has changed as a whole.
  case whole
  /// An action, and the state after it.
  case action(PanelStep)
  /// A part of the lifted state, such as the app's place.
  case lifted(JSONObject)
  /// Why a command was not carried out.
  case error(String)
  /// The actions of the history and the state before them, for a file.
  case export(actions: String, committed: String)
}

/// One action of a history, in the form that panels read: JSON in strings.
package struct PanelStep: Equatable, Sendable {
  /// Its place in the panel's history.
  package var id: Int
  /// The row in `statesurf`; nil in programs with `DevTools`, which has no rows.
  package var row: SequenceNumber?
  /// The action alone: `{"type":"add","payload":"milk"}`.
  package var action: JSON
  /// Milliseconds since 1970.
  package var timestamp: Int64
  package var state: String
  /// Its source and its causes, as the lines of a JavaScript error.
  package var stack: String?
  /// Whether it is a log line or a mark, and no action.
  package var isRemark: Bool

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
  /// - Parameter name: the cases of an enum from the outside in: `count.add`.
  package init(
    id: Int, name: String, text: String, timestamp: Int64, state: String
  ) {
    let action = JSON(ifValid: Array(text.utf8)).map { PanelAction.json(of: $0, named: name) }
    self.init(
      id: id, action: action ?? ["type": .string(text)], timestamp: timestamp, state: state)
  }

  /// The action as redux-devtools-instrument wraps it, plus the row that lets `statesurf` find it.
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

/// What the gateway must do for a panel's command.
package enum PanelReply: Equatable, Sendable {
  /// Send this to every panel.
  case send(PanelMessage)
  /// Put the app into this state, which is that of the row, if one is named.
  case reset(row: SequenceNumber?, ResetState)
  /// Fetch a row's record from the app again, then call `jump(toFetched:)`.
  case fetch(row: SequenceNumber)
  /// Send the app this command.
  case command([UInt8])

  package enum ResetState: Equatable, Sendable {
    case initial
    case bytes([UInt8], contentType: String)
  }
}
