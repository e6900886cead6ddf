import Glibc

/// Descriptors 0 to 2, which every program takes for granted.
enum StandardStreams {
  /// The system would give a closed one to our first socket, and lines would go to the network. A
  /// descriptor that refuses every use takes its place.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` gives the lowest free number, and those before it are taken.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
