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
