import JSONTree
import SurfCipher
import SurfSeal
import TerminalScreen

extension Subcommand {
  static let key = Self(
    "key", in: .fix,
    "Make a key that seals what apps and viewers say, or list the keys",
    positionals: [
      Positional("new|watch|list", .choice(["new", "watch", "list"])).optional, .file.optional,
    ], options: [.json],
    examples: [
      ("key new", "a key file, which apps and commands find by themselves"),
      ("key watch", "a watch-only key, for somebody who must not drive"),
      ("key list", "the fingerprints of the keys, and what each is for"),
    ],
    notes: [
      "The file is the one that STATESURF_KEY_FILE names, or $XDG_CONFIG_HOME/statesurf/key, or",
      "~/.config/statesurf/key; `none` in STATESURF_KEY_FILE seals nothing. Copy it to all",
      "machines of a group: nobody without it can read or move the group's apps. A line is a key;",
      "the first one seals, and all of them open. `key new -` prints another one, to rotate keys.",
      "If the file has faults, nothing is sent, and the exit code is 1.",
    ], isLocal: true
  ) { words throws(Failure) in
    KeyOptions(try KeyTask(words), json: words.has(.json))
  }
}

package struct KeyOptions: Command {
  private let task: KeyTask
  private let json: Bool

  package init(_ task: KeyTask, json: Bool) { (self.task, self.json) = (task, json) }

  package func run(on stage: Stage) throws(Failure) -> Int32 {
    stage.show(try KeyCommand(environment: stage.environment).actions(task, json: json))
  }
}

package enum KeyTask: Equatable, Sendable {
  case new(KeyDestination)
  case watch
  case list

  init(_ words: Words) throws(Failure) {
    let word = words.positionals.first ?? "list"
    let place = words.positionals.dropFirst().first
    if word == "new" {
      self = .new(place.map { $0 == "-" ? .output : .file($0) } ?? .usualFile)
      return
    }
    if let place { throw words.misuse("'key \(word)' takes no '\(place)'") }
    switch word {
    case "watch": self = .watch
    case "list": self = .list
    default:
      throw words.misuse("'key' cannot '\(word)'", meaning: "It can: new, watch, list.")
    }
  }
}

package enum KeyDestination: Equatable, Sendable {
  case usualFile
  case file(String)
  case output
}

/// `statesurf key`: creates keys and lists them.
package struct KeyCommand {
  private let environment: [String: String]

  package init(environment: [String: String]) { self.environment = environment }

  package func actions(_ task: KeyTask, json: Bool) throws(Failure) -> [CommandAction] {
    switch task {
    case .new(let destination): try make(destination, json: json)
    case .watch: secret(try contents().keys.ring.sealingKey.watchKey, json: json)
    case .list: try list(json: json)
    }
  }

  private func make(_ destination: KeyDestination, json: Bool) throws(Failure) -> [CommandAction] {
    let key: GroupKey
    do throws(Randomness.Failure) { key = try .random() } catch { throw Failure("\(error)") }
    let file: KeyFile? =
      switch destination {
      case .usualFile: try usualFile()
      case .file(let path): KeyFile(path: path)
      case .output: nil
      }
    guard let file else { return secret(key, json: json) }
    try Self.attempt { () throws(KeyFileError) in try file.write(key) }
    if json { return [.printBytes(object(key, ["file": .string(file.path)]))] }
    let isUsual = destination == .usualFile
    return [
      .print(Line("made \(key), in \(escaped(file.path))")),
      .print(
        Line(
          "  Copy that file to "
            + (isUsual
              ? "the same place on all of your group's machines."
              : "all of your group's machines, and name it in \(KeyFile.variable)."),
          .dim)),
    ]
  }

  /// Prints the key and nothing else, so that the output can go to a file.
  private func secret(_ key: GroupKey, json: Bool) -> [CommandAction] {
    if json { return [.printBytes(object(key, ["key": .string(key.text)]))] }
    return [.printBytes(Array((key.text + "\n").utf8))]
  }

  private func list(json: Bool) throws(Failure) -> [CommandAction] {
    let (file, contents) = try contents()
    let keys = contents.ring.keys
    guard !json else {
      return keys.enumerated().map { index, key in
        let facts: JSONObject = ["file": .string(file.path), "seals": .bool(index == 0)]
        return .printBytes(object(key, facts))
      }
    }
    return keys.enumerated().map { index, key in
      .print(Line("\(key)  id \(key.id)  \(index == 0 ? "seals and opens" : "opens")"))
    } + [.print(Line("in \(escaped(file.path)), mode 0\(String(contents.mode, radix: 8))", .dim))]
  }

  private func contents() throws(Failure) -> (file: KeyFile, keys: KeyFile.Contents) {
    let file = try usualFile()
    guard let contents = try Self.attempt({ () throws(KeyFileError) in try file.read() }) else {
      throw Failure(
        "there is no key", meaning: "Nothing is sealed. A key would be in \(file.path).",
        advice: "statesurf key new")
    }
    return (file, contents)
  }

  private static func attempt<Result>(
    _ body: () throws(KeyFileError) -> Result
  ) throws(Failure) -> Result {
    do throws(KeyFileError) { return try body() } catch {
      throw Failure("\(error)", advice: error.fix)
    }
  }

  private func usualFile() throws(Failure) -> KeyFile {
    if let file = KeyFile(environment: environment) { return file }
    throw Failure(
      "no key is wanted here", meaning: "The environment says so, or names no home.",
      advice: "\(KeyFile.variable)=FILE")
  }

  /// `fingerprint`, `id`, `kind`, and the given facts.
  private func object(_ key: GroupKey, _ facts: JSONObject) -> [UInt8] {
    let members: JSONObject = [
      "fingerprint": .string(key.fingerprint.description), "id": .string(key.id.description),
      "kind": .string(key.drives ? "drive" : "watch"),
    ]
    return EventJSON.object(members.adding(facts))
  }
}
