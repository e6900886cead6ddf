import Foundation

/// A stream whose every byte can be checked, and its two ends: see `usage`.
@main
enum Main {
  static let usage = """
    usage: StreamProbe publish --count N --size BYTES [--rate N] [--history BYTES]
                               --go FILE --stop FILE
           StreamProbe view --expect N --size BYTES [--since N] [--ready FILE] [--seconds N]
                            [--hold BYTES]
           StreamProbe garbage --count N [--seed N]
      all: [--interface NAME] [--port N]
    """

  static func main() {
    let arguments = Arguments(CommandLine.arguments.dropFirst(2))
    switch CommandLine.arguments.dropFirst().first {
    case "publish": exit(Publisher(arguments).run())
    case "view": exit(Viewer(arguments).run())
    case "garbage": exit(Garbage(arguments).run())
    default:
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
  }
}

/// `--name value` pairs.
struct Arguments {
  private var values: [String: String] = [:]

  init(_ words: some Collection<String>) {
    var words = Array(words)[...]
    while let name = words.popFirst(), let value = words.popFirst() { values[name] = value }
  }

  func text(_ name: String, _ standard: String = "") -> String { values[name] ?? standard }
  func number(_ name: String, _ standard: Int) -> Int { values[name].flatMap(Int.init) ?? standard }
}

/// The most memory that this process ever had, in kilobytes.
func peakMemory() -> Int {
  let status: String
  do { status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8) } catch {
    return 0
  }
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

/// Nothing for an empty path.
func makeFile(_ path: String) {
  guard !path.isEmpty else { return }
  guard FileManager.default.createFile(atPath: path, contents: nil) else {
    fatalError("cannot write \(path)")
  }
}

/// Nothing for an empty path.
func waitForFile(_ path: String) {
  while !path.isEmpty, !FileManager.default.fileExists(atPath: path) { usleep(2_000) }
}
