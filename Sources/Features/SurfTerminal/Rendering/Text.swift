import FoundationEssentials
import TerminalScreen

/// How wide text is on the terminal of this process.
private let textWidth = TextWidth(environment: ProcessInfo.processInfo.environment)

/// The columns that escaped text takes on the terminal. Only tests use it outside of this module.
package func columns(_ text: String) -> Int { textWidth.columns(text) }

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - columns(text)))
}

func rightAligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - columns(text))) + text
}

/// Cuts the end of the text to fit a width, with an ellipsis.
func fitted(_ text: String, _ width: Int) -> String {
  guard columns(text) > width else { return text }
  guard width > 0 else { return "" }
  var result = ""
  var used = 0
  for character in text {
    let next = columns(String(character))
    if used + next > width - 1 { break }
    result.append(character)
    used += next
  }
  return result + "…"
}

/// Cuts the beginning of the text to fit a width, with an ellipsis, if possible between folders.
func fittedToEnd(_ text: String, _ width: Int) -> String {
  guard columns(text) > width else { return text }
  var rest = text[...]
  while let slash = rest.dropFirst().firstIndex(of: "/") {
    rest = rest[slash...]
    if columns(String(rest)) < width { return "…" + rest }
  }
  var left = width - 1
  let end = text.reversed().prefix { character in
    left -= columns(String(character))
    return left >= 0
  }
  return width < 1 ? "" : "…" + String(end.reversed())
}

/// `-i 'Todo#12'`, for a command that is printed while other apps may be live.
func option(for label: String) -> String { "-i \(shellWord(label))" }
