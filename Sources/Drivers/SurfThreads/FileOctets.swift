#if canImport(Glibc)
  import Glibc

  /// Reads and writes whole files, however few octets one system call transfers.
  package enum FileOctets {
    /// Reads to the end, or until it has more than `sizeMax` octets, which shows that the file is
    /// too large. Returns nil if it failed; `errno` says why.
    package static func read(from descriptor: Int32, sizeMax: Int = .max) -> [UInt8]? {
      var octets: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while octets.count <= sizeMax {
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        octets += chunk[..<count]
      }
      return octets
    }

    /// - Parameter waits: whether to wait for room in what another process has made non-blocking;
    ///   without it, the rest is lost.
    /// - Returns: false if it failed; `errno` says why.
    package static func write(
      _ octets: [UInt8], to descriptor: Int32, waits: Bool = true
    ) -> Bool {
      var rest = octets[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN, waits {
          waitForRoom(descriptor)
          continue
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Another process that shares the descriptor may have made it non-blocking.
    private static func waitForRoom(_ descriptor: Int32) {
      do throws(ThreadError) {
        _ = try Poller.wait(writing: [descriptor], until: nil)
      } catch {
        // No memory: the caller's retry may fail again.
        usleep(100_000)
      }
    }

    /// Creates a folder, and its parents if they are missing, for their owner alone (XDG Base
    /// Directory Specification). Returns false if it failed; `errno` says why.
    package static func makeFolder(_ path: some StringProtocol) -> Bool {
      var prefix = path.hasPrefix("/") ? "/" : ""
      return path.split(separator: "/").allSatisfy { part in
        prefix += part + "/"
        return mkdir(prefix, 0o700) == 0 || errno == EEXIST
      }
    }
  }
#endif
