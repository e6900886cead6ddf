/// The commands of a viewer: one table for help, footer, palette and tests, in the terminal and on
/// a page.
package enum ViewerCommand: String, CaseIterable, Sendable {
  case up, down, pageUp, pageDown, halfUp, halfDown, first, newest, goTo, jumpBack, jumpForward
  case cause, effect, mark, note, nextMark, previousMark, nextProblem, previousProblem
  case nextPane, previousPane, nextTab, previousTab, open, close, leave, foldAll
  case unfoldAll
  case wrap, watch, unwatch, pin, compare, compareApps, zoom, times, timesFromMark, order, showOrder
  case origin, future, otherFuture, hide, unhide
  case copyPath, copyValue, copyDiff, copyRow, copySource, copyCommand, plain, mouse
  case openSource, edit
  case find, findNext, findPrevious, filter, hideAlike, writers
  case surf, back, forward, undo
  case scrub, goOn, drive
  case dispatch, toggle, moveEarlier, moveLater, sweep, commit, rollback, reset, pause, lock
  case save, load, exportHistory, importHistory
  case values, logs, level
  case follow, nextApp, previousApp, apps, palette, help, settings, redraw, suspend, quit

  package var spec: CommandSpec { Self.specs[self] ?? written }

  /// Each frame asks for many of them.
  private static let specs = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.written) })

  private var written: CommandSpec {
    switch self {
    case .up: .init(.move, "one line up", ["Up", "k"])
    case .down: .init(.move, "one line down", ["Down", "j"])
    case .pageUp: .init(.move, "a page up", ["PageUp"])
    case .pageDown: .init(.move, "a page down", ["PageDown"])
    case .halfUp: .init(.move, "half a page up", ["Ctrl-u"])
    case .halfDown: .init(.move, "half a page down", ["Ctrl-d"])
    case .first: .init(.move, "go to the first row", ["Home", "g"], also: "top oldest")
    case .newest:
      .init(
        .move, "go to the program's newest row, and follow it", ["End", "G"], also: "bottom tip")
    case .goTo:
      .init(.move, "go to a row by its number", ["Ctrl-g"], needs: [.app], also: "time line")
    case .jumpBack:
      .init(.move, "go back to where the cursor jumped from", ["Ctrl-o"], also: "history")
    case .jumpForward: .init(.move, "go forward again, after going back", ["Ctrl-n"])
    case .cause:
      .init(.move, "go to the row that caused this one", [","], needs: [.cause], also: "parent")
    case .effect:
      .init(.move, "go to the first row that this one caused", ["."], needs: [.row], also: "child")
    case .mark:
      .init(.move, "mark the row, or remove the mark", ["m"], needs: [.row], also: "bookmark")
    case .note:
      .init(.move, "mark the row with a note", ["M"], needs: [.row], also: "comment annotate")
    case .nextMark: .init(.move, "go to the next mark", ["'"], needs: [.marks])
    case .previousMark: .init(.move, "go to the previous mark", ["\""], needs: [.marks])
    case .nextProblem: .init(.move, "go to the next error or warning", ["e"], needs: [.app])
    case .previousProblem: .init(.move, "go to the previous error or warning", ["E"], needs: [.app])
    case .nextPane: .init(.look, "switch to the other pane", ["Tab"], hint: "pane")
    case .previousPane: .init(.look, "switch to the other pane, backwards", ["Shift-Tab"])
    case .nextTab:
      .init(.look, "next tab of the detail", ["]"], hint: "next tab", also: "show info")
    case .previousTab: .init(.look, "previous tab of the detail", ["["])
    case .open: .init(.look, "open, or unfold", ["Enter", "Right", "l"], hint: "unfold")
    case .close: .init(.look, "fold, or go back to the list", ["Left", "h"])
    case .leave:
      .init(
        .look, "end the search or the filter, or go back to the list", ["Esc"],
        also: "escape cancel")
    case .foldAll: .init(.look, "fold all", ["-"], also: "collapse")
    case .unfoldAll: .init(.look, "unfold all below the cursor", ["="], also: "expand")
    case .wrap: .init(.look, "wrap long lines, or cut them", ["W"])
    case .watch:
      .init(
        .look, "show the place under the cursor as a column, or stop", ["w"], hint: "column",
        needs: [.app, .place])
    case .unwatch: .init(.look, "stop watching all places", [], needs: [.app])
    case .pin:
      .init(.look, "compare all rows with this one", ["b"], hint: "base", needs: [.state])
    case .compare:
      .init(
        .look, "compare with the row before, the base, or the app", ["d"], needs: [.app],
        also: "diff")
    case .compareApps:
      .init(.look, "compare with another app", ["C"], needs: [.app, .otherApp], also: "diff with")
    case .zoom:
      .init(.look, "show both panes, the list, or the detail", ["+", "_", "z"], also: "layout")
    case .times:
      .init(
        .look, "show times by the clock, since the first row, or since the row before", ["t"],
        also: "elapsed")
    case .timesFromMark: .init(.look, "show times since the previous mark", ["T"], needs: [.marks])
    case .order: .init(.look, "list the newest row first, or last", ["r"], also: "reverse sort")
    case .showOrder:
      .init(
        .look, "list the actions in the order in force, or all rows by number", ["O"], needs: [.app]
      )
    case .find:
      .init(
        .search, "find rows by text or query", ["/"], hint: "find", needs: [.app],
        also: "search where")
    case .findNext: .init(.search, "go to the next hit", ["n"], needs: [.hits])
    case .findPrevious: .init(.search, "go to the previous hit", ["N"], needs: [.hits])
    case .hideAlike:
      .init(.search, "hide rows with this row's name", ["X"], needs: [.app, .row])
    case .writers:
      .init(
        .search, "go to the last row that wrote the place under the cursor", ["*"],
        hint: "last writer", needs: [.app, .place], also: "trace blame")
    case .filter:
      .init(
        .search, "show only rows that match text or query", ["f", "Ctrl-f"], hint: "filter",
        needs: [.app], also: "grep where")
    case .origin:
      .init(.move, "go to the row that this one grew from", ["("], needs: [.app], also: "branch")
    case .future:
      .init(
        .move, "go to the first row that grew from this one", [")"], needs: [.app], also: "branch")
    case .otherFuture:
      .init(
        .move, "go to the next future of the nearest fork", ["|"], needs: [.app], also: "branch")
    case .hide:
      .init(
        .look, "delete the row from this view; if the app is there, move it one state back",
        ["Delete"], needs: [.row], also: "remove")
    case .unhide: .init(.look, "show the deleted rows again", [], needs: [.hidden])
    case .copyPath:
      .init(.keep, "copy the path under the cursor", ["y p"], needs: [.place], also: "yank")
    case .copyValue:
      .init(
        .keep, "copy the value under the cursor, or the state", ["y v"], needs: [.stateInForce],
        also: "yank")
    case .copyDiff: .init(.keep, "copy the difference", ["y d"], needs: [.state], also: "yank diff")
    case .copyRow: .init(.keep, "copy the row as JSON", ["y r"], needs: [.row], also: "yank")
    case .copySource:
      .init(.keep, "copy the source location", ["y s"], needs: [.source], also: "yank")
    case .copyCommand:
      .init(
        .keep, "copy the command that shows this in a shell", ["y c"], needs: [.app], also: "yank")
    case .plain: .init(.keep, "show the pane as plain text, for selecting", ["L"])
    case .mouse: .init(.viewer, "give the mouse to the terminal, or take it back", ["F2"])
    case .surf:
      .init(
        .surf, "put the app into the state of this row", ["s"], hint: "surf here",
        needs: [.app, .liveApp, .restores, .stateInForce], also: "jump restore")
    case .back:
      .init(.surf, "step the app back by one state", ["<"], needs: [.app, .liveApp, .restores])
    case .forward:
      .init(.surf, "step the app forward by one state", [">"], needs: [.app, .liveApp, .restores])
    case .reset:
      .init(
        .surf, "reset: put the app into its initial state", [], needs: [.app, .liveApp, .restores],
        also: "restart")
    case .scrub:
      .init(
        .surf, "auto-apply: make the app follow the cursor, on or off", ["A"],
        needs: [.app, .liveApp, .restores])
    case .goOn:
      .init(
        .surf, "put the app into this state, unlock it, and let it continue", ["c"],
        needs: [.app, .liveApp, .restores, .stateInForce], also: "continue")
    case .drive:
      .init(
        .surf, "drive: keep other viewers from moving the app, on or off", ["V"],
        needs: [.app, .liveApp, .wheel], also: "wheel")
    case .undo:
      .init(
        .surf, "undo your last jump, skip, move or deletion", ["u"], needs: [.app, .undo],
        also: "revert")
    case .dispatch:
      .init(
        .rewrite, "run an action in the app", ["D"], needs: Self.commandable + [.actions],
        also: "send")
    case .toggle:
      .init(
        .rewrite, "skip the action, or take it back in", ["x"], needs: Self.replayable,
        also: "skip unskip exclude")
    case .moveEarlier:
      .init(
        .rewrite, "move the action one place earlier", ["K"], needs: Self.replayable,
        also: "move reorder")
    case .moveLater:
      .init(
        .rewrite, "move the action one place later", ["J"], needs: Self.replayable,
        also: "move reorder")
    case .sweep: .init(.rewrite, "sweep: forget the skipped actions", [], needs: Self.rewritable)
    case .commit:
      .init(
        .rewrite, "commit: make history begin with the current state", [], needs: Self.rewritable)
    case .rollback:
      .init(
        .rewrite, "roll back to the state where history begins", [], needs: Self.rewritable,
        also: "revert")
    case .pause:
      .init(.rewrite, "pause recording, or resume it", [], needs: Self.commandable, also: "resume")
    case .lock:
      .init(
        .rewrite, "lock: make the app refuse its own actions, on or off", ["Z"],
        needs: Self.commandable, also: "unlock freeze")
    case .save:
      .init(.keep, "save the state of this row to a file", ["S"], needs: [.app], also: "write")
    case .load:
      .init(
        .keep, "load a state from a file into the app", ["R"], needs: [.app, .liveApp, .restores],
        also: "read put")
    case .openSource:
      .init(
        .keep, "open the source of this row in your editor", ["o"], needs: [.source], also: "code")
    case .edit:
      .init(
        .keep, "edit the state of this row in your editor, and load it", [],
        needs: [.app, .liveApp, .restores, .stateInForce], also: "change")
    case .exportHistory:
      .init(
        .keep, "export the history for Redux DevTools", [], needs: [.statesurf, .app],
        also: "export")
    case .importHistory:
      .init(
        .keep, "import a history in place of the app's own", [],
        needs: [.statesurf] + Self.commandable, also: "import")
    case .follow:
      .init(.move, "follow the newest row, on or off", ["F"], hint: "follow", also: "watch tail")
    case .values:
      .init(.viewer, "show the app's live values, or its rows", ["v"], needs: [.statesurf, .app])
    case .logs:
      .init(.viewer, "show the app's log, or all rows", ["i"], needs: [.app], also: "log")
    case .level: .init(.viewer, "show the log from the next level up", ["I"], needs: [.log])
    case .nextApp:
      .init(
        .viewer, "next app", ["}"], hint: "next app", needs: [.otherApp],
        also: "list switch instance")
    case .previousApp:
      .init(.viewer, "previous app", ["{"], needs: [.otherApp], also: "list switch instance")
    case .apps: .init(.viewer, "show all apps in a table", ["a"], also: "list instances")
    case .palette: .init(.viewer, "all commands and apps", [":", "Ctrl-p"], hint: "more")
    case .help: .init(.viewer, "help", ["?", "F1"], hint: "help", also: "keys")
    case .settings:
      .init(
        .viewer, "settings: colours, keys, and more", [], needs: [.statesurf],
        also: "theme colors preferences options")
    case .redraw: .init(.viewer, "redraw the screen", ["Ctrl-l"], also: "refresh")
    case .suspend: .init(.viewer, "suspend, until `fg`", ["Ctrl-z"], also: "background")
    case .quit: .init(.viewer, "quit", ["q", "Ctrl-c"], also: "exit")
    }
  }

  private static let commandable: [CommandNeed] = [.app, .liveApp, .commands]
  private static let rewritable = commandable + [.replay]
  private static let replayable = rewritable + [.row]
}
