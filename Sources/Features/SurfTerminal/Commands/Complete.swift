import JSONTools
import JSONTree
import SurfControl
import SurfNetwork
import SurfObserver
import SurfSockets
import SurfTimeline
import SurfViewer
import SurfWire

extension Subcommand {
  static let complete = Self(
    "complete", in: .learn, "Print what may stand at the end of a command line",
    positionals: [Positional("word", .action)], options: [],
    examples: [
      ("complete -- show ''", "as the scripts of `completions` ask"), ("complete -- sh", "one"),
    ], isLocal: true, isAlias: true
  ) { CompleteOptions(words: $0.positionals) }
}

struct CompleteOptions: Command {
  let words: [String]

  func run(on stage: Stage) throws(Failure) -> Int32 {
    let completion = ShellCompletion(words)
    var fixed = completion.fixed
    if completion.candidates.contains(.interfaces) { fixed += Self.interfaces }
    guard completion.asksApps else { return stage.show(completion.actions(fixed)) }
    var stage = stage
    let host = stage.common.host
    stage.common =
      try ArgumentParser.parse(
        completion.common, environment: stage.environment, settings: stage.settings
      ).common
    stage.common.host = stage.common.interface == "lo" ? nil : host ?? HostFacts.current.name
    return try stage.run(CompletionSession(completion, fixed, stage.common))
  }

  private static var interfaces: [Choice] {
    do throws(SocketError) {
      return try NetworkInterface.listed().filter { $0.address != 0 }.map { Choice($0.name) }
    } catch {
      return []
    }
  }
}

/// `statesurf complete`, where an app knows the words: it waits for the apps, or for some rows of
/// one, and prints what they offer. It says nothing else: somebody is typing.
package struct CompletionSession: CommandSession {
  private let completion: ShellCompletion
  private let fixed: [Choice]
  private let host: String?
  private var phase = Phase.finding

  private enum Phase: Equatable {
    case finding
    case loading(SessionID, until: Duration)
    case ended
  }

  /// Apps on this machine answer in a few milliseconds.
  static let patienceHere = Duration.milliseconds(120)
  /// If it takes longer, people go on typing.
  static let patience = Duration.seconds(1)
  private static let rowCount: Int = 20

  package init(_ completion: ShellCompletion, _ fixed: [Choice], _ common: Invocation.Common) {
    self.completion = completion
    self.fixed = fixed
    host = common.host
  }

  private var listing: Duration { host == nil ? Self.patienceHere : Finder.settling }

  package var deadline: Duration? {
    switch phase {
    case .finding: listing
    case .loading(_, let end): end
    case .ended: nil
    }
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch (phase, event) {
    case (.finding, _): find(in: catalog, at: now)
    case (.loading(let session, _), .change(.caughtUp(let other))) where session == other:
      end(in: catalog, session)
    case (.loading(let session, let limit), .deadline) where now >= limit:
      end(in: catalog, session)
    default: []
    }
  }

  private mutating func find(in catalog: Catalog, at now: Duration) -> [CommandAction] {
    guard !completion.candidates.contains(.instances) else {
      return now >= listing ? end(in: catalog) : []
    }
    let live = catalog.live
    let named = live.filter { instance in completion.instance.map(instance.isNamed) ?? true }
    let chosen = named.isEmpty && completion.mayBeOther ? live : named
    // A name that fits is enough to complete a word; nothing is sent to move an app.
    guard now >= listing || (completion.instance != nil && named.count == 1) else { return [] }
    guard chosen.count == 1 else { return end(in: catalog) }
    phase = .loading(chosen[0].session, until: now + Self.patience)
    return [.follow(chosen[0].session, wish)]
  }

  private var wish: HistoryRequest {
    if completion.candidates.contains(.actions) { return .last(WireCount(TargetTask.window)) }
    if completion.candidates.contains(.rows) { return .last(WireCount(Self.rowCount)) }
    return .newestState
  }

  private mutating func end(in catalog: Catalog, _ session: SessionID? = nil) -> [CommandAction] {
    phase = .ended
    let instance = session.flatMap { catalog[$0] }
    var choices = fixed
    var goesOn = false
    for candidates in completion.candidates {
      switch candidates {
      case .instances:
        choices += catalog.live.inListOrder.map { Choice($0.label(seenFrom: host)) }.filter(
          Self.isSafe)
      case .rows: choices += instance.map(rows) ?? []
      case .actions: choices += instance.map(actions) ?? []
      case .paths:
        let paths = instance.map(paths) ?? []
        choices += paths.map(\.choice)
        goesOn = goesOn || paths.contains { $0.goesOn && $0.choice.word.hasPrefix(completion.word) }
      case .nothing, .files, .interfaces, .words, .choices: break
      }
    }
    return completion.actions(choices, goesOn: goesOn) + [.exit(ExitCode.done)]
  }

  /// Whether a shell takes the word as it is. Anybody may give an app, a key or an action a name.
  private static func isSafe(_ choice: Choice) -> Bool {
    !choice.word.hasPrefix("-")
      && choice.word.utf8.allSatisfy { octet in
        let character = Character(UnicodeScalar(octet))
        return octet < 0x80
          && (character.isLetter || character.isNumber || "._-#@[]%".contains(character))
      }
  }

  private func rows(_ instance: Instance) -> [Choice] {
    instance.timeline.rows.suffix(Self.rowCount).reversed().map {
      Choice("\($0.number)", $0.record.name)
    }
  }

  /// The actions that the app has offered, and those that have happened.
  private func actions(_ instance: Instance) -> [Choice] {
    var choices: [Choice] = []
    for row in instance.timeline.rows.reversed() {
      if row.record.kind == .action {
        choices.append(Choice(ActionIdentity.nameWithoutValues(row.record.name)))
      } else if let revision = row.record.revision {
        choices += revision.creators.map { Choice($0.name, $0.fields.joined(separator: " ")) }
      }
    }
    return choices.filter(Self.isSafe)
  }

  /// The places one step below the typed one, and the typed one.
  private func paths(_ instance: Instance) -> [(choice: Choice, goesOn: Bool)] {
    guard let json = instance.timeline.newestJSON() else { return [] }
    let word = completion.word
    let isWhole = JSONPath(parsing: word).flatMap { json[$0.pointer] }.map(Self.isOpen) ?? false
    let above = word.prefix(upTo: word.lastIndex { ".[".contains($0) } ?? word.startIndex)
    let bases = (isWhole ? [word[...]] : []) + [above]
    return bases.flatMap { base -> [(choice: Choice, goesOn: Bool)] in
      guard let path = JSONPath(parsing: base), let value = json[path.pointer] else { return [] }
      return Self.steps(of: value).map { step, value in
        (Choice("\(JSONPath(path.elements + [step]))", value.text()), Self.isOpen(value))
      }
    }.filter { Self.isSafe($0.choice) }
  }

  private static func isOpen(_ json: JSON) -> Bool { !steps(of: json).isEmpty }

  private static func steps(of json: JSON) -> [(JSONPath.Element, JSON)] {
    if let object = json.object { return object.members.map { (.key($0.key), $0.value) } }
    return (json.array ?? []).prefix(rowCount).enumerated().map { (.index($0.offset), $0.element) }
  }
}
