import Glibc

/// What the path of an output file leads to, so that `StateFile` knows how to write it.
enum FileDestination {
  /// A descriptor that is already open in this process.
  case descriptor(Int32)
  /// A device or a FIFO, which is written in place.
  case stream
  /// The regular file at the end of all links, with its `stat` if it exists.
  case file(String, stat?)

  init(_ path: String) throws(Failure) {
    let place = try Self.followed(path)
    if let number = Self.openDescriptor(place) {
      self = .descriptor(number)
      return
    }
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      guard errno == ENOENT else { throw StateFile.cannot("write", path) }
      if place.hasSuffix("/") { throw StateFile.cannot("write", path, "it is a directory") }
      self = .file(place, nil)
      return
    }
    switch facts.st_mode & S_IFMT {
    case S_IFREG:
      // A rename checks the permissions of the directory only.
      guard access(place, W_OK) == 0 else { throw StateFile.cannot("write", path) }
      self = .file(place, facts)
    case S_IFDIR: throw StateFile.cannot("write", path, "it is a directory")
    default: self = .stream
    }
  }

  /// Whether the path is standard output under a name other than `-`.
  var isStandardOutput: Bool {
    if case .descriptor(STDOUT_FILENO) = self { true } else { false }
  }

  /// The kernel follows as many links (path_resolution(7)).
  private static let linkCountMax = 40

  /// Follows symbolic links, even to a path where nothing exists.
  private static func followed(_ path: String) throws(Failure) -> String {
    var place = path
    for _ in 0...linkCountMax {
      guard openDescriptor(place) == nil, let link = link(at: place) else { return place }
      place = link.hasPrefix("/") ? link : directory(of: place) + link
    }
    throw StateFile.cannot("write", path, String(cString: strerror(ELOOP)))
  }

  /// The target of a symbolic link; nil for anything else.
  static func link(at path: String) -> String? {
    var text = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &text, text.count)
    let bytes = text.prefix(max(0, count)).map(UInt8.init(bitPattern:))
    return count < 0 ? nil : String(validating: bytes, as: UTF8.self)
  }

  /// The open descriptor that the path names. Opening the path again would start at the beginning
  /// of the file and overwrite what is there.
  private static func openDescriptor(_ path: String) -> Int32? {
    if path == "/dev/stdout" { return STDOUT_FILENO }
    if path == "/dev/stderr" { return STDERR_FILENO }
    let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
    return folder.flatMap { Int32(path.dropFirst($0.count)) }
  }

  /// Ends with a slash; empty for the working directory.
  static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
