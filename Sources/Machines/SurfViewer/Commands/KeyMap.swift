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
