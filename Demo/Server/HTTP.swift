import Dispatch
import Glibc

/// As much of an HTTP/1.1 server as the demo needs, on loopback (RFC 9112). One connection is one
/// request.
struct Server: Sendable {
  struct Request: Sendable {
    let method: String
    let path: String
    let query: [String: String]

    var target: String {
      let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      return items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))"
    }
  }

  struct Response: Sendable {
    var status = 200
    var text = ""
  }

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let socket: Int32
  let port: UInt16
  private let connections = DispatchQueue(label: "connections", attributes: .concurrent)
  /// No request of the demo is longer.
  private static let sizeMax = 8_192

  /// Listens on 127.0.0.1; a `port` of 0 lets the system choose.
  init(port: UInt16) throws(Fault) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var isOn: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (socket, length) = (socket, size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 64) == 0
          && getsockname(socket, $0, &size) == 0
      }
    }
    guard isListening else {
      throw Fault(description: "port \(port) of 127.0.0.1: \(String(cString: strerror(errno)))")
    }
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Answers every request in a task of its own. Never returns.
  func serve(_ answer: @escaping @Sendable (Request) async -> Response) -> Never {
    while true {
      let connection = accept(socket, nil, nil)
      guard connection >= 0 else {
        // When the process has no descriptor left, the next call would fail as well.
        if errno != EINTR { usleep(10_000) }
        continue
      }
      connections.async {
        guard let request = Self.read(from: connection) else {
          Self.finish(connection, Response(status: 400, text: "this is not a request"))
          return
        }
        Task {
          let response = await answer(request)
          connections.async { Self.finish(connection, response) }
        }
      }
    }
  }

  /// Nil for what is not a request. A body is not read.
  private static func read(from connection: Int32) -> Request? {
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: sizeMax)
    let deadline = ContinuousClock.now + .seconds(2)
    while octets.count < sizeMax, ContinuousClock.now < deadline {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      octets += buffer.prefix(count)
      let text = String(decoding: octets, as: UTF8.self)
      guard text.contains("\r\n\r\n") else { continue }
      return text.split(separator: "\r\n").first.flatMap { Request($0) }
    }
    return nil
  }

  /// Answers, and reads what is left: closing with unread octets would lose the answer.
  private static func finish(_ connection: Int32, _ response: Response) {
    write(response, to: connection)
    shutdown(connection, Int32(SHUT_WR))
    var rest = [UInt8](repeating: 0, count: sizeMax)
    var size = 0
    while size < sizeMax {
      let count = recv(connection, &rest, rest.count, 0)
      guard count > 0 else { break }
      size += count
    }
    close(connection)
  }

  private static func write(_ response: Response, to connection: Int32) {
    let body = response.text.isEmpty ? "" : response.text + "\n"
    let head = """
      HTTP/1.1 \(response.status) \r\nContent-Type: text/plain; charset=utf-8\r\n\
      Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n
      """
    let octets = Array((head + body).utf8)
    var sentCount = 0
    while sentCount < octets.count {
      let count = octets[sentCount...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sentCount += count
    }
  }
}

extension Server.Request {
  /// Reads a request line such as `POST /orders?item=milk HTTP/1.1`.
  init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
      return nil
    }
    let parts = words[1].split(separator: "?", maxSplits: 1)
    var query: [String: String] = [:]
    for item in parts.count == 2 ? parts[1].split(separator: "&") : [] {
      let pair = item.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { query[String(pair[0])] = String(pair[1]) }
    }
    self.init(method: String(words[0]), path: String(parts.first ?? "/"), query: query)
  }
}
