internal import Glibc
internal import SurfThreads

/// The file of a `Persistence`, which is replaced atomically.
struct WholeFile {
  private let path: String
  private let folder: String
  private let name: String

  init(_ path: String) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    name = parts.last.map(String.init) ?? ""
    folder = parts.dropLast().joined(separator: "/") + (parts.count > 1 ? "/" : "./")
  }

  func read() throws(PersistenceError) -> [UInt8] {
    // Does not block if the path is a FIFO.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .nothingSaved(path: path) : refusal()
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw refusal() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard let bytes = FileOctets.read(from: file) else { throw refusal() }
    guard !bytes.isEmpty else { throw .empty(path: path) }
    return bytes
  }

  /// Writes a draft beside the file, flushes it to disk, and renames it.
  ///
  /// Savers hold a lock on the folder, so they can share one name for the draft. A process that is
  /// killed leaves at most one draft, which the next saver overwrites.
  func replace(with bytes: [UInt8]) throws(PersistenceError) {
    guard FileOctets.makeFolder(folder) else { throw refusal() }
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw refusal() }
    defer { close(directory) }
    try retry { flock(directory, LOCK_EX) }
    let draft = ".\(name).new"
    let file = openat(
      directory, draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw refusal() }
    do throws(PersistenceError) {
      defer { close(file) }
      guard FileOctets.write(bytes, to: file) else { throw refusal() }
      try retry { fsync(file) }
    } catch {
      unlinkat(directory, draft, 0)
      throw error
    }
    guard renameat(directory, draft, directory, name) == 0 else {
      let failure = [EISDIR, EEXIST, ENOTEMPTY].contains(errno) ? .notAFile(path: path) : refusal()
      unlinkat(directory, draft, 0)
      throw failure
    }
    try retry { fsync(directory) }
  }

  func remove() throws(PersistenceError) {
    guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw errno == EISDIR ? .notAFile(path: path) : refusal()
  }

  /// Retries a call that a signal interrupted.
  private func retry(_ call: () -> Int32) throws(PersistenceError) {
    while call() != 0 {
      if errno != EINTR { throw refusal() }
    }
  }

  /// Describes `errno`.
  private func refusal() -> PersistenceError {
    .refused(path: path, reason: strerror(errno).map { String(cString: $0) } ?? "error \(errno)")
  }
}
