/// A line diff of two texts, for `StateReport.difference`.
struct LineDifference {
  private enum Line {
    case same(Substring)
    case removed(Substring)
    case added(Substring)

    var isChange: Bool { if case .same = self { false } else { true } }

    var text: String {
      switch self {
      case .same(let line): "  \(line)"
      case .removed(let line): "- \(line)"
      case .added(let line): "+ \(line)"
      }
    }
  }

  /// Comparing more lines would take longer than some tenths of a second.
  private static let comparedCountMax = 1_000

  private var lines: [Line] = []

  init(from old: String, to new: String) {
    var old = old.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var new = new.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let first = old.first, first == new.first {
      lines.append(.same(first))
      old.removeFirst()
      new.removeFirst()
    }
    var end: [Line] = []
    while let last = old.last, last == new.last {
      end.append(.same(last))
      old.removeLast()
      new.removeLast()
    }
    compare(Array(old), Array(new))
    lines += end.reversed()
  }

  private mutating func compare(_ old: [Substring], _ new: [Substring]) {
    guard max(old.count, new.count) <= Self.comparedCountMax else {
      lines += old.map(Line.removed) + new.map(Line.added)
      return
    }
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if removed.contains(left) {
        lines.append(.removed(old[left]))
        left += 1
      } else if added.contains(right) {
        lines.append(.added(new[right]))
        right += 1
      } else {
        lines.append(.same(old[left]))
        left += 1
        right += 1
      }
    }
  }

  /// The changed lines with context. `…` marks omitted lines.
  func text(contextLineCount: Int) -> String {
    let reach = min(max(contextLineCount, 0), lines.count)
    var isShown = Array(repeating: false, count: lines.count)
    for index in lines.indices where lines[index].isChange {
      for near in max(0, index - reach)...min(lines.count - 1, index + reach) {
        isShown[near] = true
      }
    }
    var texts: [String] = []
    for index in lines.indices {
      if isShown[index] {
        texts.append(lines[index].text)
      } else if texts.last != "…" {
        texts.append("…")
      }
    }
    return texts.joined(separator: "\n")
  }
}
