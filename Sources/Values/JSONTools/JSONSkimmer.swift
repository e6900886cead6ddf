import JSONTree

/// Finds the end of a value and the positions of its children, for `JSONRereader` and its helpers.
/// It does not validate: in text that is not JSON, the result is meaningless.
struct JSONSkimmer {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  struct Skim {
    var size = 0
    var children: [Child] = []
  }

  struct Child {
    /// Octets between the previous child, or the beginning, and this one.
    let lead: Int
    let skim: Skim
  }

  /// Nil if the value has no end, or is nested deeper than `JSON.depthMax`.
  func skim(at start: Int, depth: Int) -> Skim? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case ASCII.quote: return stringEnd(from: start).map { Skim(size: $0 - start) }
    case ASCII.openBrace, ASCII.openBracket: return container(at: start, depth: depth)
    default:
      let end = bytes[start...].firstIndex(where: Self.endsWord) ?? bytes.count
      return end > start ? Skim(size: end - start) : nil
    }
  }

  static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case ASCII.comma, ASCII.closeBrace, ASCII.closeBracket, ASCII.colon: true
    default: isSpace(byte)
    }
  }

  func spaceEnd(from start: Int) -> Int {
    bytes[start...].firstIndex { !Self.isSpace($0) } ?? bytes.count
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == ASCII.space || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
      || byte == ASCII.tab
  }

  /// The offset after the closing quotation mark.
  private func stringEnd(from start: Int) -> Int? {
    var place = start + 1
    while place < bytes.count {
      switch bytes[place] {
      case ASCII.quote: return place + 1
      case ASCII.backslash: place += 2
      default: place += 1
      }
    }
    return nil
  }

  private func container(at start: Int, depth: Int) -> Skim? {
    guard depth < JSON.depthMax else { return nil }
    let isObject = bytes[start] == ASCII.openBrace
    var skim = Skim()
    var (place, end) = (spaceEnd(from: start + 1), start)
    if place < bytes.count, isClose(place) { return Skim(size: place + 1 - start) }
    while place < bytes.count {
      if isObject {
        guard let colon = colon(behindKeyAt: place) else { return nil }
        place = spaceEnd(from: colon + 1)
      }
      guard let child = self.skim(at: place, depth: depth + 1) else { return nil }
      // The first child's lead includes the bracket.
      skim.children.append(Child(lead: place - end, skim: child))
      end = place + child.size
      place = spaceEnd(from: end)
      guard place < bytes.count else { return nil }
      if isClose(place) {
        skim.size = place + 1 - start
        return skim
      }
      guard bytes[place] == ASCII.comma else { return nil }
      place = spaceEnd(from: place + 1)
    }
    return nil
  }

  private func isClose(_ place: Int) -> Bool {
    bytes[place] == ASCII.closeBrace || bytes[place] == ASCII.closeBracket
  }

  private func colon(behindKeyAt place: Int) -> Int? {
    guard bytes[place] == ASCII.quote, let end = stringEnd(from: place) else { return nil }
    let colon = spaceEnd(from: end)
    return colon < bytes.count && bytes[colon] == ASCII.colon ? colon : nil
  }
}
