/// What `find` is asked for.
struct FindOptions {
  var rowCount = 100_000
  /// Whether `jq` is asked, too.
  var asksJQ = false
  /// Only questions that hold this text.
  var part: String?

  /// Nil if the words mean nothing.
  init?(_ words: some Sequence<String>) {
    for word in words {
      let halves = word.split(separator: "=", maxSplits: 1).map(String.init)
      switch halves[0] {
      case "--jq": asksJQ = true
      case "--rows" where halves.count > 1:
        guard let count = Int(halves[1]), count > 0 else { return nil }
        rowCount = count
      case "--only" where halves.count > 1: part = halves[1]
      default: return nil
      }
    }
  }
}
