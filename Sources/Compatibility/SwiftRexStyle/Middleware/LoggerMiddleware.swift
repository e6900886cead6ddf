internal import Glibc
public import SurfStore

/// Prints each action, with its source and what it did to the state. It is for development: it
/// describes whole states, on the thread that drains the store.
///
///     ***
///     Action: increment from Todo/Main.swift:42
///     Old State: 0
///     New State: 1
///     ***
///
/// An empty line follows. An action that leaves the state equal has no report on the state.
public final class LoggerMiddleware<Action: Sendable, State: Sendable & Equatable>: Middleware {
  private let filter: (Action, ActionSource) -> Bool
  private let describe: (Action, ActionSource) -> String
  private let report: StateReport<State>
  private let printer: (String) -> Void
  private var getState: GetState<State>?

  /// - Parameters:
  ///   - filter: Whether to print an action.
  ///   - action: The line for an action.
  ///   - state: The lines for a change of the state.
  ///   - printer: Takes the lines for one action, without the last line's end.
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

  /// Keeps the way to the state.
  public func receiveContext(
    getState: @escaping GetState<State>, output: AnyActionHandler<Never>
  ) {
    self.getState = getState
  }

  /// Prints the action when the reducer has run.
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

  /// The lines that `describe` makes of the old state and the new one; nil for none.
  public static func custom(
    _ describe: @escaping @Sendable (State, State) -> String?
  ) -> StateReport {
    StateReport(describe: describe)
  }

  /// Nothing.
  public static var none: StateReport { .custom { _, _ in nil } }

  /// Both states, each as `text` describes it.
  public static func whole(
    _ text: @escaping @Sendable (State) -> String = { "\($0)" }
  ) -> StateReport {
    .custom { "Old State: \(text($0))\nNew State: \(text($1))" }
  }

  /// The lines of `text` that differ, each with as many equal lines before and after it. Without
  /// `text` they are those of `dump`.
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
/// may call them; two texts never mix.
public enum Printer {
  /// Prints to standard error.
  @Sendable public static func standardError(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Prints to the end of the file at `path`, which is made if there is none. Lines for which the
  /// disk has no room are lost.
  public static func file(at path: String) throws(PrinterError) -> @Sendable (String) -> Void {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .cannotOpen(path: path, errno: errno) }
    let owner = OpenFile(number: file)
    return { write($0, to: owner.number) }
  }

  /// In one call as a rule, so that texts of two threads do not mix.
  private static func write(_ text: String, to file: Int32) {
    var line = text + "\n"
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(file, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}

/// Why a printer cannot be made.
public enum PrinterError: Error, Equatable, Sendable {
  /// The system does not open the file for writing; `errno` says why.
  case cannotOpen(path: String, errno: Int32)
}

/// Closes the file with its last user.
private final class OpenFile: Sendable {
  let number: Int32

  init(number: Int32) { self.number = number }

  deinit { close(number) }
}

/// What `dump` prints, without the last line's end.
@Sendable func dumped<Value>(_ value: Value) -> String {
  var text = ""
  dump(value, to: &text)
  if text.last == "\n" { text.removeLast() }
  return text
}
