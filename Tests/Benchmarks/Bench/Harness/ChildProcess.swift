import Foundation

/// Starts programs that lead a session of their own.
enum ChildProcess {
  /// - Parameters:
  ///   - words: the program's path first.
  ///   - prepare: says what its descriptors are.
  static func spawn(
    _ words: [String], _ environment: [String: String],
    prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let setsid: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, setsid)
    let copies = copies(words)
    let variables = Self.copies(environment.map { "\($0)=\($1)" })
    defer { for word in copies + variables { free(word) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, words[0], &actions, &attributes, copies, variables) == 0 else {
      throw BenchmarkFailure("there is no \(words[0]): swift build -c release")
    }
    return pid
  }

  /// With a nil at the end, as C has it.
  private static func copies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { strdup($0) } + [nil]
  }
}
