import JSONTree
import ReduxDevTools
import SurfBasics
import SurfControl
import SurfViewer
import SurfWire

// Subcommands that save states and histories to files, or load them.
extension Subcommand {
  private static let wholeFile = [
    "An existing file is replaced whole or not at all; it keeps its mode, and if possible its",
    "owner. The command follows links, and writes to devices and FIFOs.",
  ]

  static let save = Self(
    "save", in: .keep, "Write the state of a row, or that of the app, to a file",
    positionals: [.row.optional, .file], options: [.instance, .observe],
    examples: [
      ("save good.json", "the state that the app is in, byte for byte"),
      ("save 12 - | jq .", "to standard output"),
    ], notes: wholeFile
  ) { words throws(Failure) in
    let word = words.positionals[0]
    // `-1` is an impossible row rather than a file, which would be `./-1`.
    let isBelowZero = (Int(word) ?? 0) < 0
    guard words.positionals.count == 1, !isBelowZero else {
      if RowReference(word) == nil, let last = words.positionals.last, RowReference(last) != nil {
        throw words.misuse("'save' takes the row first, as in 'save \(last) \(word)'")
      }
      return TargetTask.save(try words.row(0), to: words.file(1))
    }
    if RowReference(word) != nil {
      throw words.misuse("'save' needs a file, and '\(word)' is a row (a file is ./\(word))")
    }
    return TargetTask.save(.app, to: words.file(0))
  }

  static let load = Self(
    "load", in: .keep, "Put the app into the state in a file", positionals: [.file],
    moving: OptionName.moving,
    examples: [
      ("load good.json", "a saved state"),
      ("save 3 - -i A | statesurf load - -i B", "from one app into another"),
    ]
  ) { LoadOptions(path: $0.file(0)) }

  static let export = Self(
    "export", in: .keep, "Write the history to a file that Redux DevTools imports",
    positionals: [.file],
    examples: [
      ("export session.json", "actions, states, and what is left out"),
      ("export - | jq .actionsById", "to standard output"),
    ], notes: wholeFile
  ) { TargetTask.export(to: $0.file(0)) }

  static let `import` = final(
    "import", in: .keep, "Replace the history with that of a Redux DevTools file",
    positionals: [.file],
    examples: [
      ("import session.json", "from `export` or from the panel"),
      ("export - -i A | statesurf import - -i B --yes", "from one app into another"),
    ]
  ) { .import($0.file(0)) }
}

package struct LoadOptions: SessionCommand {
  /// Nil for standard input.
  private let path: String?

  package init(path: String?) { self.path = path }

  package func session(on stage: Stage) throws(Failure) -> any CommandSession {
    let (content, name) = (try StateFile.read(path), path.map { StateFile.name(of: $0) })
    var task = TargetTask.load(content, from: name)
    if let message = HistorianMessage(content.bytes) {
      stage.output.note("this is a Historian message; its state is loaded")
      // An empty state means the initial one.
      task = Content(state: message.state).map { .load($0, from: name) } ?? .reset
    }
    return task.session(on: stage)
  }
}

/// Reads a file with a history that Redux DevTools has exported: for `import` on the command's
/// thread, and for the debugger on `statesurf-file`. So it neither prints nor keeps anything.
enum LiftedStateFile {
  /// Reads the file at a path, or standard input for nil.
  static func read(_ path: String?) throws(Failure) -> ForeignHistory {
    let bytes = try StateFile.bytes(of: path)
    do throws(LiftedFileError) {
      return try ForeignHistory(liftedText: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure(
        "\(path.map { "'\($0)'" } ?? "standard input") is not an exported history: \(error)",
        advice: "statesurf export session.json, or the panel's Export")
    }
  }
}

/// A Historian message in a file: MultipeerKit's envelope, with a state in base64.
///
///     {"type":"Message","payload":{"command":"record","action":"…","state":"eyJuIjoxfQ=="}}
package struct HistorianMessage: Equatable {
  /// Empty for the initial state.
  package let state: [UInt8]

  /// Nil if the bytes are anything else, such as the state of an app.
  package init?(_ bytes: [UInt8]) {
    guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{"),
      let json = JSON(ifValid: bytes),
      json.object?.members.count == 2, json["type"]?.string == "Message",
      let payload = json["payload"],
      payload["command"]?.string != nil, let state = payload["state"]?.string,
      let decoded = Base64.decode(Array(state.utf8)[...], .canonical)
    else { return nil }
    self.state = decoded
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
