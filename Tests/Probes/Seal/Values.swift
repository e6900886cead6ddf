import SurfSeal
import SurfWire

/// Values derived from the key 00 to 1f.
enum Values {
  static func show() {
    guard let octets = Octets32(0..<32) else { return }
    let drive = GroupKey(.drive, octets)
    let watch = drive.watchKey
    print("key id", watch.id)
    print("fingerprint", watch.fingerprint)
    print("drive key", drive.text)
    print("watch key", watch.text)
    print("W", hexadecimal(watch.octets))
    for (name, salt, secret) in [
      ("PD", "statesurf drive 1", octets), ("PW", "statesurf sealed 1", watch.octets),
    ] {
      print(name, hexadecimal(HKDF.extract(salt: Array(salt.utf8), secret: secret.octets)))
    }
    for role in [SealingRole.app, .viewer, .driver] {
      let sender = SealedSender(
        role, session: SessionID(rawValue: 0x0102_0304_0506_0708),
        sender: SenderID(rawValue: 0x1112_1314_1516_1718))
      guard let key = drive.senderKey(for: sender) else { continue }
      print("K(\(role.rawValue))", hexadecimal(key.octets))
    }
  }

  private static func hexadecimal(_ octets: Octets32) -> String {
    octets.octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
