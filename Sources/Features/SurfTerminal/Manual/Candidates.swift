import SurfWire

/// What the completion scripts offer for a word of a command line.
package enum Candidates: Equatable, Sendable {
  case nothing
  case files
  /// The labels of live instances, with the host if it is another machine.
  case instances
  case interfaces
  case words([String])
}

extension OptionName {
  /// For the option's value.
  package var candidates: Candidates {
    switch self {
    case .instance, .with: .instances
    case .interface: .interfaces
    case .tokenFile, .relayToken: .files
    case .level: .words(LogLevel.allCases.map { "\($0)" })
    default: .nothing
    }
  }
}

extension Subcommand {
  /// For each positional word, in order.
  package var candidates: [Candidates] {
    positionals.map { positional in
      switch positional.kind {
      case .instance: .instances
      case .row: .words(["tip", "tip~1", "initial"])
      case .choice(let words): .words(words)
      case .file: .files
      case .count, .query, .text: .nothing
      }
    }
  }
}

/// A shell for which there is a completion script.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script, generated from the tables behind `--help`.
  package var completions: [String] {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }
}

/// A shell command that prints the labels of live instances, one per line, with the host if it is
/// another machine. Bash expands what it is offered, and anyone can name an app, so the command
/// prints only labels that are safe: letters, digits and `._-#`.
let instanceCommand =
  "statesurf list --wait 0.4 2>/dev/null | awk 'BEGIN { \"uname -n\" | getline own } "
  + "$1 ~ /^[A-Za-z0-9._-]+#[0-9]+$/ { print $1 "
  + "($3 == own || $3 !~ /^[A-Za-z0-9._-]+$/ ? \"\" : \"@\" $3) }'"
/// A shell command that prints the names of the network interfaces.
let interfaceCommand = "ls /sys/class/net 2>/dev/null | sed -n '/^[A-Za-z0-9._-]*$/p'"
