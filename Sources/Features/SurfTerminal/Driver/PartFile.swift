import Glibc

/// A file beside another one, which takes its place once it is whole.
///
/// Its name follows from the other's, so that the next run clears what a killed one left. It is
/// locked while it is written, so that the next run does not clear what is in use.
struct PartFile {
  private let path: String
  private let target: String
  private let descriptor: Int32

  /// - Parameter facts: those of the file that is replaced, which keeps its mode and owner.
  init(for target: String, like facts: stat?) throws(Failure) {
    let directory = FileDestination.directory(of: target)
    // Room for what is put around it: a name has 255 bytes (NAME_MAX).
    let name = String(
      decoding: target.utf8.dropFirst(directory.utf8.count).prefix(200), as: UTF8.self)
    self.target = target
    path = "\(directory).\(name).statesurf-part"
    // No user may read it now who may not read it in the end.
    descriptor = try Self.create(path, for: target, mode: facts == nil ? 0o666 : 0o600)
    if let facts { adopt(facts) }
  }

  /// Puts all of it in the other's place, or nothing.
  func replace(with bytes: [UInt8]) throws(Failure) {
    defer { close(descriptor) }
    // On the disk before it has the name: otherwise a power cut could leave an empty file.
    guard FileSink(descriptor).write(bytes), fsync(descriptor) == 0, rename(path, target) == 0
    else {
      let failure = StateFile.cannot("write", target)
      unlink(path)
      throw failure
    }
  }

  private func adopt(_ facts: stat) {
    var mode = facts.st_mode & 0o7777
    if fchown(descriptor, facts.st_uid, facts.st_gid) != 0,
      fchown(descriptor, uid_t.max, facts.st_gid) != 0
    {
      // The old group's rights are not for our group; nor may the file run as another user.
      mode &= 0o707 | (mode & 0o007) << 3
    }
    fchmod(descriptor, mode)
  }

  /// Creates and locks it; waits while another run writes it.
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
      // Between creation and lock another run may have cleared it.
      if isStill(descriptor, at: path) { return descriptor }
      close(descriptor)
    }
  }

  /// Removes a file that no run writes any more; false if it stays.
  private static func clear(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    lock(descriptor)
    return !isStill(descriptor, at: path) || unlink(path) == 0
  }

  /// A file system without locks must do without.
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
