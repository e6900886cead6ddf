import Foundation
import SurfNetwork
import SurfSeal
import SurfWire
import Testing

/// Whether the thread sanitizer is in, which does not survive a fork.
private let isSanitized = dlsym(nil, "__tsan_init") != nil

/// Ends the process if another one than its owner seals.
private struct OwnersCipher: SealingCipher {
  static let exitCode: Int32 = 3
  let cipher: ChaChaPoly
  let owner: pid_t

  func seal(
    _ room: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    if getpid() != owner { _exit(Self.exitCode) }
    return cipher.seal(room, header: header, nonce: nonce)
  }

  func open(
    _ sealed: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    cipher.open(sealed, into: room, header: header, nonce: nonce)
  }
}

/// Parent and child have one key and one count: what both seal gives both away (Protocol.md §18.2).
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .disabled(if: isSanitized, "the sanitizer does not survive a fork"))
struct ForkedSealTests {
  @Test func `a forked child seals nothing under its parent's key`() throws {
    let owner = getpid()
    let key = GroupKey.drive(DriveKey(try #require(Octets32(0..<32))))
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "forks")
    configuration.port = Ports.take()
    configuration.registersDNSSD = false
    configuration.sealing = Sealing(KeyRing(key)) {
      OwnersCipher(cipher: ChaChaPoly($0), owner: owner)
    }
    let broadcaster = Broadcaster(configuration: configuration) { _ in }
    broadcaster.resume()
    defer { broadcaster.suspend() }
    broadcaster.send([.sample(1, size: 100)])
    #expect(broadcaster.flush(timeout: .seconds(30)))
    let (viewer, log) = try observe(port: configuration.port, with: KeyRing(key))
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "forks"))
    viewer.follow(session, since: .since(1))
    #expect(log.waitForRecords(1) != nil)
    var endings: [Int32] = []
    // A lock that a thread holds when it forks is held for ever in the child, which ends then.
    for _ in 0..<5 {
      endings.append(
        try Self.inChild {
          broadcaster.send([.sample(2, size: 50)])
          broadcaster.perform(.control(.replays))
        })
    }
    let (all, hung): (Int32, Int32) = (7, 128 + SIGALRM)
    #expect(endings.contains(all) && endings.allSatisfy { [all, hung].contains($0) }, "\(endings)")
    broadcaster.send([.sample(2, size: 100)])
    let records = try #require(log.waitForRecords(2))
    #expect(
      records.map(\.state) == [Record.sample(1, size: 100), .sample(2, size: 100)].map(\.state))
  }

  /// Forks, and calls `body` in the child, which may take two seconds; its exit code, or a signal's
  /// number and 128.
  private static func inChild(_ body: () -> Void) throws -> Int32 {
    // Swift has no name for it.
    let fork = unsafeBitCast(
      try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 {
      // A test may run on a thread of Dispatch's, which lets no signal in.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      alarm(2)
      body()
      _exit(7)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 : 128 + signal
  }
}
