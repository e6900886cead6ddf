import SurfWeb

/// What request smuggling and careless clients are made of.
extension RefusalTests {
  static let framing: [Case] = [
    Case(
      "length and coding", fields: "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
      .badTransferEncoding),
    Case(
      "coding and length", fields: "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n",
      .badTransferEncoding),
    Case(
      "two lengths", fields: "Content-Length: 4\r\nContent-Length: 5\r\n\r\n",
      .badContentLength),
    Case(
      "the same length twice", fields: "Content-Length: 4\r\ncontent-length: 4\r\n\r\n",
      .badContentLength),
    Case("a list of lengths", fields: "Content-Length: 4, 4\r\n\r\n", .badContentLength),
    Case("a sign", fields: "Content-Length: +4\r\n\r\n", .badContentLength),
    Case("a negative length", fields: "Content-Length: -1\r\n\r\n", .badContentLength),
    Case("a hexadecimal length", fields: "Content-Length: 0x4\r\n\r\n", .badContentLength),
    Case("an empty length", fields: "Content-Length:\r\n\r\n", .badContentLength),
    Case("a length with a space in it", fields: "Content-Length: 4 2\r\n\r\n", .badContentLength),
    Case("a length in other digits", fields: "Content-Length: ٤\r\n\r\n", .badContentLength),
    Case(
      "a length beyond 64 bits", fields: "Content-Length: 99999999999999999999\r\n\r\n",
      .bodyTooLarge),
    Case(
      "an unknown coding", fields: "Transfer-Encoding: gzip\r\n\r\n",
      .unsupportedTransferCoding),
    Case(
      "two codings", fields: "Transfer-Encoding: gzip, chunked\r\n\r\n",
      .unsupportedTransferCoding),
    Case(
      "chunked twice", fields: "Transfer-Encoding: chunked, chunked\r\n\r\n",
      .badTransferEncoding),
    Case(
      "chunked in two fields",
      fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
      .badTransferEncoding),
    Case(
      "chunked, then identity",
      fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
      .unsupportedTransferCoding),
    Case(
      "almost chunked", fields: "Transfer-Encoding: xchunked\r\n\r\n",
      .unsupportedTransferCoding),
    Case(
      "quoted chunked", fields: "Transfer-Encoding: \"chunked\"\r\n\r\n",
      .unsupportedTransferCoding),
    Case(
      "chunked with a parameter", fields: "Transfer-Encoding: chunked;a=b\r\n\r\n",
      .unsupportedTransferCoding),
    Case("an empty coding", fields: "Transfer-Encoding:\r\n\r\n", .badTransferEncoding),
    Case(
      "an empty list member", fields: "Transfer-Encoding: ,chunked\r\n\r\n",
      .badTransferEncoding),
    Case(
      "a vertical tab before chunked", fields: "Transfer-Encoding: \u{b}chunked\r\n\r\n",
      .controlCharacter),
    Case(
      "a coding in the old version",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .badTransferEncoding),
  ]

