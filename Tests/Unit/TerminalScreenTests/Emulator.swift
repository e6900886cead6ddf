import TerminalScreen

/// A terminal that knows what `ScreenWriter` sends, and fails at anything else.
struct Emulator {
  struct Glyph: Equatable {
    var text = " "
    var style = CellStyle.plain
    /// Columns; 0 in the second one.
    var width = 1

    /// As a person sees it: a blank has no colour.
    var seen: Glyph {
      let isBlank = text == " " && style.traits.isDisjoint(with: [.underline, .reverse, .strike])
      return isBlank ? Glyph() : self
    }
  }

  struct Fault: Error { let rest: String }

  let size: ScreenSize
  /// How wide this terminal draws a cluster.
  let columns: (Character) -> Int
  var rows: [[Glyph]]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var showsCursor = false
  private(set) var isSynchronized = false
  private var style = CellStyle.plain

  init(_ size: ScreenSize, columns: @escaping (Character) -> Int = { TextWidth().columns($0) }) {
    self.size = size
    self.columns = columns
    // Whatever a shell left there.
    rows = Array(
      repeating: Array(repeating: Glyph(text: "?", style: .bold), count: size.width),
      count: size.height)
  }

  mutating func receive(_ bytes: [UInt8]) throws {
    var text = Substring(String(decoding: bytes, as: UTF8.self))
    while let first = text.first {
      if first == "\u{1B}" {
        try command(&text)
      } else {
        text.removeFirst()
        print(first)
      }
    }
  }

  private mutating func command(_ text: inout Substring) throws {
    let fault = Fault(rest: String(text.prefix(20)))
    guard let command = Command(text.utf8) else { throw fault }
    text = text[command.end...]
    let numbers = command.numbers
    switch (command.mark, command.final, numbers) {
    case ("", "H", _):
      row = (numbers.first ?? 1) - 1
      column = (numbers.dropFirst().first ?? 1) - 1
    case ("", "G", _): column = (numbers.first ?? 1) - 1
    case ("", "C", _): column += numbers.first ?? 1
    case ("", "K", []): clear(column..<size.width)
    case ("", "X", _): clear(column..<min(column + (numbers.first ?? 1), size.width))
    case ("", "J", [2]): rows = rows.map { $0.map { _ in Glyph() } }
    case ("", "m", _): style = style(numbers)
    case ("?", "h", [25]), ("?", "l", [25]): showsCursor = command.final == "h"
    case ("?", "h", [2026]), ("?", "l", [2026]): isSynchronized = command.final == "h"
    default: throw fault
    }
    guard row < size.height, column < size.width else { throw fault }
  }

  /// `ESC [`, perhaps `?`, numbers and a letter. By hand: thousands of frames are read.
  private struct Command {
    var mark = ""
    var numbers: [Int] = []
    var final = ""
    let end: String.Index

    init?(_ bytes: Substring.UTF8View) {
      var rest = bytes.dropFirst()
      guard rest.popFirst() == 0x5B else { return nil }
      if rest.first == 0x3F {
        mark = "?"
        rest = rest.dropFirst()
      }
      let digits = rest.prefix { 0x30...0x39 ~= $0 || $0 == 0x3B }
      numbers = digits.split(separator: 0x3B).compactMap { Int(Substring($0)) }
      rest = rest[digits.endIndex...]
      guard let letter = rest.popFirst(), letter >= 0x40, letter < 0x7F else { return nil }
      final = String(Unicode.Scalar(letter))
      end = rest.startIndex
    }
  }

  private func style(_ numbers: [Int]) -> CellStyle {
    var style = style
    for number in numbers.isEmpty ? [0] : numbers {
      switch number {
      case 1: style.traits.insert(.bold)
      case 2: style.traits.insert(.dim)
      case 4: style.traits.insert(.underline)
      case 7: style.traits.insert(.reverse)
      case 9: style.traits.insert(.strike)
      case 30...37: style.colour = .init(rawValue: UInt8(number - 30))
      case 90...97: style.colour = .init(rawValue: UInt8(number - 82))
      default: style = .plain
      }
    }
    return style
  }

  /// In the style that is set, as far as it is seen on a blank: some terminals do so.
  private mutating func clear(_ columns: Range<Int>) {
    for index in columns {
      erase(index)
      rows[row][index].style.traits = style.traits.intersection([.underline, .reverse, .strike])
    }
  }

  /// Half of a wide cluster is a blank.
  private mutating func erase(_ index: Int) {
    if rows[row][index].width == 0, index > 0 { rows[row][index - 1] = Glyph() }
    if rows[row][index].width == 2, index + 1 < size.width { rows[row][index + 1] = Glyph() }
    rows[row][index] = Glyph()
  }

  /// Without wrapping: the last column takes what finds no room.
  private mutating func print(_ cluster: Character) {
    let width = columns(cluster)
    let first = min(column, size.width - width)
    guard first >= 0 else { return }
    for index in first..<(first + width) { erase(index) }
    rows[row][first] = Glyph(text: String(cluster), style: style, width: width)
    if width == 2 { rows[row][first + 1] = Glyph(text: "", style: style, width: 0) }
    column = min(first + width, size.width - 1)
  }
}

extension Emulator {
  /// The cells of a screen on a terminal that draws as we expect.
  static func rows(of screen: Screen) -> [[Glyph]] {
    (0..<screen.size.height).map { row in
      (0..<screen.size.width).map { column in
        let cell = screen[row: row, column: column]
        return Glyph(
          text: cell?.cluster ?? "", style: cell?.style ?? .plain, width: Int(cell?.width ?? 0))
      }
    }
  }
}

extension Emulator {
  /// The first cell that is not as wanted, or nil.
  func difference(from wanted: [[Glyph]]) -> String? {
    for row in 0..<size.height where rows[row] != wanted[row] {
      for column in 0..<size.width where rows[row][column].seen != wanted[row][column].seen {
        let (seen, other) = (rows[row][column], wanted[row][column])
        let scalars = (Array(seen.text.unicodeScalars), Array(other.text.unicodeScalars))
        return "at \(row), \(column): \(scalars.0) \(seen.style), not \(scalars.1) \(other.style)"
      }
    }
    return nil
  }
}
