/// What help, footer, palette and the tests know of a command.
package struct CommandSpec: Sendable {
  package let group: CommandGroup
  package let title: String
  /// Its keys; the first is the one in hints.
  package let keys: [CommandKey]
  /// In a word or two, for the footer; nil for a command that people guess.
  package let hint: String?
  /// All of them must be met.
  package let needs: [CommandNeed]

  init(
    _ group: CommandGroup, _ title: String, _ keys: [CommandKey], hint: String? = nil,
    needs: [CommandNeed] = []
  ) {
    self.group = group
    self.title = title
    self.keys = keys
    self.hint = hint
    self.needs = needs
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
}

extension ViewerCommand {
  /// The first of its needs that is not met; nil if it can run now.
  package func unmet(_ met: Set<CommandNeed>) -> CommandNeed? {
    spec.needs.first { !met.contains($0) }
  }

  /// Why it cannot run now; nil if it can.
  package func refusal(met: Set<CommandNeed>) -> String? { unmet(met)?.whyNot }

  package var id: String { rawValue }
}
