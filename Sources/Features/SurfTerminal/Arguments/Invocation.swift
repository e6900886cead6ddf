import SurfNetwork
import SurfQuery
import SurfWire

/// A parsed command line, for `Program` to run.
package struct Invocation {
  package let command: any Command
  package let common: Common
  /// Another reading of the same words, where the first one names an instance.
  package var named: (name: String, command: any SessionCommand)?

  /// The options that most subcommands share.
  package struct Common: Equatable, Sendable {
    package var instance: String?
    /// The instance that `-i` has named, if `instance` is the one of `--with`.
    package var first: SessionID?
    /// Why the words mean nothing unless the first one names an instance.
    package var otherwise: String?
    /// This machine's name. Nil if every app counts as running on it, as on loopback.
    package var host: String?
    /// How many sockets of this machine listened for probes when the command began: each is an
    /// app's. Nil if that is not known.
    package var listenerCount: Int?
    package var interface = "lo"
    package var group = NetworkDefaults.group
    package var port = NetworkDefaults.port
    package var realms = RealmFilter.only(nil)
    package var viewerName: String?
    package var browsesDNSSD = true
    package var timeout = Duration.seconds(5)
    /// Whether to transmit nothing.
    package var observes = false
    /// Whether to move unsealed apps even though there is a key.
    package var movesOpenApps = false
    /// Whether to take the wheel of an app while moving it.
    package var drives = false

    package init() {}
  }
}

extension Invocation {
  /// Runs the command. If the words have two readings, runs the one that the live apps decide for.
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

// How the words of a command line are read, where the first may be the name of an instance or
// anything else. The words alone decide where only one reading makes sense; the apps that are live
// decide where both do.
extension Words {
  /// The end of every subcommand's parse.
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

  /// The first word if it may name an instance. A row never does. Nor does a word of the query
  /// language or a place before a relation, or what is written as a path, a field or JSON: `-i`
  /// names such an instance.
  private var name: String? {
    guard subcommand.mayNameInstance, options[.instance] == nil, let word = positionals.first,
      Self.mayName(word), !(subcommand.takesQuery && isOfQuery(word))
    else { return nil }
    return word
  }

  static func mayName(_ word: String) -> Bool {
    word.contains { !$0.isWholeNumber } && word.first != "-" && RowReference(word) == nil
      && !word.contains { $0.isWhitespace || "[](){}\"'~:=<>".contains($0) }
  }

  private func isOfQuery(_ word: String) -> Bool {
    if Query.words.contains(word) { return true }
    do throws(QueryError) {
      return try Query(words: positionals).places.contains { "\($0)" == word }
    } catch {
      return false
    }
  }
}
