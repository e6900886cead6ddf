/// The keys of the commands: those of the table, but where a person has chosen others.
package struct KeyMap: Equatable, Sendable {
  /// What a person chose, in order.
  package struct Binding: Equatable, Sendable {
    package let command: ViewerCommand
    /// None takes its keys away.
    package let keys: [CommandKey]

    package init(_ command: ViewerCommand, _ keys: [CommandKey]) {
      self.command = command
      self.keys = keys
    }
  }

  private var own: [ViewerCommand: [CommandKey]] = [:]
  private var byKey: [CommandKey: ViewerCommand] = [:]
  /// By the first stroke, the first laid of the keys that have a second one.
  private var beginnings: [CommandKey: KeyConflict.Rival] = [:]
  /// The bindings that do not count.
  package private(set) var conflicts: [KeyConflict] = []

  /// Of two bindings of one command the last counts.
  package init(_ bindings: [Binding] = []) {
    own = Dictionary(bindings.map { ($0.command, $0.keys) }, uniquingKeysWith: { $1 })
    while let conflict = lay() {
      conflicts.append(conflict)
      // All may be otherwise without it.
      own[conflict.binding.command] = nil
    }
  }

  /// Those that nobody can choose are the last.
  package func keys(of command: ViewerCommand) -> [CommandKey] {
    let usual = command.spec.keys
    return own[command].map { $0 + usual.filter(\.isFixed) } ?? usual
  }

  package func command(of key: CommandKey) -> ViewerCommand? { byKey[key] }

  /// The commands of which a key is only the beginning, with the key that must follow.
  package func begun(by key: CommandKey) -> [(next: CommandKey, command: ViewerCommand)] {
    guard beginnings[key] != nil else { return [] }
    return ViewerCommand.allCases.flatMap { command in
      keys(of: command).compactMap { keys in
        let strokes = keys.strokes
        return strokes.count == 2 && strokes[0] == key ? (strokes[1], command) : nil
      }
    }
  }

  /// Gives the keys to their commands, up to the first that cannot be given.
  private mutating func lay() -> KeyConflict? {
    (byKey, beginnings) = ([:], [:])
    for command in ViewerCommand.allCases {
      for key in keys(of: command) {
        if let conflict = conflict(of: key, command) { return conflict }
        byKey[key] = command
        let strokes = key.strokes
        if strokes.count > 1, beginnings[strokes[0]] == nil {
          beginnings[strokes[0]] = KeyConflict.Rival(key, of: command)
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

  /// Nil if the key is that of the table, which has no conflicts of its own.
  private func conflict(
    _ chosen: KeyConflict.Rival, with rival: KeyConflict.Rival
  ) -> KeyConflict? {
    own[chosen.command].map {
      KeyConflict(binding: Binding(chosen.command, $0), key: chosen.key, rival: rival)
    }
  }

  /// What has the key already, or makes it wait for a second stroke, or would have to.
  private func rival(of key: CommandKey, _ command: ViewerCommand) -> KeyConflict.Rival? {
    if let other = byKey[key], other != command { return KeyConflict.Rival(key, of: other) }
    let strokes = key.strokes
    if strokes.count > 1, let other = byKey[strokes[0]] {
      return KeyConflict.Rival(strokes[0], of: other)
    }
    return beginnings[key]
  }
}

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

/// Why a binding does not count: nobody could type both of two keys.
package struct KeyConflict: Equatable, Sendable {
  /// The other key, which may be one of the same command.
  package struct Rival: Equatable, Sendable {
    package let key: CommandKey
    package let command: ViewerCommand

    init(_ key: CommandKey, of command: ViewerCommand) {
      self.key = key
      self.command = command
    }
  }

  package let binding: KeyMap.Binding
  /// Of the binding.
  package let key: CommandKey
  package let rival: Rival

  /// In words for people, seen from the binding.
  package var reason: String { Self.reason(key, rival) }

  /// Seen from the other command.
  package var otherReason: String { Self.reason(rival.key, Rival(key, of: binding.command)) }

  private static func reason(_ key: CommandKey, _ rival: Rival) -> String {
    let (own, other, command) = (key.written, rival.key.written, rival.command.rawValue)
    if key == rival.key { return "'\(own)' is the key of '\(command)'" }
    return key.strokes.count < rival.key.strokes.count
      ? "'\(own)' begins '\(other)', a key of '\(command)'"
      : "'\(own)' begins with '\(other)', the key of '\(command)'"
  }
}
