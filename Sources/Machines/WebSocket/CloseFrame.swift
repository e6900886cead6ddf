/// The payload of a close frame (RFC 6455 §5.5.1).
enum CloseFrame {
  static func payload(_ code: CloseCode?, reason: String) -> [UInt8] {
    guard let code, code.isSendable else { return [] }
    var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xff)]
    for character in reason {
      guard payload.count + character.utf8.count <= Opcode.controlLimit else { break }
      payload += character.utf8
    }
    return payload
  }

  static func parse(_ payload: [UInt8]) throws(ConnectionFailure) -> (
    code: CloseCode?, reason: String
  ) {
    if payload.isEmpty { return (nil, "") }
    guard payload.count >= 2 else { throw .protocolError("A close frame has half a code.") }
    let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.isSendable else { throw .protocolError("A close code may not be sent.") }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else {
      throw .badText
    }
    return (code, reason)
  }
}
