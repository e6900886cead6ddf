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

  /// Nil if the key does not allow what the sender does.
  mutating func cipher(_ key: GroupKey, _ sender: SealedSender) -> (any SealingCipher)? {
    clock &+= 1
    let place = Place(key: key.fingerprint, sender: sender)
    if let entry = entries[place] {
      entries[place]?.usedAt = clock
      return entry.cipher
    }
    guard let cipher = key.senderKey(for: sender).map(makeCipher) else { return nil }
    if entries.count >= Self.countMax { halve() }
    entries[place] = Entry(cipher: cipher, usedAt: clock)
    return cipher
  }

  /// Anybody can name senders, so those that opened nothing go first: they were never used again.
  private mutating func halve() {
    let middle = entries.values.map(\.usedAt).sorted()[entries.count / 2]
    entries = entries.filter { $0.value.usedAt > middle }
  }
}
