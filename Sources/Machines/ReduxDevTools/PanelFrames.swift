import JSONTree
import SurfControl
import SurfWire

/// Makes the JSON frames that carry one app's messages to panels, in either protocol, for
/// `PanelInstance` and `DevTools`.
package struct PanelFrames: Sendable {
  /// The app's key in the panel's list.
  let instance: String
  let name: String
  /// How many rows a panel must keep; nil to leave that to the panel.
  let countMax: Int64?

  package init(instance: String, name: String, countMax: Int64? = nil) {
    (self.instance, self.name, self.countMax) = (instance, name, countMax)
  }

  // MARK: For SocketCluster panels, on `log`, in the shapes of `@redux-devtools/app`

  /// A whole history.
  ///
  /// - Parameters:
  ///   - type: `STATE` if `payload` is the whole history, `INIT` if it is the first state.
  ///   - connection: the id that the panel uses to answer this app.
  package func history(
    _ type: String, _ payload: String, _ features: PanelFeatures, connection: String
  ) -> JSON {
    frame(
      type, [("payload", .string(payload)), ("libConfig", features.configuration(name))],
      connection)
  }

  /// Any message but `whole`, which needs the history; nil for that.
  package func frame(_ message: PanelMessage, connection: String) -> JSON? {
    switch message {
    case .whole: nil
    case .action(let step):
      frame(
        "ACTION",
        [
          ("payload", .string(ExactNumber.marked(step.state))),
          ("action", .string(ExactNumber.marked(step.lifted.text()))),
          ("nextActionId", .number(step.id + 1)),
        ], connection)
    case .lifted(let part): frame("LIFTED", [("liftedState", .object(part))], connection)
    case .error(let text): frame("ERROR", [("payload", .string(text))], connection)
    case .export(let actions, let committed):
      frame(
        "EXPORT", [("payload", .string(actions)), ("committedState", .string(committed))],
        connection)
    }
  }

  /// The app's first message. A panel answers it with the same.
  package func start(connection: String) -> JSON { signed([("type", "START")], connection) }

  private func frame(_ type: String, _ members: [(String, JSON)], _ connection: String) -> JSON {
    signed(
      [("type", .string(type))] + members + (countMax.map { [("maxAge", .number($0))] } ?? []),
      connection)
  }

  private func signed(_ members: [(String, JSON)], _ connection: String) -> JSON {
    Self.object(
      members + [
        ("id", .string(connection)), ("instanceId", .string(instance)), ("name", .string(name)),
      ])
  }

  // MARK: For Socket.IO relays, as `log` (Relay.md, Socket.IO), with JSON in strings

  /// The start of a history, with its state.
  package func seedBeginning(_ state: String) -> JSON {
    Self.object([
      ("type", "INIT"), ("payload", .string(state)), ("instanceId", .string(instance)),
      ("name", .string(name)),
    ])
  }

  /// An action in the app's own encoding, and the state after it.
  package func seedAction(_ action: String, _ state: String) -> JSON {
    seed("ACTION", [("action", .string(action)), ("payload", .string(state))])
  }

  /// Why a command was not carried out.
  package func seedError(_ text: String) -> JSON { seed("ERROR", [("payload", .string(text))]) }

  /// The actions that are not skipped and the state before them, for a file.
  package func seedExport(_ actions: String, _ committed: String) -> JSON {
    seed("EXPORT", [("payload", .string(actions)), ("committedState", .string(committed))])
  }

  private func seed(_ type: String, _ members: [(String, JSON)]) -> JSON {
    Self.object([("type", .string(type))] + members + [("instanceId", .string(instance))])
  }

  /// Replaces large members by a note if a relay takes no larger frame, so that the row arrives.
  package static func reduced(_ frame: JSON, from size: Int, to sizeMax: Int) -> JSON {
    guard var object = frame.object else { return frame }
    let note: JSON = [
      "$leftOut": .string("a message of \(size) octets: the relay takes \(sizeMax)")
    ]
    for member in object.members {
      guard let text = member.value.string, text.utf8.count > noteSizeMax else { continue }
      object[member.key] = .string(note.text())
    }
    return .object(object)
  }

  /// Longer strings are replaced by the note. Relays accept messages of a megabyte by default.
  private static var noteSizeMax: Int { 1_024 }

  private static func object(_ members: [(String, JSON)]) -> JSON {
    .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
  }
}

/// The buttons that a panel shows for an app, from `PanelInstance` or `DevTools`. The panel reads
/// them once, with the app's first message.
package struct PanelFeatures: Sendable {
  /// `redux` for apps that send whole histories. For others, the panel does not send its lock.
  var type: String
  /// Whether panels may lock the app.
  var locks: Bool
  /// Whether panels may dispatch actions.
  var takesActions: Bool
  /// Whether the app replays its actions, so that they can be reordered.
  var reorders: Bool
  /// Whether the app imports what happens in another app of the same name.
  var syncs: Bool
  var creators: [ActionSignature]

  package init(
    type: String, locks: Bool, takesActions: Bool, reorders: Bool, syncs: Bool,
    creators: [ActionSignature] = []
  ) {
    (self.type, self.locks, self.takesActions) = (type, locks, takesActions)
    (self.reorders, self.syncs, self.creators) = (reorders, syncs, creators)
  }

  func configuration(_ name: String) -> JSON {
    let features: JSON = [
      "lock": .bool(locks), "dispatch": .bool(takesActions), "reorder": .bool(reorders),
      "import": "custom", "export": true, "persist": true, "pause": true, "jump": true,
      "skip": true, "sync": .bool(syncs), "test": true,
    ]
    var configuration = JSONObject([
      .init(key: "type", value: .string(type)), .init(key: "name", value: .string(name)),
      .init(key: "features", value: features),
    ])
    if !creators.isEmpty {
      let list = creators.map { creator -> JSON in
        ["name": .string(creator.name), "args": .array(creator.fields.map { .string($0) })]
      }
      configuration["actionCreators"] = .string(JSON.array(list).text())
    }
    return .object(configuration)
  }
}
