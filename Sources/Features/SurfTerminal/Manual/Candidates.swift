import SurfWire

/// What a shell may offer for a word of a command line.
package enum Candidates: Equatable, Sendable {
  case nothing
  case files
  /// The live instances, by their labels, with the host of those on other machines.
  case instances
  case interfaces
  case words([String])
}

extension OptionName {
  /// For its value.
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
  /// For its words that are no options, in their order; the last one's count for further words.
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

/// A shell that completes command lines.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// A script that this shell reads, made of the tables that `--help` prints.
  package var completions: [String] {
    switch self {
    case .bash: BashCompletions.script
    case .zsh: ZshCompletions.script
    case .fish: FishCompletions.script
    }
  }
}

/// A shell command that prints the labels of the live instances, a line each, with the host of one
/// on another machine. Apps are strangers, and bash expands what it is offered: only labels of
/// letters and digits are offered at all.
let instanceCommand =
  "statesurf list --wait 0.4 2>/dev/null | awk 'BEGIN { \"uname -n\" | getline own } "
  + "$1 ~ /^[A-Za-z0-9._-]+#[0-9]+$/ { print $1 "
  + "($3 == own || $3 !~ /^[A-Za-z0-9._-]+$/ ? \"\" : \"@\" $3) }'"
/// And one for the names of the network interfaces.
let interfaceCommand = "ls /sys/class/net 2>/dev/null | sed -n '/^[A-Za-z0-9._-]*$/p'"
