internal import SurfWire

/// Ciphers of those that were heard of lately: a key takes two hashes to derive, and a cipher of a
/// library some memory.
struct SenderCiphers: Sendable {
  private struct Entry {
    let cipher: any SealingCipher
    var usedAt: UInt64
  }

  static let countMax = 256

  private let makeCipher: CipherMaker
  private var entries: [Place: Entry] = [:]
  private var clock: UInt64 = 0

  private struct Place: Hashable {
    let key: KeyFingerprint
    let sender: SealedSender
  }

  init(_ makeCipher: @escaping CipherMaker) { self.makeCipher = makeCipher }

  /// One to seal with; nil if the key does not allow what the sender does.
  mutating func cipher(_ key: GroupKey, _ sender: SealedSender) -> (any SealingCipher)? {
    guard let cipher = made(key, sender) else { return nil }
    keep(cipher, key, sender)
    return cipher
  }

  /// Anybody can name senders, so a cipher is kept only once it has opened something.
  ///
  /// - Parameter open: opens a datagram; false if that failed.
  mutating func open(
    _ key: GroupKey, _ sender: SealedSender, _ open: (any SealingCipher) -> Bool
  ) -> Bool {
    guard let cipher = made(key, sender), open(cipher) else { return false }
    keep(cipher, key, sender)
    return true
  }

  private func made(_ key: GroupKey, _ sender: SealedSender) -> (any SealingCipher)? {
    entries[Place(key: key.fingerprint, sender: sender)]?.cipher
      ?? key.senderKey(for: sender).map(makeCipher)
  }

  private mutating func keep(
    _ cipher: any SealingCipher, _ key: GroupKey, _ sender: SealedSender
  ) {
    clock &+= 1
    let place = Place(key: key.fingerprint, sender: sender)
    if entries[place] == nil, entries.count >= Self.countMax { halve() }
    entries[place] = Entry(cipher: cipher, usedAt: clock)
  }

  /// Those that were used least lately go.
  private mutating func halve() {
    let middle = entries.values.map(\.usedAt).sorted()[entries.count / 2]
    entries = entries.filter { $0.value.usedAt > middle }
  }
}
