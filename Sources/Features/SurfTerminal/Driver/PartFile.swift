import Glibc
import SurfThreads

/// A temporary file beside the file that it replaces once it is complete, for `StateFile`.
///
/// Its name is derived from the target's, so that the next run removes what a killed run left. It
/// is locked while it is written, so that the next run does not remove a file in use.
struct PartFile {
  private let path: String
  private let target: String
  private let descriptor: Int32

  /// - Parameter facts: the target's `stat` if it exists; the new file gets its mode and owner.
  init(for target: String, like facts: stat?) throws(Failure) {
    let directory = FileDestination.directory(of: target)
    // Leaves bytes for the prefix and suffix: a name has at most 255 (NAME_MAX).
    let name = String(
      decoding: target.utf8.dropFirst(directory.utf8.count).prefix(200), as: UTF8.self)
    self.target = target
    path = "\(directory).\(name).statesurf-part"
    // Until the new file has the old one's mode, only its owner may read it.
    descriptor = try Self.create(path, for: target, mode: facts == nil ? 0o666 : 0o600)
    if let facts { adopt(facts) }
  }

  /// Writes the bytes and renames the file to the target. On failure the target is unchanged.
  func replace(with bytes: [UInt8]) throws(Failure) {
    defer { close(descriptor) }
    // Flushed before the rename: otherwise a power cut could leave an empty file.
    guard FileOctets.write(bytes, to: descriptor), fsync(descriptor) == 0, rename(path, target) == 0
    else {
      let failure = StateFile.cannot("write", target)
      unlink(path)
      throw failure
    }
  }

  private func adopt(_ facts: stat) {
    var mode = facts.st_mode & 0o7777
    if fchown(descriptor, facts.st_uid, facts.st_gid) != 0 {
      // The file is ours now, and must not run as us.
      mode &= 0o3777
      if fchown(descriptor, uid_t.max, facts.st_gid) != 0 {
        // Our group gets at most what everybody has: the old group's rights are not for it.
        mode &= 0o707 | (mode & 0o007) << 3
      }
    }
    fchmod(descriptor, mode)
  }

  /// Creates and locks the file. Waits while another run writes it.
  private static func create(
    _ path: String, for target: String, mode: mode_t
  ) throws(Failure) -> Int32 {
    while true {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else {
        guard errno == EEXIST, clear(path) else { throw cannotCreate(target) }
        continue
      }
      lock(descriptor)
      // Another run may have removed it between creation and lock.
      if isStill(descriptor, at: path) { return descriptor }
      close(descriptor)
    }
  }

  /// Removes the file, once no run writes it any more. Returns false if that fails.
  private static func clear(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    lock(descriptor)
    return !isStill(descriptor, at: path) || unlink(path) == 0
  }

  /// On a file system without locks, goes on without one.
  private static func lock(_ descriptor: Int32) {
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
    var (held, named) = (stat(), stat())
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0
      && (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino)
  }

  private static func cannotCreate(_ target: String) -> Failure {
    var failure = StateFile.cannot("write", target)
    failure.meaning = "The command writes a new file beside it first; the system refused that file."
    failure.advice = "another directory, or write to - and use the shell's > FILE"
    return failure
  }
}
