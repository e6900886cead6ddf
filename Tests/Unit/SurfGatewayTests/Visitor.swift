import SurfGateway
import SurfStreams
import SurfWeb
import Testing

/// A client that speaks HTTP to a gateway in memory.
final class Visitor {
  let stream: StreamID
  private let bench: Bench
  private var readCount = 0

  init(_ bench: Bench, at local: TCPAddress = Bench.loopback) {
    self.bench = bench
    stream = bench.open(at: local)
  }

  /// The gateway has closed the stream.
  var isOut: Bool { bench.closed.contains(stream) }

  /// Nil without an answer.
  func ask(_ request: HTTPRequest) throws -> HTTPResponse? {
    var request = request
    // RFC 9112 §3.2.
    if request.version == .http11, request.headers["Host"] == nil {
      request.headers["Host"] = "desk.local"
    }
    bench.send(request.encoded(), on: stream)
    let bytes = bench.written[stream, default: []]
    defer { readCount = bytes.count }
    var parser = HTTPResponseParser()
    var answer = Array(bytes[readCount...])
    // No body follows the head that announces one (RFC 9112 §6.3). The parser needs one.
    if request.method == "HEAD" {
      let head = String(decoding: answer, as: UTF8.self)
      let length = try #require(head.firstMatch(of: #/Content-Length: (\d+)\r\n/#)?.1)
      #expect(head.ranges(of: "\r\n\r\n").map(\.upperBound) == [head.endIndex])
      answer += [UInt8](repeating: 0, count: try #require(Int(length)))
    }
    try parser.receive(answer)
    return try parser.next()
  }
}
