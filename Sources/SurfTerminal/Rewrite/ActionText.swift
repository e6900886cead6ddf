import JSONTree
import SurfWire

/// An action as a person writes it.
package enum ActionText {
  /// The value that a text means: the one place that knows how actions are written.
  package static func json(_ text: [UInt8]) throws(JSONError) -> JSON { try JSON(parsing: text) }

  /// Reads an action out of an argument, or out of standard input for nil.
  ///
  /// - Throws: where the text is no action, by line and column; 64 is for an argument.
  package static func action(_ argument: String?) throws(Failure) -> JSON {
    let text =
      if let argument { Array(argument.utf8) } else { try StateFile.read(nil)?.bytes ?? [] }
    do throws(JSONError) {
      return try json(text)
    } catch {
      throw Failure(
        "the action is not JSON: \(error)",
        meaning: "Quotes are part of it, and the shell wants some of its own.",
        advice: #"statesurf dispatch '"increment"', or statesurf dispatch '{"add":"Buy milk"}'"#,
        exitCode: argument == nil ? ExitCode.failed : ExitCode.misuse)
    }
  }
}
