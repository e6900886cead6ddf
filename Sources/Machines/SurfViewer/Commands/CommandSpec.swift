/// What help, footer, palette and tests know of a command.
package struct CommandSpec: Sendable {
  package let group: CommandGroup
  package let title: String
  /// The first is the one in hints.
  package let keys: [CommandKey]
  /// One or two words for the footer; nil for commands that people guess.
  package let hint: String?
  package let needs: [CommandNeed]
  /// Other words that people type to find it, such as subcommands of `statesurf`.
  package let words: [String]

  /// - Parameter also: `words`, separated by blanks.
  init(
    _ group: CommandGroup, _ title: String, _ keys: [CommandKey], hint: String? = nil,
    needs: [CommandNeed] = [], also words: String = ""
  ) {
    self.group = group
    self.title = title
    self.keys = keys
    self.hint = hint
    self.needs = needs
    self.words = words.split(separator: " ").map(String.init)
  }
}

package enum CommandGroup: String, CaseIterable, Sendable {
  case move = "Move"
  case look = "Look"
  case search = "Search"
  case surf = "Surf"
  case rewrite = "Rewrite"
  case keep = "Keep"
  case viewer = "Viewer"

  /// In the order of the table.
  package var commands: [ViewerCommand] { Self.commands[self] ?? [] }

  private static let commands = Dictionary(grouping: ViewerCommand.allCases, by: \.spec.group)
}

extension ViewerCommand {
  /// The first need that is not met; nil if the command can run now.
  package func unmet(_ met: Set<CommandNeed>) -> CommandNeed? {
    spec.needs.first { !met.contains($0) }
  }

  /// Whether it may change the app, and not only what is shown of it.
  package var changesApp: Bool {
    spec.needs.contains(.liveApp) || self == .undo || self == .hide
  }
}

/// A condition for a command to run. Each viewer says which ones it meets.
package enum CommandNeed: Hashable, Sendable, CaseIterable {
  case app, liveApp, otherApp, restores, commands, actions, replay, wheel
  case row, state, stateInForce, cause, place, source
  case undo, hits, marks, hidden, log
  case statesurf

  /// Why a command cannot run if this is not met. It fits a narrow terminal, and names no key;
  /// `KeyMap.refusal` adds it.
  package var whyNot: String {
    switch self {
    case .app: "no app is here yet"
    case .liveApp: "the app is gone; only its history is here"
    case .otherApp: "there is only one app"
    case .restores: "the app takes no states from outside"
    case .commands: "the app takes no commands"
    case .actions: "the app takes no actions from viewers"
    case .replay: "the app cannot run its actions again"
    case .wheel: "the app has no wheel to take"
    case .row: "this is not a row of an action"
    case .state: "this row has no state"
    case .stateInForce: "the state at this row is not known"
    case .cause: "the app did not say what caused this row"
    case .source: "the app reported no source place for this row"
    case .place: "the cursor is not on a value in Diff or State"
    case .undo: "nothing is left to undo"
    case .hits: "nothing is searched for"
    case .log: "this is not the log"
    case .marks: "no row is marked"
    case .hidden: "no row is deleted from this view"
    case .statesurf: "only `statesurf` can do this"
    }
  }

  /// The command that meets the need, if any, and what that does.
  var remedy: (command: ViewerCommand, deed: String)? {
    switch self {
    case .hits: (.find, "finds")
    case .log: (.logs, "shows it")
    case .marks: (.mark, "marks")
    default: nil
    }
  }
}
