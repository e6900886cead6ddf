import Foundation

/// The connection to the other board: messages as JSON, one in each line.
struct Peer: Sendable {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let socket: Int32
  /// Some thousand cards.
  private static let sizeMax = 1_048_576

  /// Waits for the other board at `place`, such as 127.0.0.1:7000.
  ///
  /// - Parameter isListening: called when it can join.
  static func listening(at place: String, _ isListening: () -> Void) throws(Fault) -> Peer {
    let socket = try open(place) { socket, address, size in
      var isOn: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
      return bind(socket, address, size) == 0 && listen(socket, 1) == 0
    }
    defer { close(socket) }
    isListening()
    while true {
      let connection = accept(socket, nil, nil)
      if connection >= 0 { return Peer(socket: connection) }
      guard errno == EINTR else { throw Fault(place) }
    }
  }

  static func joining(_ place: String) throws(Fault) -> Peer {
    Peer(socket: try open(place) { connect($0, $1, $2) == 0 })
  }

  private static func open(
    _ place: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) throws(Fault) -> Int32 {
    let parts = place.split(separator: ":").map(String.init)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    guard parts.count == 2, let port = UInt16(parts[1]), port > 0,
      inet_pton(AF_INET, parts[0], &address.sin_addr) == 1
    else { throw Fault(description: "\"\(place)\" is not ADDRESS:PORT, as 127.0.0.1:7000 is") }
    address.sin_port = port.bigEndian
    let socket = Foundation.socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let isOpen = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard isOpen else { throw Fault(place) }
    return socket
  }

  /// From one thread at a time. What the other board has not read when it ends is lost.
  func send(_ message: Board.Message) {
    do {
      let line = try JSONEncoder().encode(message) + Data("\n".utf8)
      var rest = Array(line)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    } catch {
      assertionFailure("a card is always JSON: \(error)")
    }
  }

  /// Calls `body` for each message, until the other board ends or says what is not a message.
  func forEachMessage(_ body: (Board.Message) -> Void) {
    // Nobody reads what comes after nonsense, so the other board must not wait for that.
    defer { shutdown(socket, Int32(SHUT_RDWR)) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while octets.count < Self.sizeMax {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      octets += buffer.prefix(count)
      while let end = octets.firstIndex(of: UInt8(ascii: "\n")) {
        do {
          body(try JSONDecoder().decode(Board.Message.self, from: Data(octets[..<end])))
        } catch {
          return
        }
        octets.removeFirst(end + 1)
      }
    }
  }
}

extension Peer.Fault {
  fileprivate init(_ place: String) {
    self.init(description: "\(place): \(String(cString: strerror(errno)))")
  }
}
