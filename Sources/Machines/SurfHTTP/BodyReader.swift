/// Collects a body of any framing.
struct BodyReader {
  private enum Source {
    case length(remaining: Int)
    case chunks(ChunkReader)
    case untilClose
  }

  private(set) var body: [UInt8] = []
  private var source: Source
  private let limit: Int

  /// - Throws: `bodyTooLarge`, before any of the body has come.
  init(_ framing: BodyFraming, limits: HTTPLimits) throws(HTTPError) {
    limit = limits.bodyBytes
    switch framing {
    case .length(let length):
      guard length <= limits.bodyBytes else { throw .bodyTooLarge }
      source = .length(remaining: length)
    case .chunked: source = .chunks(ChunkReader(limits: limits))
    case .untilClose: source = .untilClose
    }
  }

  /// Whether the body ends only with the connection.
  var isUntilClose: Bool {
    if case .untilClose = source { return true }
    return false
  }

  /// Whether the body is complete.
  mutating func read(_ input: inout InputBuffer) throws(HTTPError) -> Bool {
    switch source {
    case .length(let remaining):
      let data = input.take(upTo: remaining)
      body += data
      source = .length(remaining: remaining - data.count)
      return data.count == remaining
    case .chunks(var chunks):
      let isComplete = try chunks.read(&input, into: &body, limit: limit)
      source = .chunks(chunks)
      return isComplete
    case .untilClose:
      guard input.count <= limit - body.count else { throw .bodyTooLarge }
      body += input.take(upTo: input.count)
      return false
    }
  }
}
