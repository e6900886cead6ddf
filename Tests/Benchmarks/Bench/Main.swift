import Foundation

/// Two ends for the harness that compares multicast engines, and benchmarks that stand alone.
@main
enum Main {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "pub": exit(Publisher(HarnessOptions(words.dropFirst())).run())
    case "sub": exit(Subscriber(HarnessOptions(words.dropFirst())).run())
    case "list": exit(Runner.list())
    case "run": exit(Runner(words.dropFirst()).run())
    case "find":
      guard let options = FindOptions(words.dropFirst()) else {
        complain(usage)
        exit(64)
      }
      exit(FindBench(options).run())
    case "eye":
      guard let options = EyeOptions(words.dropFirst()) else {
        complain(usage)
        exit(64)
      }
      var bench = EyeBench(options)
      exit(bench.run())
    case "--help", "-h", "help":
      say(usage)
    default:
      complain(usage)
      exit(64)
    }
  }
}

/// Writes a line to standard output immediately: benchmarks are slow, and somebody may be reading.
func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// One line to standard error.
func complain(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
