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

  /// A binding that does not count: the key is another command's, too.
  package struct Conflict: Error, Equatable, Sendable {
    package let binding: Binding
    package let key: CommandKey
    package let other: ViewerCommand
  }

  private var own: [ViewerCommand: [CommandKey]] = [:]
  private var byKey: [CommandKey: ViewerCommand] = [:]
  /// The bindings that do not count.
  package private(set) var conflicts: [Conflict] = []

  /// Of two bindings of one command the last counts.
  package init(_ bindings: [Binding] = []) {
    var left = bindings
    repeat {
      own = Dictionary(left.map { ($0.command, $0.keys) }, uniquingKeysWith: { $1 })
      byKey = [:]
    } while !lay(&left)
  }

  package func keys(of command: ViewerCommand) -> [CommandKey] { own[command] ?? command.spec.keys }

  package func command(of key: CommandKey) -> ViewerCommand? { byKey[key] }

  /// The commands of which a key is only the beginning, with the key that must follow.
  package func begun(by key: CommandKey) -> [(next: CommandKey, command: ViewerCommand)] {
    ViewerCommand.allCases.flatMap { command in
      keys(of: command).compactMap { keys in
        let strokes = keys.strokes
        return strokes.count == 2 && strokes[0] == key ? (strokes[1], command) : nil
      }
    }
  }

  /// - Returns: false if a binding was taken out: then all may be otherwise.
  private mutating func lay(_ left: inout [Binding]) -> Bool {
    for command in ViewerCommand.allCases {
      for key in keys(of: command) {
        guard let other = byKey.updateValue(command, forKey: key), other != command else {
          continue
        }
        // The table has no conflicts of its own: one of the two was bound.
        let index =
          left.lastIndex { $0.command == command } ?? left.lastIndex { $0.command == other }
        guard let index else { continue }
        let binding = left.remove(at: index)
        let rival = binding.command == command ? other : command
        conflicts.append(Conflict(binding: binding, key: key, other: rival))
        return false
      }
    }
    return true
  }
}

extension CommandKey {
  /// A key by its name, as a person writes it; nil if no terminal has such a key.
  package init?(written text: String) {
    var base = text[...]
    for prefix in ["Ctrl-", "Shift-"] where base.count > prefix.count {
      base = base.trimmed(of: prefix)
    }
    let isName = Self.names.contains(String(base))
    guard base.count == 1 || isName else { return nil }
    self.init(text == "Space" ? " " : text)
  }

  /// A digit or `~` begins a row's number, and Ctrl-c always quits.
  package var isFixed: Bool {
    guard let character else { return name == "Ctrl-c" }
    return character == "~" || character.isASCII && character.isNumber
  }

  private static let names: Set<String> = Set(
    [
      "Enter", "Tab", "Backspace", "Esc", "Up", "Down", "Left", "Right", "Home", "End", "PageUp",
      "PageDown", "Delete", "Space",
    ] + (1...12).map { "F\($0)" })
}

extension Substring {
  fileprivate func trimmed(of prefix: String) -> Substring {
    hasPrefix(prefix) ? dropFirst(prefix.count) : self
  }
}
