import SurfCipher
import SurfSeal

/// Both ciphers and the derivation of keys, for tests of strangers' making, and their speed.
///
/// Usage: SealProbe vectors < LINES, SealProbe values, or SealProbe speed
@main enum SealProbe {
  static func main() throws {
    let ciphers = Ciphers()
    switch CommandLine.arguments.dropFirst().first {
    case "vectors": try judge(ciphers)
    case "values": Values.show()
    case "speed": Speed.measure(ciphers)
    default: print("Usage: SealProbe vectors < LINES, SealProbe values, or SealProbe speed")
    }
  }

  /// One line for each case that went wrong, and counts at the end.
  private static func judge(_ ciphers: Ciphers) throws {
    var passed = 0
    var failed = 0
    while let line = readLine() {
      let fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard let verdict = try VectorCase(fields)?.isRight(ciphers) else {
        print("no case: \(line)")
        failed += 1
        continue
      }
      if verdict {
        passed += 1
      } else {
        print("wrong: \(line)")
        failed += 1
      }
    }
    if case .swift(let error) = ciphers { print("Swift alone: \(error)") }
    print("\(passed) right, \(failed) wrong")
  }
}
