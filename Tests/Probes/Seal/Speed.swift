import Glibc
import SurfCipher
import SurfSeal
import SurfWire

/// How long it takes to seal and to open a datagram, and to derive a sender's key.
enum Speed {
  private static let sizes = [64, 256, 1_436]

  static func measure(_ ciphers: Ciphers) {
    guard let octets = Octets32(0..<32) else { return }
    let key = SenderKey(octets)
    for (name, cipher) in [("Swift", ChaChaPoly(key)), ("library", ciphers.cipher(for: key))]
      as [(String, any SealingCipher)]
    {
      for size in sizes { measure(name, cipher, size) }
    }
    let drive = GroupKey(.drive, octets)
    report("derive a sender's key", rounds: 100_000, size: nil) { number in
      let sender = SealedSender(
        .driver, session: SessionID(rawValue: number), sender: SenderID(rawValue: number))
      _ = drive.senderKey(for: sender)
    }
  }

  private static func measure(_ name: String, _ cipher: any SealingCipher, _ size: Int) {
    let header = [UInt8](repeating: 1, count: 24)
    var room = [UInt8](repeating: 2, count: size + Seal.tagSize)
    var text = [UInt8](repeating: 0, count: size)
    let rounds = 100_000_000 / (size + 200)
    header.withUnsafeBytes { header in
      room.withUnsafeMutableBytes { room in
        report("\(name): seal", rounds: rounds, size: size) { number in
          _ = cipher.seal(room, header: header, nonce: SealNonce(type: 1, number: .init(number)))
        }
        let nonce = SealNonce(type: 1, number: 1)
        _ = cipher.seal(room, header: header, nonce: nonce)
        text.withUnsafeMutableBytes { text in
          report("\(name): open", rounds: rounds, size: size) { _ in
            _ = cipher.open(UnsafeRawBufferPointer(room), into: text, header: header, nonce: nonce)
          }
        }
      }
    }
  }

  /// The best of five, as others use the machine, too.
  private static func report(
    _ name: String, rounds: Int, size: Int?, _ body: (UInt64) -> Void
  ) {
    let times = (0..<5).map { _ in
      let start = processorTime()
      for number in 0..<UInt64(rounds) { body(number) }
      return processorTime() - start
    }
    let nanoseconds = (times.min() ?? 0) / Double(rounds)
    let rate = size.map { "\($0) octets, \(Int(Double($0) * 1_000 / nanoseconds)) MB/s, " } ?? ""
    print("\(name): \(rate)\(Int(nanoseconds)) ns")
  }

  /// Of this thread, in nanoseconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
