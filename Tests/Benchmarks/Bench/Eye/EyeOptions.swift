/// What `eye` is asked for.
struct EyeOptions {
  /// Records a second.
  var rates = [1.0, 100, 1_000, 10_000]
  var viewers = EyeViewer.allCases
  /// Seconds of each run. Even a slow rate gets a few records.
  var seconds = 4.0
  var roundCount = 1
  /// Busy loops beside each run.
  var loads = [0, 2]
  /// Of `statesurf`, to be compared; nil for the one beside this program.
  var programs: [String?] = [nil]

  /// Rates: of more, the longest run would not find a mark for each row.
  private static let possible = 0.01...25_000

  /// Nil if the words mean nothing.
  init?(_ words: some Sequence<String>) {
    for word in words {
      let halves = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard halves.count == 2, set(halves[0], halves[1]) else { return nil }
    }
  }

  private mutating func set(_ name: String, _ value: String) -> Bool {
    let values = value.split(separator: ",").map(String.init)
    switch name {
    case "--rates": rates = values.compactMap(Double.init).filter { Self.possible ~= $0 }
    case "--viewers": viewers = values.compactMap(EyeViewer.init)
    case "--loads": loads = values.compactMap { Int($0) }.filter { 0...64 ~= $0 }
    case "--programs": programs = values
    case "--rounds": roundCount = max(1, Int(value) ?? 1)
    case "--seconds": seconds = min(max(Double(value) ?? seconds, 0.1), 600)
    default: return false
    }
    return ![rates.count, viewers.count, loads.count, programs.count].contains(0)
  }
}
