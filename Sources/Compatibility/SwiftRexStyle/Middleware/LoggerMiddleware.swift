internal import Glibc
public import SurfStore
internal import SurfThreads

/// Prints each action with its source and its change of the state, for development: it describes
/// whole states on the thread that drains the store.
///
///     ***
///     Action: increment from Todo/Main.swift:42
///     Old State: 0
///     New State: 1
///     ***
///
/// An empty line follows. An action that leaves the state equal has no state lines.
public final class LoggerMiddleware<Action: Sendable, State: Sendable & Equatable>: Middleware {
  private let filter: (Action, ActionSource) -> Bool
  private let describe: (Action, ActionSource) -> String
  private let report: StateReport<State>
  private let printer: (String) -> Void
  private var getState: GetState<State>?

  /// - Parameters:
  ///   - filter: Whether to print an action.
  ///   - action: Makes the line for an action.
  ///   - state: Makes the lines for a change of the state.
  ///   - printer: Prints the lines for one action. The last one has no line feed.
  public init(
    filter: @escaping (Action, ActionSource) -> Bool = { _, _ in true },
    action: @escaping (Action, ActionSource) -> String = { "Action: \($0) from \($1)" },
    state: StateReport<State> = .whole(),
    printer: @escaping @Sendable (String) -> Void = Printer.standardError
  ) {
    self.filter = filter
    describe = action
    report = state
    self.printer = printer
  }

  /// Keeps `getState`.
  public func receiveContext(
    getState: @escaping GetState<State>, output: AnyActionHandler<Never>
  ) {
    self.getState = getState
  }

  /// Prints the action after the reducer has run.
  public func handle(
    action: Action, from dispatcher: ActionSource, afterReducer: inout AfterReducer
  ) {
    guard let getState, filter(action, dispatcher) else { return }
    let old = getState()
    afterReducer = .do { [describe, report, printer] in
      let new = getState()
      let change = old == new ? nil : report.describe(old, new)
      let lines = ["***", describe(action, dispatcher), change, "***", ""]
      printer(lines.compactMap { $0 }.joined(separator: "\n"))
    }
  }
}

/// How a `LoggerMiddleware` prints a change of the state.
public struct StateReport<State: Sendable>: Sendable {
  let describe: @Sendable (State, State) -> String?

  /// Prints the lines that `describe` makes of the old and the new state, or none for nil.
  public static func custom(
    _ describe: @escaping @Sendable (State, State) -> String?
  ) -> StateReport {
    StateReport(describe: describe)
  }

  /// Prints nothing.
  public static var none: StateReport { .custom { _, _ in nil } }

  /// Prints both states, each as `text` describes it.
  public static func whole(
    _ text: @escaping @Sendable (State) -> String = { "\($0)" }
  ) -> StateReport {
    .custom { "Old State: \(text($0))\nNew State: \(text($1))" }
  }

  /// Prints the lines of `text` that differ, with equal lines around them for context. `text` is by
  /// default the output of `dump`.
  public static func difference(
    contextLineCount: Int = 2, _ text: (@Sendable (State) -> String)? = nil
  ) -> StateReport {
    let text = text ?? dumped
    return .custom { old, new in
      let lines = LineDifference(from: text(old), to: text(new))
      return lines.text(contextLineCount: contextLineCount)
    }
  }
}

/// Functions that print a text as lines, for `LoggerMiddleware` and `Reducer.logging`. Any thread
/// may call them. Each text is one write as a rule, so texts of two threads do not mix. A text is
/// lost where a non-blocking file has no room.
public enum Printer {
  /// Prints to standard error.
  @Sendable public static func standardError(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Appends to the file at `path`, which is created if necessary. Lines are lost if the disk is
  /// full.
  public static func file(at path: String) throws(PrinterError) -> @Sendable (String) -> Void {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .cannotOpen(path: path, errno: errno) }
    let owner = OpenFile(number: file)
    return { write($0, to: owner.number) }
  }

  private static func write(_ text: String, to file: Int32) {
    _ = FileOctets.write(Array((text + "\n").utf8), to: file, waits: false)
  }
}

/// Why `Printer.file` cannot make a printer.
public enum PrinterError: Error, Equatable, Sendable {
  /// The file cannot be opened for writing, with the reason in `errno`.
  case cannotOpen(path: String, errno: Int32)
}

/// Closes the file when the last reference is gone.
private final class OpenFile: Sendable {
  let number: Int32

  init(number: Int32) { self.number = number }

  deinit { close(number) }
}

/// The output of `dump`, without the final line feed.
@Sendable func dumped<Value>(_ value: Value) -> String {
  var text = ""
  dump(value, to: &text)
  if text.last == "\n" { text.removeLast() }
  return text
}
