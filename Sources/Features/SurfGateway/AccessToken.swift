import SurfBasics
import SurfCipher
import SurfWeb

/// The secret that a client must show where `TokenRule` asks for it: 128 random bits as 32
/// hexadecimal digits.
package struct AccessToken: Sendable {
  private let octets: [UInt8]

  static let octetCount = 16

  package static func random() throws(Randomness.Failure) -> AccessToken {
    AccessToken(octets: try Randomness.octets(octetCount))
  }

  private init(octets: [UInt8]) { self.octets = octets }

  /// Returns nil unless the text is 32 hexadecimal digits.
  package init?(parsing text: some StringProtocol) {
    let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count == 2 * Self.octetCount else { return nil }
    octets = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// The 32 digits. Unlike `description`, this reveals the token.
  package var text: String { octets.map { $0.digits(2, radix: 16) }.joined() }

  /// Compares in constant time, so that the duration does not reveal how many digits are right.
  func matches(_ other: AccessToken) -> Bool {
    zip(octets, other.octets).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension AccessToken: CustomStringConvertible {
  /// Hides the token, in case something that contains one is printed.
  package var description: String { "a token" }
}

// Where a request may carry the token (Relay.md, HTTP and WebSocket).
extension AccessToken {
  /// Offered beside the token's own subprotocol, so that our answer need not repeat the token.
  private static let plainSubprotocol = "statesurf"
  private static let subprotocolPrefix = "statesurf.token."
  private static let queryName = "token"

  /// Every candidate token in a request, valid or not.
  static func texts(in request: HTTPRequest) -> [String] {
    let schemes = request.headers.values(of: "Authorization").compactMap { value in
      // RFC 6750 §2.1; the scheme is case-insensitive (RFC 9110 §11.1).
      value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst("bearer ".count)) : nil
    }
    let offers = subprotocols(in: request).filter { $0.hasPrefix(subprotocolPrefix) }
    return request.query.filter { $0.name == queryName }.map(\.value) + schemes
      + offers.map { String($0.dropFirst(subprotocolPrefix.count)) }
  }

  /// The subprotocol to accept if one carries a token: without an answer, a browser gives up.
  static func answer(to request: HTTPRequest) -> [String] {
    let offers = subprotocols(in: request)
    guard let offer = offers.first(where: { $0.hasPrefix(subprotocolPrefix) }) else { return [] }
    return [offers.contains(plainSubprotocol) ? plainSubprotocol : offer]
  }

  private static func subprotocols(in request: HTTPRequest) -> [String] {
    request.headers.values(of: "Sec-WebSocket-Protocol", splittingLists: true)
  }
}
