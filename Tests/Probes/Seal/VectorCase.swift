import SurfCipher
import SurfSeal

/// A case of Wycheproof's, in a line: its kind, its number, its fields in hexadecimal digits with
/// `-` for none, and whether it is valid.
enum VectorCase {
  case seal(key: [UInt8], nonce: [UInt8], header: [UInt8], text: [UInt8], sealed: [UInt8], Bool)
  case derive(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int, output: [UInt8], Bool)

  init?(_ fields: [String]) {
    guard fields.count == 8 else { return nil }
    let isValid = fields[7] == "valid"
    let values = fields[2...6].map(Self.octets)
    switch fields[0] {
    case "seal":
      self = .seal(
        key: values[0], nonce: values[1], header: values[2], text: values[3], sealed: values[4],
        isValid)
    case "derive":
      guard let count = Int(fields[5]) else { return nil }
      self = .derive(
        secret: values[0], salt: values[1], info: values[2], count: count, output: values[4],
        isValid)
    default: return nil
    }
  }

  func isRight(_ ciphers: Ciphers) throws -> Bool {
    switch self {
    case .seal(let key, let nonce, let header, let text, let sealed, let isValid):
      guard let key = Octets32(key).map({ SenderKey($0) }) else { return !isValid }
      guard let nonce = SealNonce(octets: nonce) else { return !isValid }
      return [ChaChaPoly(key), ciphers.cipher(for: key)].allSatisfy { cipher in
        Self.seals(cipher, header, nonce, text, sealed) == isValid
          && Self.opens(cipher, header, nonce, sealed) == (isValid ? text : nil)
      }
    case .derive(let secret, let salt, let info, let count, let output, let isValid):
      guard count <= HKDF.outputCountMax else { return !isValid }
      let root = HMACSHA256(key: HKDF.extract(salt: salt, secret: secret).octets)
      return (HKDF.expand(root, info: info, count: count) == output) == isValid
    }
  }

  private static func seals(
    _ cipher: any SealingCipher, _ header: [UInt8], _ nonce: SealNonce, _ text: [UInt8],
    _ sealed: [UInt8]
  ) -> Bool {
    var room = text + [UInt8](repeating: 0, count: Seal.tagSize)
    let isSealed = room.withUnsafeMutableBytes { room in
      header.withUnsafeBytes { cipher.seal(room, header: $0, nonce: nonce) }
    }
    return isSealed && room == sealed
  }

  private static func opens(
    _ cipher: any SealingCipher, _ header: [UInt8], _ nonce: SealNonce, _ sealed: [UInt8]
  ) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: max(0, sealed.count - Seal.tagSize))
    let isOpen = room.withUnsafeMutableBytes { room in
      sealed.withUnsafeBytes { sealed in
        header.withUnsafeBytes { cipher.open(sealed, into: room, header: $0, nonce: nonce) }
      }
    }
    return isOpen ? room : nil
  }

  private static func octets(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
