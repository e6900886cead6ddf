import JSONTree
import SurfControl

/// The buttons that a panel shows for an app, from `PanelInstance` or `DevTools`. The panel reads
/// them once, with the app's first message.
package struct PanelFeatures: Sendable {
  /// `redux` for apps that send whole histories. For others, the panel does not send its lock.
  var type: String
  /// Whether panels may dispatch actions, and lock the app's own.
  var takesActions: Bool
  /// Whether the app replays its actions, so that they can be reordered.
  var reorders: Bool
  /// Whether the app imports what happens in another app of the same name.
  var syncs: Bool
  var creators: [ActionSignature]

  package init(
    type: String, takesActions: Bool, reorders: Bool, syncs: Bool,
    creators: [ActionSignature] = []
  ) {
    (self.type, self.takesActions, self.reorders) = (type, takesActions, reorders)
    (self.syncs, self.creators) = (syncs, creators)
  }

  func configuration(_ name: String) -> JSON {
    let features: JSON = [
      "lock": .bool(takesActions), "dispatch": .bool(takesActions), "reorder": .bool(reorders),
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
