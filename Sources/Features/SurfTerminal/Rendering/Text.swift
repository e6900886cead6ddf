/// Text from strangers, made harmless for a terminal: control characters, and those that turn the
/// direction of writing, become visible escapes.
package func escaped(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isHarmful) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where isHarmful(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// All of them lie in the basic plane.
func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  // C0, DEL and C1; line and paragraph separators; marks, embeddings and isolates of direction.
  case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x61C: true
  default: false
  }
}

/// Columns that text takes on a terminal.
package func columns(_ text: String) -> Int {
  // Printable ASCII is the rule.
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
  return text.reduce(0) { count, character in
    let widths = character.unicodeScalars.map(columns)
    // What is joined into one picture takes no more than one.
    return count + (widths.contains(2) ? 2 : widths.reduce(0, +))
  }
}

/// Marks and joiners take none of their own.

private func columns(_ scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  // A soft hyphen is shown.
  case .nonspacingMark, .enclosingMark: 0
  case .format: scalar == "\u{AD}" ? 1 : 0
  default: isWide(scalar) ? 2 : 1
  }
}

/// East Asian Wide and Fullwidth, and pictures (UAX #11).
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD:
    true
  default: scalar.properties.isEmojiPresentation
  }
}

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - columns(text)))
}

func rightAligned(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(0, width - columns(text))) + text
}

/// Cut to a width, with an ellipsis where something is missing.
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

/// Cut to a width at the left, with an ellipsis; between the folders of a path, if that will do.
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
