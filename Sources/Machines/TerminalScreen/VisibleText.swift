/// Text from strangers, made harmless for a terminal: what would drive it, turn the direction of
/// writing or not be seen at all becomes a visible escape. Escaping twice changes nothing more.
package func escaped(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var result = ""
  for piece in VisiblePieces(of: text) {
    switch piece {
    case .cluster(let cluster): result.append(cluster)
    case .escape(let escape): result += escape
    }
  }
  return result
}

/// What a reader sees of a text, one after another: nothing is made of what is not asked for.
struct VisiblePieces: Sequence, IteratorProtocol {
  enum Piece: Equatable {
    case cluster(Character)
    /// ASCII that stands for a scalar that must not be sent.
    case escape(String)
  }

  /// The longest cluster of Unicode's emoji has 10 scalars. With more, a cluster is a hiding-place.
  static let scalarCountMax = 16

  private var characters: String.Iterator
  /// The end of a cluster whose beginning must not be sent, or was long enough.
  private var hidden: Substring.UnicodeScalarView.Iterator?

  init(of text: String) { characters = text.makeIterator() }

  mutating func next() -> Piece? {
    if let scalar = hidden?.next() { return .escape(Self.escape(scalar)) }
    hidden = nil
    guard let character = characters.next() else { return nil }
    let scalars = String(character).unicodeScalars[...]
    let end = Self.visibleEnd(of: scalars)
    if end == scalars.endIndex { return .cluster(character) }
    hidden = scalars[end...].makeIterator()
    guard end > scalars.startIndex else { return next() }
    return .cluster(Character(String(scalars[..<end])))
  }

  /// As far as a cluster may be sent: inside one, what joins and marks belongs there.
  private static func visibleEnd(
    of scalars: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView.Index {
    guard let base = scalars.first, !base.isInvisibleAlone else { return scalars.startIndex }
    let mayHaveTags = base == "\u{1F3F4}"
    var count = 0
    return scalars.firstIndex { scalar in
      count += 1
      return count > scalarCountMax || scalar.isHarmful || scalar.isTag && !mayHaveTags
    } ?? scalars.endIndex
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      scalar.isPrintableASCII ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
