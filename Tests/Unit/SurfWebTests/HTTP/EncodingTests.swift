import SurfWeb
import Testing

@Suite("What is sent")
struct EncodingTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func requestsHaveALengthIfTheyMayHaveABody() {
    let get = HTTPRequest(target: "/a", headers: ["Host": "h"])
    #expect(text(get.encoded()) == "GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
    let post = HTTPRequest(method: "POST", target: "/")
    #expect(text(post.encoded()) == "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func responsesHaveALengthIfTheyMayHaveABody() {
    let found = HTTPResponse(status: 200, headers: ["A": "b"], body: Array("hi".utf8))
    let head = "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n"
    #expect(text(found.encoded()) == head + "hi")
    #expect(text(found.encoded(isAnswerToHead: true)) == head)
    let none = HTTPResponse(status: 204, reason: "No Content", body: [1])
    #expect(text(none.encoded()) == "HTTP/1.1 204 No Content\r\n\r\n")
    let wrong = HTTPResponse(status: 600, reason: "Odd")
    #expect(
      text(wrong.encoded()) == "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func framingIsNotTheCallers() {
    let headers: HTTPHeaders = ["content-length": "9", "Transfer-Encoding": "chunked"]
    let response = HTTPResponse(status: 200, headers: headers, body: [0x61])
    #expect(text(response.encoded()) == "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
  }

  @Test func nothingSplitsAMessage() {
    let headers: HTTPHeaders = ["A": "b\r\nC: d", "E\r\nF": "g", "": "h"]
    let response = HTTPResponse(status: 200, reason: "O\r\nK", headers: headers)
    #expect(
      text(response.encoded())
        == "HTTP/1.1 200 O  K\r\nA: b  C: d\r\nContent-Length: 0\r\n\r\n")
    let request = HTTPRequest(method: "G\r\nT", target: "/ \r\nü")
    #expect(text(request.encoded()) == "GT /%20%0D%0A%C3%BC HTTP/1.1\r\n\r\n")
  }

  @Test func whatIsSentIsReadAgain() {
    let request = HTTPRequest(
      method: "PUT", target: "/a?b=c", headers: ["Host": "h", "X": "y"], body: [0, 13, 10, 255])
    var expected = request
    expected.headers["Content-Length"] = "4"
    #expect(requests(in: [request.encoded()]) == Outcome(messages: [expected]))
    let response = HTTPResponse(status: 418, reason: "Teapot", headers: ["X": "y"], body: [10])
    var answer = response
    answer.headers["Content-Length"] = "1"
    #expect(responses(in: [response.encoded()]) == Outcome(messages: [answer]))
  }
}

@Suite("Headers")
struct HTTPHeadersTests {
  private let headers: HTTPHeaders = [
    "Accept": "a, b", "accept": " ,c,\"d,\\\"e\" , ", "Other": "x",
  ]

  @Test func areFoundInAnyCase() {
    #expect(headers["ACCEPT"] == "a, b")
    #expect(headers["Accep"] == nil)
    #expect(headers.values(of: "accepT").count == 2)
  }

  @Test func splitTheirLists() {
    let members = ["a", "b", "c", "\"d,\\\"e\""]
    #expect(headers.values(of: "Accept", splittingLists: true) == members)
    #expect(headers.contains("accept", token: "C"))
    #expect(!headers.contains("accept", token: "d"))
  }

  @Test func areReplacedAndRemoved() {
    var headers = headers
    headers["ACCEPT"] = "z"
    #expect(headers.fields.map(\.name) == ["Other", "ACCEPT"])
    headers["accept"] = nil
    #expect(headers.fields.map(\.value) == ["x"])
  }
}
