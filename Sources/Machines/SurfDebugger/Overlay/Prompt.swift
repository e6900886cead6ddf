import SurfQuery
import SurfViewer
import SurfWire

/// A question to the person, answered in the line above the footer.
struct Prompt: Sendable {
  enum Question: Equatable, Sendable {
    case goTo, find, filter, load, dispatch
    /// The state of a row.
    case save(SequenceNumber)
    case exportHistory, importHistory
    /// The text of the values to show.
    case values
    /// By its name, and the list that it is in.
    case setting(String, SettingsPane)
    /// Of a mark at a row.
    case note(SequenceNumber)

    /// Whether it is answered by a query.
    var isSearch: Bool { self == .find || self == .filter }

    /// Whether it is answered by a path.
    var isFile: Bool {
      switch self {
      case .save, .load, .exportHistory, .importHistory: true
      case .goTo, .find, .filter, .dispatch, .values, .setting, .note: false
      }
    }

    /// What is asked of an app by the answer; nil for what only looks.
    var command: ViewerCommand? {
      switch self {
      case .load: .load
      case .dispatch: .dispatch
      case .exportHistory: .exportHistory
      case .importHistory: .importHistory
      case .goTo, .find, .filter, .save, .values, .setting, .note: nil
      }
    }

    /// The list to go back to.
    var pane: SettingsPane? { if case .setting(_, let pane) = self { pane } else { nil } }

    var label: String {
      switch self {
      case .goTo: "row"
      case .find: "find"
      case .filter: "filter"
      case .save: "save as"
      case .load: "load"
      case .dispatch: "dispatch"
      case .exportHistory: "export to"
      case .importHistory: "import"
      case .values: "values with"
      case .setting(let name, _): name
      case .note(let row): "note at row \(row)"
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
  var before: AppView
}
