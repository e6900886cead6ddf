/// The keys of the commands: the table's, except where a person has chosen others. The debugger
/// uses it to read keys and to name them in texts.
package struct KeyMap: Equatable, Sendable {
  /// A person's choice of keys for a command.
  package struct Binding: Equatable, Sendable {
    package let command: ViewerCommand
    /// Empty unbinds the command.
    package let keys: [CommandKey]

    package init(_ command: ViewerCommand, _ keys: [CommandKey]) {
      self.command = command
      self.keys = keys
    }
  }

  private var chosenKeys: [ViewerCommand: [CommandKey]] = [:]
  private var byKey: [CommandKey: ViewerCommand] = [:]
  /// By first stroke: the first two-stroke key that was assigned.
  private var pairsByFirstStroke: [CommandKey: KeyConflict.Rival] = [:]
  /// The bindings that were ignored.
  package private(set) var conflicts: [KeyConflict] = []

  /// If a command is bound twice, the last binding wins.
  package init(_ bindings: [Binding] = []) {
    chosenKeys = Dictionary(bindings.map { ($0.command, $0.keys) }, uniquingKeysWith: { $1 })
    while let conflict = assignKeys() {
      conflicts.append(conflict)
      // Without this binding, other conflicts may change, so start over.
      chosenKeys[conflict.binding.command] = nil
    }
  }

  /// Keys that cannot be rebound come last.
  package func keys(of command: ViewerCommand) -> [CommandKey] {
    let usual = command.spec.keys
    return chosenKeys[command].map { $0 + usual.filter(\.isFixed) } ?? usual
  }

  /// Only some terminals tell Ctrl-i from Tab, so no command can have it. It goes forward, as in
  /// editors.
  package func command(of key: CommandKey) -> ViewerCommand? {
    byKey[key] ?? (key == "Ctrl-i" ? .jumpForward : nil)
  }

  /// The two-stroke keys that start with `key`: the second stroke, and the command.
  package func begun(by key: CommandKey) -> [(next: CommandKey, command: ViewerCommand)] {
    guard pairsByFirstStroke[key] != nil else { return [] }
    return ViewerCommand.allCases.flatMap { command in
      keys(of: command).compactMap { keys in
        let strokes = keys.strokes
        return strokes.count == 2 && strokes[0] == key ? (strokes[1], command) : nil
      }
    }
  }

  /// Assigns keys to commands. Stops at the first conflict and returns it.
  private mutating func assignKeys() -> KeyConflict? {
    (byKey, pairsByFirstStroke) = ([:], [:])
    for command in ViewerCommand.allCases {
      for key in keys(of: command) {
        if let conflict = conflict(of: key, command) { return conflict }
        byKey[key] = command
        let strokes = key.strokes
        if strokes.count > 1, pairsByFirstStroke[strokes[0]] == nil {
          pairsByFirstStroke[strokes[0]] = KeyConflict.Rival(key, of: command)
        }
      }
    }
    return nil
  }

  private func conflict(of key: CommandKey, _ command: ViewerCommand) -> KeyConflict? {
    guard let rival = rival(of: key, command) else { return nil }
    let own = KeyConflict.Rival(key, of: command)
    return conflict(own, with: rival) ?? conflict(rival, with: own)
  }

  /// Nil if the command has its default keys. Those do not conflict with each other.
  private func conflict(
    _ chosen: KeyConflict.Rival, with rival: KeyConflict.Rival
  ) -> KeyConflict? {
    chosenKeys[chosen.command].map {
      KeyConflict(binding: Binding(chosen.command, $0), key: chosen.key, rival: rival)
    }
  }

  /// The command that has the key, or its first stroke, or a two-stroke key that starts with it.
  private func rival(of key: CommandKey, _ command: ViewerCommand) -> KeyConflict.Rival? {
    if let other = byKey[key], other != command { return KeyConflict.Rival(key, of: other) }
    let strokes = key.strokes
    if strokes.count > 1, let other = byKey[strokes[0]] {
      return KeyConflict.Rival(strokes[0], of: other)
    }
    return pairsByFirstStroke[key]
  }
}

// Texts that name keys must get them here, because a person may have changed them.
extension KeyMap {
  /// The key that hints show for a command; nil if it has none.
  package func label(of command: ViewerCommand) -> String? { keys(of: command).first?.label }

  /// What the command's key does, as `u undoes`; nil if it has none.
  package func hint(_ command: ViewerCommand, _ deed: String) -> String? {
    label(of: command).map { "\($0) \(deed)" }
  }

  /// A text followed by `hint`, if the command has a key.
  package func text(
    _ text: String, separator: String = ": ", _ command: ViewerCommand, _ deed: String
  ) -> String {
    [text, hint(command, deed)].compactMap(\.self).joined(separator: separator)
  }

  /// Why a command cannot run now, and how to change that; nil if it can run.
  package func refusal(of command: ViewerCommand, met: Set<CommandNeed>) -> String? {
    guard let need = command.unmet(met) else { return nil }
    return need.remedy.map { text(need.whyNot, $0.command, $0.deed) } ?? need.whyNot
  }
}

/// Why a binding is ignored: two keys are equal, or one starts the other.
package struct KeyConflict: Equatable, Sendable {
  /// The other key, perhaps of the same command.
  package struct Rival: Equatable, Sendable {
    package let key: CommandKey
    package let command: ViewerCommand

    init(_ key: CommandKey, of command: ViewerCommand) {
      self.key = key
      self.command = command
    }
  }

  package let binding: KeyMap.Binding
  /// The conflicting key of the binding.
  package let key: CommandKey
  package let rival: Rival

  /// The conflict in words, from the binding's point of view.
  package var reason: String { Self.reason(key, rival) }

  /// The same from the other command's point of view.
  package var otherReason: String { Self.reason(rival.key, Rival(key, of: binding.command)) }

  private static func reason(_ key: CommandKey, _ rival: Rival) -> String {
    let (own, other, command) = (key.written, rival.key.written, rival.command.rawValue)
    if key == rival.key { return "'\(own)' is the key of '\(command)'" }
    return key.strokes.count < rival.key.strokes.count
      ? "'\(own)' begins '\(other)', a key of '\(command)'"
      : "'\(own)' begins with '\(other)', the key of '\(command)'"
  }
}
