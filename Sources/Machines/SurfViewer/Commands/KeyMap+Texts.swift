// Texts that name keys ask for them here: a person may have chosen others, or none.
extension KeyMap {
  /// Of a command, the key for hints; nil if it has none.
  package func label(of command: ViewerCommand) -> String? { keys(of: command).first?.label }

  /// What a key does, as `u undoes`; nil if the command has none.
  package func hint(_ command: ViewerCommand, _ deed: String) -> String? {
    label(of: command).map { "\($0) \(deed)" }
  }

  /// A text, and behind it what a key does, if the command has one.
  package func text(
    _ text: String, separator: String = ": ", _ command: ViewerCommand, _ deed: String
  ) -> String {
    [text, hint(command, deed)].compactMap(\.self).joined(separator: separator)
  }

  /// Why a command cannot run now, and what helps; nil if it can.
  package func refusal(of command: ViewerCommand, met: Set<CommandNeed>) -> String? {
    guard let need = command.unmet(met) else { return nil }
    return need.remedy.map { text(need.whyNot, $0.command, $0.deed) } ?? need.whyNot
  }
}
