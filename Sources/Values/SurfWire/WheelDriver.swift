/// A viewer that has the wheel of an app (Protocol.md §11.9).
package struct WheelDriver: Equatable, Sendable {
  package let viewer: ViewerID
  /// The viewer's name: to show, not to trust.
  package let name: String

  package init(viewer: ViewerID, name: String) {
    self.viewer = viewer
    self.name = name
  }

  /// For people.
  package var title: String { name.isEmpty ? "somebody" : name }
}