  static let fields: [Case] = [
    Case("a space before the colon", fields: "Content-Length : 4\r\n\r\n", .malformedHeader),
    Case("a tab before the colon", fields: "Content-Length\t: 4\r\n\r\n", .malformedHeader),
    Case("a folded line", fields: "A: b\r\n c\r\n\r\n", .malformedHeader),
    Case("a line folded with a tab", fields: "A: b\r\n\tc: d\r\n\r\n", .malformedHeader),
    Case("a blank before the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", .malformedHeader),
    Case("no colon", fields: "A\r\n\r\n", .malformedHeader),
    Case("no name", fields: ": b\r\n\r\n", .malformedHeader),
    Case("a name that is no token", fields: "A(b): c\r\n\r\n", .malformedHeader),
    Case("a name beyond ASCII", fields: "Ä: c\r\n\r\n", .malformedHeader),
    Case(
      "a value that is not UTF-8",
      bytes: wire("GET / HTTP/1.1", "Host: h").dropLast(2) + Array("A: ".utf8) + [0xff, 13, 10],
      .malformedHeader),
    Case("a bare line feed", fields: "A: b\nContent-Length: 4\r\n\r\n", .bareLineEnding),
    Case("a bare line feed at the end", fields: "A: b\r\n\n", .bareLineEnding),
    Case("a bare carriage return", fields: "A: b\rContent-Length: 4\r\n\r\n", .bareLineEnding),
    Case("two carriage returns", fields: "A: b\r\r\n\r\n", .bareLineEnding),
    Case("a NUL", fields: "A: b\0c\r\n\r\n", .controlCharacter),
    Case("an escape", fields: "A: \u{1b}[2J\r\n\r\n", .controlCharacter),
    Case("a delete", fields: "A: \u{7f}\r\n\r\n", .controlCharacter),
    Case("two hosts", fields: "HOST: h\r\n\r\n", .badHost),
    Case("no host", "GET / HTTP/1.1\r\nA: b\r\n\r\n", .badHost),
    Case("a list of hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", .badHost),
    Case("a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", .badHost),
    Case("a host with a user", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", .badHost),
    Case("another host in the target", "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n", .badHost),
  ]

  static let lines: [Case] = [
    Case("a bare line feed behind the line", "GET / HTTP/1.1\nHost: h\r\n\r\n", .bareLineEnding),
    Case("two spaces", "GET  / HTTP/1.1\r\n", .malformedRequestLine),
    Case("a tab", "GET\t/ HTTP/1.1\r\n", .malformedRequestLine),
    Case("a leading space", " GET / HTTP/1.1\r\n", .malformedRequestLine),
    Case("a trailing space", "GET / HTTP/1.1 \r\n", .malformedRequestLine),
    Case("no version", "GET /\r\n", .malformedRequestLine),
    Case("a method that is no token", "G{T / HTTP/1.1\r\n", .malformedRequestLine),
    Case("a method beyond ASCII", "GÉT / HTTP/1.1\r\n", .malformedRequestLine),
    Case("an empty method", "/ HTTP/1.1\r\n", .malformedRequestLine),
    Case("a relative target", "GET a HTTP/1.1\r\n", .malformedRequestLine),
    Case("an empty target", "GET  HTTP/1.1\r\n", .malformedRequestLine),
    Case("a fragment", "GET /#a HTTP/1.1\r\n", .malformedRequestLine),
    Case("a target beyond ASCII", "GET /ä HTTP/1.1\r\n", .malformedRequestLine),
    Case("an open triplet", "GET /%4 HTTP/1.1\r\n", .malformedRequestLine),
    Case("a triplet that is none", "GET /?a=%g0 HTTP/1.1\r\n", .malformedRequestLine),
    Case("a triplet that is not UTF-8", "GET /%ff HTTP/1.1\r\n", .malformedRequestLine),
    Case("a star for GET", "GET * HTTP/1.1\r\n", .malformedRequestLine),
    Case("another scheme", "GET ftp://h/ HTTP/1.1\r\n", .malformedRequestLine),
    Case("no host in the target", "GET http:///a HTTP/1.1\r\n", .malformedRequestLine),
    Case("a tunnel", "CONNECT h:443 HTTP/1.1\r\n", .unsupportedMethod),
    Case("version 2", "PRI * HTTP/2.0\r\n", .unsupportedVersion),
    Case("version 1.2", "GET / HTTP/1.2\r\n", .unsupportedVersion),
    Case("version 0.9", "GET / HTTP/0.9\r\n", .unsupportedVersion),
    Case("a version in lower case", "GET / http/1.1\r\n", .malformedRequestLine),
    Case("a version of more digits", "GET / HTTP/1.10\r\n", .malformedRequestLine),
    Case("a TLS greeting", bytes: [0x16, 0x03, 0x01, 0x02, 0x00], .controlCharacter),
  ]

  private static let chunkTexts: [(String, String, HTTPError)] = [
    ("no size", "\r\n", .malformedChunk), ("a prefix", "0x3\r\n", .malformedChunk),
    ("a sign", "+3\r\n", .malformedChunk), ("a space behind the size", "3 \r\n", .malformedChunk),
    ("a space before the size", " 3\r\n", .malformedChunk),
    ("an underscore", "1_0\r\n", .malformedChunk),
    ("a size beyond 64 bits", "10000000000000003\r\n", .bodyTooLarge),
    ("a size of 63 bits", "7fffffffffffffff\r\n", .bodyTooLarge),
    ("a size of 64 bits", "ffffffffffffffff\r\n", .bodyTooLarge),
    ("a bare line feed behind the size", "3\nabc\r\n", .bareLineEnding),
    ("a bare line feed in an extension", "3;a\nabc\r\n", .bareLineEnding),
    ("a bare carriage return in an extension", "3;a\rabc\r\n", .bareLineEnding),
    ("more data than its size", "3\r\nabcd\r\n", .malformedChunk),
    ("a bare line feed behind the data", "3\r\nabc\n0\r\n\r\n", .bareLineEnding),
    ("a bad trailer", "0\r\nA : b\r\n\r\n", .malformedHeader),
    ("a bare line feed behind the end", "0\r\n\n", .bareLineEnding),
    ("a long extension", "3;" + String(repeating: "a", count: 300), .malformedChunk),
  ]

  static let chunks = chunkTexts.map {
    Case($0.0, fields: "Transfer-Encoding: chunked\r\n\r\n" + $0.1, $0.2)
  }
}
