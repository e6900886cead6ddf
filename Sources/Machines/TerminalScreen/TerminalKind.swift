/// What the environment says of a terminal.
package struct TerminalKind: Equatable, Sendable {
  /// Its name, as in `xterm-256color`.
  package var name: String
  /// Whether it can show a screen: it is not `dumb`.
  package var canDraw: Bool
  /// Whether it is asked what it can do: the others show the questions, or do not answer.
  package var isAsked: Bool
  /// How long after an escape octet the rest of a sequence may come.
  package var escapeDelay: Duration
  /// Not where NO_COLOR is set and not empty (no-color.org).
  package var hasColours: Bool
  /// `STATESURF_AMBIGUOUS=2` makes ambiguous clusters wide.
  package var textWidth: TextWidth
  /// Where the locale has no UTF-8.
  package var isASCII: Bool

  package init(environment: [String: String]) {
    name = environment["TERM"] ?? ""
    canDraw = !["", "dumb"].contains(name)
    // Of `screen-256color`, too, which is tmux as well: it answers late, if at all.
    isAsked =
      canDraw && name != "linux" && !name.hasPrefix("screen")
      && environment["TERM_PROGRAM"] != "Apple_Terminal"
    // Over a network, the octets of a sequence may come apart.
    escapeDelay = environment["SSH_TTY"] == nil ? .milliseconds(30) : .milliseconds(80)
    hasColours = (environment["NO_COLOR"] ?? "").isEmpty
    textWidth = TextWidth(environment: environment)
    // The first that is set counts (POSIX, chapter 8.2).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let isUTF8 = locale.map { name in
      let words = name.lowercased()
      return words.contains("utf-8") || words.contains("utf8")
    }
    isASCII = isUTF8 == false
  }
}

extension TextWidth {
  /// `STATESURF_AMBIGUOUS=2` makes ambiguous clusters wide.
  package init(environment: [String: String]) {
    self.init(isAmbiguousWide: environment["STATESURF_AMBIGUOUS"] == "2")
  }
}
