import JSONTools
import JSONTree
import SurfWire

/// An action as a person writes it: JSON, or the object text that a Redux DevTools panel takes.
package enum ActionText {
  /// Reads an action out of an argument, or out of standard input for nil.
  ///
  /// - Throws: where the text is not an action, by line and column; 64 is for an argument.
  package static func action(_ argument: String?) throws(Failure) -> JSON {
    let text =
      if let argument { Array(argument.utf8) } else { try StateFile.bytes(of: nil) }
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(String(decoding: text, as: UTF8.self))
    } catch {
      throw Failure(
        "cannot read the action: \(error)",
        meaning: "The quotes are part of the action, and the shell needs quotes around them.",
        advice: #"statesurf dispatch '"increment"', or statesurf dispatch '{"add":"Buy milk"}'"#,
        exitCode: argument == nil ? ExitCode.failed : ExitCode.misuse)
    }
  }
}
