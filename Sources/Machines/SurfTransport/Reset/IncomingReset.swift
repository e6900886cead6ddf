import SurfWire

/// A state that a viewer wants the app to be in, or a command that it wants carried out.
package struct IncomingReset: Equatable, Sendable {
  /// `state` is a command's bytes (Protocol.md §11.5).
  package var isCommand = false
  /// Whether a debugger within the app asks: it waits for no datagram.
  package var isOwn = false
  package var request: UInt64
  package var viewer: ViewerID
  package var viewerName: String
  /// The row that the viewer took the state from.
  package var target: Position
  /// Of the file that the state is from, if it is from one.
  package var fileName: String?
  /// Nil for the initial state; never empty.
  package var state: Content?

  package init(
    request: UInt64, viewer: ViewerID, viewerName: String, target: Position, state: Content?,
    isCommand: Bool = false
  ) {
    self.isCommand = isCommand
    self.request = request
    self.viewer = viewer
    self.viewerName = viewerName
    self.target = target
    self.state = state?.bytes.isEmpty == true ? nil : state
  }
}

extension IncomingReset {
  /// Where the app is after the reset: without a state, at its beginning, whatever row the viewer
  /// named.
  package var position: Position {
    switch (target, state) {
    case (_, nil): .initial
    case (.initial, _?): .elsewhere
    case (let target, _?): target
    }
  }
}
