import SurfControl
import SurfQuery
import SurfWire

package struct WaitOptions: Equatable, Sendable {
  package var query: Query
  /// How long; nil for ever.
  package var patience: Duration?
  /// What to do once it is true.
  package var sequel: Sequel?
  package var json = false

  package init(_ query: Query) { self.query = query }

  package enum Sequel: Equatable, Sendable {
    /// Something that the app does, or a state that is kept.
    case task(Task)
    /// A program and its arguments, which takes the place of this one.
    case program([String])
  }

  package enum Task: Equatable, Sendable {
    case back, pause, lock
    /// The state of the row, to a path.
    case save(String)

    /// `back`, `pause`, `lock` or `save FILE`; nil for all else.
    init?(_ text: String) {
      switch text {
      case "back": self = .back
      case "pause": self = .pause
      case "lock": self = .lock
      default:
        let path = text.hasPrefix("save ") ? text.dropFirst(5) : ""
        guard !path.isEmpty else { return nil }
        self = .save(String(path))
      }
    }
  }
}
