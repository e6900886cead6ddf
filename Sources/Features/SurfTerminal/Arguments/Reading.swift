import SurfNetwork
import SurfObserver
import SurfQuery
import SurfTimeline
import SurfWire

// How the words of a command line are read, where the first may be the name of an instance or
// anything else. The words alone decide where only one reading makes sense; the apps that are live
// decide where both do.
extension Words {
  func invocation(_ common: Invocation.Common) throws(Failure) -> Invocation {
    guard let name else { return Invocation(command: try command(), common: common) }
    var others = self
    others.options[.instance] = .text(name)
    others.positionals.removeFirst()
    switch (result, others.result) {
    case (.success(let command), .success(let other)):
      let other = (other as? any SessionCommand).map { (name: name, command: $0) }
      return Invocation(command: command, common: common, named: other)
    case (.success(let command), .failure): return Invocation(command: command, common: common)
    case (.failure(let failure), .success(let command)):
      var common = common
      (common.instance, common.otherwise) = (name, failure.what)
      return Invocation(command: command, common: common)
    case (.failure(let failure), .failure(let other)):
      let hasTooMany = positionals.count > subcommand.positionals.count
      throw hasTooMany && !subcommand.takesWords ? other : failure
    }
  }

  private var result: Result<any Command, Failure> {
    do throws(Failure) { return .success(try command()) } catch { return .failure(error) }
  }

  /// The first word if it may name an instance. A row never does. Nor does a place before a
  /// relation, or a word that is written as a path, a field or JSON: `-i` names such an instance.
  private var name: String? {
    guard subcommand.mayNameInstance, options[.instance] == nil, let word = positionals.first,
      Self.mayName(word), !(subcommand.takesQuery && isBeforeRelation(word))
    else { return nil }
    return word
  }

  static func mayName(_ word: String) -> Bool {
    word.contains { !$0.isWholeNumber } && word.first != "-" && RowReference(word) == nil
      && !word.contains { $0.isWhitespace || "[](){}\"'~:=<>".contains($0) }
  }

  private func isBeforeRelation(_ word: String) -> Bool {
    do throws(QueryError) {
      return try Query(words: positionals).places.contains { "\($0)" == word }
    } catch {
      return false
    }
  }
}

extension Invocation {
  func run(on stage: Stage) throws(Failure) -> Int32 {
    guard let named, let command = command as? any SessionCommand else {
      return try command.run(on: stage)
    }
    var other = stage
    other.common.instance = named.name
    return try stage.run(
      ReadingSession(
        named.name, plain: try command.session(on: stage),
        named: try named.command.session(on: other)))
  }
}

/// Runs one of two sessions. The named one takes the first word for an instance's name, and runs as
/// soon as such an instance is live. The plain one runs once every app had time to answer, if none
/// has that name.
package struct ReadingSession: CommandSession {
  private let name: String
  private var plain: any CommandSession
  private var named: any CommandSession
  private var choice = Choice.open

  private enum Choice { case open, plain, named }

  package init(_ name: String, plain: any CommandSession, named: any CommandSession) {
    (self.name, self.plain, self.named) = (name, plain, named)
  }

  package var deadline: Duration? {
    switch choice {
    case .open: Finder.settling
    case .plain: plain.deadline
    case .named: named.deadline
    }
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch (choice, event) {
    case (.open, .change) where catalog.live.contains(where: { $0.isNamed(name) }):
      choice = .named
      return named.receive(.deadline(ViewerCounters()), in: catalog, at: now)
    case (.open, .deadline) where now >= Finder.settling:
      choice = .plain
      return receive(event, in: catalog, at: now)
    case (.open, _): return []
    case (.named, _): return named.receive(event, in: catalog, at: now)
    case (.plain, _): return plain.receive(event, in: catalog, at: now).flatMap(explained)
    }
  }

  package mutating func resize(columns: Int) {
    plain.resize(columns: columns)
    named.resize(columns: columns)
  }

  /// A failure of this reading also names the other one.
  private func explained(_ action: CommandAction) -> [CommandAction] {
    let other = "No live instance is named '\(name)'."
    switch action {
    case .fail(var failure):
      let gap = failure.meaning.contains("\n") ? "\n  " : " "
      failure.meaning += (failure.meaning.isEmpty ? "" : gap) + other
      return [.fail(failure)]
    case .exit(ExitCode.failed):
      return [.complain("no live instance is named '\(name)' either"), action]
    default: return [action]
    }
  }
}
