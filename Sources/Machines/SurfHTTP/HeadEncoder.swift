/// Writes a message whose parts cannot end a line or the head early (RFC 9112 §11.1).
struct HeadEncoder {
  private var bytes: [UInt8] = []

  mutating func addRequestLine(method: String, target: String, version: HTTPVersion) {
    bytes += method.utf8.filter(Octet.isToken)
    bytes.append(Octet.space)
    for byte in target.utf8 { addTargetByte(byte) }
    bytes.append(Octet.space)
    bytes += version.rawValue.utf8
    endLine()
  }

  mutating func addStatusLine(status: Int, reason: String) {
    bytes += "HTTP/1.1 \(status) ".utf8
    addText(reason)
    endLine()
  }

  /// Adds the fields except those that frame the body: `contentLength` replaces them.
  mutating func add(_ headers: HTTPHeaders, contentLength: Int?) {
    for field in headers.fields where field.name.utf8.isToken {
      if Self.framingNames.contains(where: field.name.utf8.equalsIgnoringCase) { continue }
      add(field.name, field.value)
    }
    if let contentLength { add("Content-Length", String(contentLength)) }
  }

  consuming func finished(body: [UInt8]) -> [UInt8] {
    endLine()
    bytes += body
    return bytes
  }

  private static let framingNames = ["Content-Length".utf8, "Transfer-Encoding".utf8]

  private mutating func add(_ name: String, _ value: String) {
    bytes += name.utf8
    bytes += [Octet.colon, Octet.space]
    addText(value)
    endLine()
  }

  private mutating func addText(_ text: String) {
    bytes += text.utf8.map { Octet.isForbiddenControl($0) ? Octet.space : $0 }
  }

  private mutating func addTargetByte(_ byte: UInt8) {
    guard !Octet.isVisible(byte) else { return bytes.append(byte) }
    let digits = Array("0123456789ABCDEF".utf8)
    bytes += [Octet.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private mutating func endLine() {
    bytes += [Octet.carriageReturn, Octet.lineFeed]
  }
}
