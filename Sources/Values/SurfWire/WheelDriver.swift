/// The viewer that is driving an app: that has its wheel (Protocol.md §11.9).
package struct WheelDriver: Equatable, Sendable {
  package let viewer: ViewerID
  /// For display only; do not trust it.
  package let name: String

  package init(viewer: ViewerID, name: String) {
    self.viewer = viewer
    self.name = name
  }

  package var title: String { name.isEmpty ? "somebody" : name }
}
