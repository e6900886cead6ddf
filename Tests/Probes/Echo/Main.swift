import Foundation
import SurfStreams

/// A WebSocket that echoes its messages, for Autobahn|Testsuite: see `usage`.
@main
enum Main {
  static let usage = """
    usage: EchoProbe                              listens on loopback, prints `listening PORT`
           EchoProbe --connect PORT --agent NAME  runs the cases of a fuzzing server
    """

  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.isEmpty { return try serve() }
    guard words.count == 4, words[0] == "--connect", let port = UInt16(words[1]),
      words[2] == "--agent"
    else {
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
    try runCases(port: port, agent: words[3])
  }

  private static func serve() throws {
    let anyPort = TCPAddress(.v4(0x7f00_0001), port: 0)
    var limits = StreamLimits()
    limits.unsentMax = 64 << 20
    let loop = try StreamLoop(listeners: [anyPort], name: "echo", limits: limits) { EchoServer() }
    for address in loop.addresses { say("listening \(address.port)") }
    while true { sleep(3_600) }
  }

  private static func runCases(port: UInt16, agent: String) throws {
    let loop = try StreamLoop(listeners: [], name: "echo") {
      CaseRunner(port: port, agent: agent) { fault in
        if let fault { say(fault) }
        exit(fault == nil ? 0 : 1)
      }
    }
    withExtendedLifetime(loop) { while true { sleep(3_600) } }
  }

  /// At once, also into a file.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
