import SurfWeb
import Testing

/// Text whose lines end in CRLF, as bytes.
func wire(_ lines: String..., body: String = "") -> [UInt8] {
  Array((lines.map { $0 + "\r\n" }.joined() + "\r\n" + body).utf8)
}

/// A parser's result.
struct Outcome<Message: Equatable & Sendable>: Equatable, Sendable {
  var messages: [Message] = []
  var error: HTTPError?
}

func requests(
  in chunks: [[UInt8]], limits: HTTPLimits = HTTPLimits()
) -> Outcome<HTTPRequest> {
  var parser = HTTPRequestParser(limits: limits)
  var outcome = Outcome<HTTPRequest>()
  do {
    for chunk in chunks {
      try parser.receive(chunk)
      while let request = try parser.next() { outcome.messages.append(request) }
    }
  } catch {
    outcome.error = error
  }
  return outcome
}

func responses(in chunks: [[UInt8]]) -> Outcome<HTTPResponse> {
  var parser = HTTPResponseParser()
  var outcome = Outcome<HTTPResponse>()
  do {
    for chunk in chunks {
      try parser.receive(chunk)
      while let response = try parser.next() { outcome.messages.append(response) }
    }
  } catch {
    outcome.error = error
  }
  return outcome
}

extension [UInt8] {
  /// Cut at random places.
  func pieces(_ generator: inout some RandomNumberGenerator, upTo size: Int) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < count {
      let end = Swift.min(count, start + Int.random(in: 1...size, using: &generator))
      pieces.append(Array(self[start..<end]))
      start = end
    }
    return pieces
  }
}
