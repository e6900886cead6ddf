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

/// Why a WebSocket was closed (RFC 6455 §7.4).
package struct CloseCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let normal = CloseCode(rawValue: 1000)
  package static let goingAway = CloseCode(rawValue: 1001)
  package static let protocolError = CloseCode(rawValue: 1002)
  package static let invalidPayload = CloseCode(rawValue: 1007)
  package static let policyViolation = CloseCode(rawValue: 1008)
  package static let messageTooBig = CloseCode(rawValue: 1009)

  /// Whether a frame may contain the code: it is registered and not only for reports (1005, 1006,
  /// 1015), or belongs to libraries (3000 to 3999) or applications (4000 to 4999).
  package var isSendable: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
