import Foundation
import Testing

/// Beside the bundle of the tests; not there if only tests were built.
let withinProbe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  .appending(path: "WithinProbe").path
let hasWithinProbe = FileManager.default.isExecutableFile(atPath: withinProbe)

/// Tests of a program with a debugger within it, on a terminal of the kernel's.
protocol WithinProgram {
  var terminal: PseudoTerminal { get }
  /// The mode before the program.
  var before: [UInt32] { get }
}

extension WithinProgram {
  static var off: String { "\u{1B}[?1049l" }

  func start(_ words: String, term: String = "linux", editor: String = "") throws {
    let arguments = words.split(separator: " ").map(String.init)
    try terminal.start(withinProbe, arguments, term: term, editor: editor)
  }

  func opens(at row: Int) -> Bool {
    terminal.wait(for: "\u{1B}[?1049h") && shows("is at row \(row)")
  }

  /// A picture comes as what differs from the one before; drawn anew, it has the words whole.
  func shows(_ text: String) -> Bool {
    let start = terminal.output.count
    var asksAt = Date()
    return terminal.wait {
      if terminal.text(from: start).contains(text) { return true }
      if Date() >= asksAt {
        terminal.type("\u{0C}")
        asksAt = Date(timeIntervalSinceNow: 0.3)
      }
      return false
    }
  }

  /// What the terminal showed after the picture.
  var rest: String {
    terminal.text().components(separatedBy: Self.off).last ?? ""
  }

  func expectEnd(_ ending: PseudoTerminal.Ending) {
    let seen = terminal.end()
    #expect(seen == ending)
    #expect(terminal.mode == before)
  }
}
