/// What the environment says about a terminal, before the debugger asks the terminal itself.
package struct TerminalKind: Equatable, Sendable {
  /// TERM, such as `xterm-256color`.
  package var name: String
  /// Whether it can show a screen: false for `dumb`.
  package var canDraw: Bool
  /// Whether to ask it what it can do. Others would print the questions, or not answer.
  package var isAsked: Bool
  /// How long the rest of a sequence may take after an escape octet.
  package var escapeDelay: Duration
  /// False if NO_COLOR is set and not empty (no-color.org).
  package var hasColours: Bool
  /// `STATESURF_AMBIGUOUS=2` makes ambiguous clusters wide.
  package var textWidth: TextWidth
  /// Whether the locale is not UTF-8.
  package var isASCII: Bool
  /// Whether `COLORFGBG` names a light background, as rxvt and others do: `0;15`.
  package var isLight: Bool

  package init(environment: [String: String]) {
    name = environment["TERM"] ?? ""
    canDraw = !["", "dumb"].contains(name)
    // `screen-256color` may also be tmux, which answers late or never.
    isAsked =
      canDraw && name != "linux" && !name.hasPrefix("screen")
      && environment["TERM_PROGRAM"] != "Apple_Terminal"
    // Over a network, a sequence may arrive in pieces.
    escapeDelay = environment["SSH_TTY"] == nil ? .milliseconds(30) : .milliseconds(80)
    hasColours = (environment["NO_COLOR"] ?? "").isEmpty
    textWidth = TextWidth(environment: environment)
    // The first variable that is set counts (POSIX, chapter 8.2).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    isASCII = locale?.lowercased().contains(#/utf-?8/#) == false
    let background = environment["COLORFGBG"]?.split(separator: ";").last
    isLight = background == "7" || background == "15"
  }
}

extension TextWidth {
  /// `STATESURF_AMBIGUOUS=2` makes ambiguous clusters wide; so does `true`, as in the settings.
  package init(environment: [String: String]) {
    self.init(isAmbiguousWide: ["2", "true"].contains(environment["STATESURF_AMBIGUOUS"]))
  }
}
