import SurfQuery
import SurfViewer

/// A question to the person, answered in the line above the footer.
struct Prompt: Sendable {
  enum Question: Equatable, Sendable {
    case goTo, find, filter, save, load, dispatch

    /// Whether it is answered by a query.
    var isSearch: Bool { self == .find || self == .filter }

    /// Whether it is answered by a path.
    var isFile: Bool { self == .save || self == .load }

    var label: String {
      switch self {
      case .goTo: "row"
      case .find: "find"
      case .filter: "filter"
      case .save: "save as"
      case .load: "load"
      case .dispatch: "dispatch"
      }
    }
  }

  let question: Question
  var field = TextField()
  /// Why its text is not a query.
  var fault: QueryError?
  /// What its text may become, if a key asked for that.
  var candidates: [String] = []
  /// What a search changes while it is typed; Esc brings it back.
  let before: AppView
}
