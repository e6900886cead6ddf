/// The number of insertions, deletions, substitutions and swaps of neighbours that turn one word
/// into another, ignoring case (the "optimal string alignment" distance).
package func editDistance(_ first: String, _ second: String) -> Int {
  let first = Array(first.lowercased())
  let second = Array(second.lowercased())
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for (i, letter) in first.enumerated() {
    var row = [i + 1]
    for (j, other) in second.enumerated() {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == other ? 0 : 1))
      if i > 0, j > 0, letter == second[j - 1], first[i - 1] == other {
        best = min(best, beforeLast[j - 1] + 1)
      }
      row.append(best)
    }
    (beforeLast, last) = (last, row)
  }
  return last[second.count]
}

/// The `candidates` that a person who typed `word` may have meant, nearest first, for hints.
///
/// Up to a third of the letters may differ: enough for a typo, too few for another word.
package func nearest(to word: String, in candidates: [String]) -> [String] {
  // A longer word is hardly a typo, and the cost is quadratic.
  guard word.utf8.count <= 64 else { return [] }
  return candidates.map { (editDistance(word, $0), $0) }
    .filter { $0.0 <= max(1, word.count / 3) }
    .inOrder { $0 < $1 }
    .map(\.1)
}
