import SurfCipher
import SurfWeb

/// What lets a client in from where anybody may knock: 128 bits that nobody can foresee, as 32
/// hexadecimal digits.
package struct AccessToken: Sendable {
  private let octets: [UInt8]

  static let octetCount = 16

  package static func random() throws(Randomness.Failure) -> AccessToken {
    AccessToken(octets: try Randomness.octets(octetCount))
  }

  private init(octets: [UInt8]) { self.octets = octets }

  /// Reads 32 hexadecimal digits; nil for anything else.
  package init?(parsing text: some StringProtocol) {
    let digits = text.utf8.compactMap { UInt8(hexDigit: $0) }
    guard digits.count == text.utf8.count, digits.count == 2 * Self.octetCount else { return nil }
    octets = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// As people pass it on.
  package var text: String {
    String(octets.flatMap { [$0 >> 4, $0 & 15] }.map { Character(UnicodeScalar($0.hexDigit)) })
  }

  /// In a time that does not tell how much of it is right.
  func matches(_ other: AccessToken) -> Bool {
    zip(octets, other.octets).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension AccessToken: CustomStringConvertible {
  /// Whoever prints what holds one must not print it.
  package var description: String { "a token" }
}

// Where a request carries it (Protocol.md §B.1).
extension AccessToken {
  /// What a client offers besides the token's own, so that the answer need not repeat that one.
  private static let plainSubprotocol = "statesurf"
  private static let subprotocolPrefix = "statesurf.token."
  private static let queryName = "token"

  package var subprotocol: String { Self.subprotocolPrefix + text }

  /// What a request offers as tokens, right or wrong.
  static func texts(in request: HTTPRequest) -> [String] {
    let schemes = request.headers.values(of: "Authorization").compactMap { value in
      // RFC 6750 §2.1; the scheme's name in any case (RFC 9110 §11.1).
      value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst("bearer ".count)) : nil
    }
    let offers = subprotocols(in: request).filter { $0.hasPrefix(subprotocolPrefix) }
    return request.query.filter { $0.name == queryName }.map(\.value) + schemes
      + offers.map { String($0.dropFirst(subprotocolPrefix.count)) }
  }

  /// The subprotocol that answers one with a token: without any, a browser would give up.
  static func answer(to request: HTTPRequest) -> [String] {
    let offers = subprotocols(in: request)
    guard let offer = offers.first(where: { $0.hasPrefix(subprotocolPrefix) }) else { return [] }
    return [offers.contains(plainSubprotocol) ? plainSubprotocol : offer]
  }

  private static func subprotocols(in request: HTTPRequest) -> [String] {
    request.headers.values(of: "Sec-WebSocket-Protocol", splittingLists: true)
  }
}

extension UInt8 {
  fileprivate init?(hexDigit: UInt8) {
    switch hexDigit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = hexDigit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self = hexDigit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self = hexDigit - UInt8(ascii: "A") + 10
    default: return nil
    }
  }

  /// Of a number below 16.
  fileprivate var hexDigit: UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10
  }
}
