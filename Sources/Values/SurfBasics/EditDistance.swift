/// How many letters one must insert, remove, change or swap with their neighbour to turn one word
/// into another (the "optimal string alignment" distance).
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

/// The `candidates` that the writer of `word` may have meant, the nearest first.
///
/// A third of the letters may be wrong: enough for a slip, too little for another word.
package func nearest(to word: String, in candidates: [String]) -> [String] {
  // Longer words are never a slip of ours, and their cost is quadratic.
  guard word.utf8.count <= 64 else { return [] }
  return candidates.map { (editDistance(word, $0), $0) }
    .filter { $0.0 <= max(1, word.count / 3) }
    .sorted { $0 < $1 }
    .map(\.1)
}
