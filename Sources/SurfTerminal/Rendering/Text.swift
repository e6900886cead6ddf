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
  text.reduce(0) { $0 + ($1.unicodeScalars.first.map(isWide) == true ? 2 : 1) }
}

/// East Asian Wide and Fullwidth, and pictures, in blocks (UAX #11).
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
    true
  default: false
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
