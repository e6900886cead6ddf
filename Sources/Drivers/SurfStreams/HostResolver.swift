import Glibc
import SurfThreads
import Synchronization

/// Why a host's addresses could not be found.
package enum ResolveError: Error, Equatable, Sendable {
  /// The name is invalid, or the system's resolver has no answer.
  case noAddress(host: String, reason: String)
  /// Too many lookups are in progress. A later try may succeed.
  case busy(host: String)
}

extension ResolveError: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .noAddress(let host, let reason): "cannot find the host '\(host)': \(reason)"
    case .busy(let host): "cannot look for the host '\(host)': too many others are looked for"
    }
  }
}

/// Looks up the addresses of host names for `StreamDriver`, without blocking.
package final class HostResolver: Sendable {
  /// Receives the answer, on any thread.
  package typealias Completion = @Sendable (Result<[TCPAddress], ResolveError>) -> Void

  /// The maximum number of lookups at a time. Each one holds a thread while the system's resolver
  /// works, which may take half a minute.
  static let openQuestionsMax = 16
  /// The maximum length of a name (RFC 1035 §2.3.4), in bytes.
  package static let nameSizeMax = 253

  private let openQuestions = Atomic<Int>(0)

  package init() {}

  /// Calls `completion` once, with at least one address, in the order to try them (RFC 6724), or an
  /// error. Literal addresses and early errors complete immediately on this thread. Names complete
  /// later, on another thread. A lookup cannot be cancelled.
  package func resolve(_ host: String, port: UInt16, _ completion: @escaping Completion) {
    if let address = TCPAddress(parsing: host, port: port) {
      return completion(.success([address]))
    }
    // C would look up only the text before a zero byte.
    guard (1...Self.nameSizeMax).contains(host.utf8.count), !host.utf8.contains(0) else {
      return completion(.failure(.noAddress(host: host, reason: "that is no name of a host")))
    }
    ask(host, port, completion)
  }

  private func ask(_ host: String, _ port: UInt16, _ completion: @escaping Completion) {
    let before = openQuestions.add(1, ordering: .relaxed).oldValue
    do throws(ThreadError) {
      guard before < Self.openQuestionsMax else { throw .noThread(name: host, errno: EAGAIN) }
      // Nobody joins the thread, because the system's resolver has no time limit.
      _ = try Thread.start(name: "surf-resolve") { [self] in
        let answer = Self.lookUp(host, port)
        openQuestions.subtract(1, ordering: .relaxed)
        completion(answer)
      }
    } catch {
      openQuestions.subtract(1, ordering: .relaxed)
      completion(.failure(.busy(host: host)))
    }
  }

  private static func lookUp(
    _ host: String, _ port: UInt16
  ) -> Result<[TCPAddress], ResolveError> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var head: UnsafeMutablePointer<addrinfo>?
    let error = getaddrinfo(host, nil, &hints, &head)
    guard error == 0 else {
      return .failure(.noAddress(host: host, reason: reason(error, errno: errno)))
    }
    defer { freeaddrinfo(head) }
    let addresses = collect(head, port)
    guard !addresses.isEmpty else {
      return .failure(.noAddress(host: host, reason: "it has no IPv4 or IPv6 address"))
    }
    return .success(addresses)
  }

  private static func reason(_ error: Int32, errno: Int32) -> String {
    error == EAI_SYSTEM
      ? String(cString: strerror(errno)) : String(cString: gai_strerror(error))
  }

  private static func collect(
    _ head: UnsafeMutablePointer<addrinfo>?, _ port: UInt16
  ) -> [TCPAddress] {
    var addresses: [TCPAddress] = []
    var next = head
    while let entry = next?.pointee {
      next = entry.ai_next
      guard let pointer = entry.ai_addr,
        var address = TCPAddress(pointer, size: Int(entry.ai_addrlen))
      else { continue }
      address.port = port
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }
}
