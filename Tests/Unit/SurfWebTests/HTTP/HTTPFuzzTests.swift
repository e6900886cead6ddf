import SurfWeb
import TestSupport
import Testing

@Suite("HTTP under fuzz")
struct HTTPFuzzTests {
  private static let stream: [UInt8] =
    wire("GET /?a=%41 HTTP/1.1", "Host: h", "X: a, b")
    + wire("POST / HTTP/1.1", "Host: h", "Content-Length: 5", body: "\r\n\r\n.")
    + wire(
      "POST / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked",
      body: "5;x\r\n01234\r\n1\r\n\n\r\n0\r\nT: u\r\n\r\n")
    + wire("GET /end HTTP/1.0")

  @Test(arguments: 0..<100 as Range<UInt64>)
  func anyCutGivesTheSame(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let whole = requests(in: [Self.stream])
    #expect(whole.messages.count == 4)
    #expect(requests(in: Self.stream.pieces(&generator, upTo: 1 + Int(seed))) == whole)
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func changedBytesGiveTheSameInAnyCut(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      var bytes = Self.stream
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[index] = "\r\n\t :;,0aF\0\u{7f}".utf8.randomElement(using: &generator) ?? 0
      }
      let whole = requests(in: [bytes])
      #expect(requests(in: bytes.pieces(&generator, upTo: 9)) == whole)
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func randomBytesGiveTheSameInAnyCut(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let count = Int.random(in: 0...200, using: &generator)
      let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let prefix = Self.stream.prefix(Int.random(in: 0...Self.stream.count, using: &generator))
      let request = Array(prefix + noise)
      #expect(requests(in: request.pieces(&generator, upTo: 50)) == requests(in: [request]))
      let response = Array("HTTP/1.1 200 OK\r\n".utf8) + noise
      #expect(responses(in: response.pieces(&generator, upTo: 50)) == responses(in: [response]))
    }
  }
}
