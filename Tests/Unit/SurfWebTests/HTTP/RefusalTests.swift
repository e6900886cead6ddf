import SurfWeb
import Testing

@Suite("Requests that are refused")
struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let error: HTTPError
    var testDescription: String { name }

    /// A request whose rest follows a good request line and `Host`.
    init(_ name: String, fields: String, _ error: HTTPError) {
      self.init(name, "POST / HTTP/1.1\r\nHost: h\r\n" + fields, error)
    }

    init(_ name: String, _ text: String, _ error: HTTPError) {
      self.name = name
      self.bytes = Array(text.utf8)
      self.error = error
    }

    init(_ name: String, bytes: [UInt8], _ error: HTTPError) {
      self.name = name
      self.bytes = bytes
      self.error = error
    }
  }

  @Test("are refused, whole and byte by byte", arguments: framing + fields + lines + chunks)
  func areRefused(_ refused: Case) {
    let whole = requests(in: [refused.bytes])
    #expect(whole.error == refused.error)
    #expect(whole.messages.isEmpty)
    #expect(requests(in: refused.bytes.map { [$0] }) == whole)
  }

  @Test(arguments: [
    (HTTPError.malformedHeader, 400), (.bodyTooLarge, 413), (.targetTooLong, 414),
    (.headTooLarge, 431), (.unsupportedMethod, 501), (.unsupportedTransferCoding, 501),
    (.unsupportedVersion, 505),
  ])
  func areAnsweredWithAStatus(error: HTTPError, status: Int) {
    let response = HTTPResponse(refusing: error)
    #expect(response.status == status)
    #expect(response.headers["connection"] == "close")
    #expect(!response.reason.isEmpty)
  }
}
