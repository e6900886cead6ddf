import Glibc

/// Descriptors 0 to 2, which every program takes for granted.
enum StandardStreams {
  /// One that the caller closed would be given to our first socket, and lines would go to the
  /// network. In its place comes one that refuses what it is asked for.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is given out, and those before it are taken.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
