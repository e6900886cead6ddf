import Foundation
import SurfNetwork
import SurfSeal
import SurfWire
import TestSupport
import Testing

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
    let key = GroupKey(.drive, try #require(Octets32(0..<32)))
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
    // A lock that a thread holds during the fork stays locked in the child, which then ends.
    for _ in 0..<5 {
      endings.append(
        inChild(seconds: 2) {
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
}
