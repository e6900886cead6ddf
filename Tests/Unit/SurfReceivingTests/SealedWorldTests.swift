import Foundation
import SurfNetwork
import SurfObserver
import SurfReceiving
import SurfSeal
import SurfThreads
import SurfTransport
import SurfWire
import TestSupport
import Testing

/// Whole ends with their seals, and everything that they have to say (Protocol.md §18).
@Suite struct SealedWorldTests {
  private static let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"

  /// Unoptimized, sealing takes a hundred times as long.
  private static func seeds(_ short: UInt64, long: UInt64) -> Range<UInt64> {
    0..<(isLong ? long : _isDebugAssertConfiguration() ? 3 : short)
  }

  /// Half a second of everything; in some an app begins anew, and in some nothing comes through for
  /// a while.
  private func world(seed: UInt64) -> SealedWorld {
    var world = SealedWorld(seed: seed)
    for number in 0..<400 {
      if number == 120, seed % 3 == 0 { world.restart(0) }
      if number == 200, seed % 5 == 0 { world.deafUntil = world.now + .milliseconds(150) }
      world.turn()
    }
    world.settle()
    return world
  }

  /// Apart from replays: datagrams for an app that was replaced, probes under the key of the other
  /// app, and, at an app with the watch key, requests that would move it.
  private static func expectedDrops(seed: UInt64) -> Set<String> {
    let drops: Set<String> = ["replayed", "other session", "unknown key"]
    return seed % 4 == 1 ? drops.union(["does not open"]) : drops
  }

  @Test func `no nonce comes twice, and a packet is sent again as it was, but for its flags`() {
    var codes: Set<UInt8> = []
    var (useCount, repeatedCount) = (0, 0)
    for seed in Self.seeds(100, long: 10_000) {
      let world = world(seed: seed)
      #expect(world.recorder.faultCount == 0, "seed \(seed)")
      #expect(world.changedCount == 0, "seed \(seed)")
      let drops = (world.apps.map(\.drops) + world.viewers.map(\.drops)).flatMap(\.keys)
      #expect(Set(drops).isSubset(of: Self.expectedDrops(seed: seed)), "seed \(seed): \(drops)")
      for viewer in world.viewers {
        #expect(Set(viewer.sessions).isSuperset(of: world.apps.map(\.machine.session)))
      }
      codes.formUnion(world.codes)
      useCount += world.recorder.useCount
      repeatedCount += world.repeatedCount
    }
    let all: Set<UInt8> = Set(1...19)
    #expect(codes == all)
    #expect(useCount > 1_000 && repeatedCount > 100)
  }

  /// §18.3 leaves the numbers of packets to the window of §10.3. A repeated packet counts as a
  /// duplicate; from another address than the app's, it counts as an impostor's (§10.8).
  @Test func `what reached somebody comes again, and nothing counts but duplicates and replays`() {
    var replayedCount = 0
    for seed in Self.seeds(40, long: 1_000) {
      var world = world(seed: seed)
      let before = world.pictures
      let drops = world.drops
      world.replayAll { $0 == .received }
      for (old, new) in zip(before, world.pictures) {
        #expect(new.changes(since: old) == [], "seed \(seed)")
      }
      for (end, (old, new)) in zip(drops, world.drops).enumerated() {
        let moved = Set(new.filter { $0.value > old[$0.key, default: 0] }.keys)
        #expect(
          moved.isSubset(of: Self.expectedDrops(seed: seed)), "seed \(seed), end \(end): \(moved)")
      }
      replayedCount += world.drops.reduce(0) { $0 + $1["replayed", default: 0] }
    }
    #expect(replayedCount > 1_000)
  }

  /// To another app, to another viewer, back to its sender: the header has the session, the key the
  /// role, the body the viewer, and the cookie the address.
  @Test func `what was sent to others moves nobody, brings no row, and makes nobody answer`() {
    for seed in Self.seeds(40, long: 1_000) {
      var world = world(seed: seed)
      let before = world.pictures
      let drops = world.drops
      world.replayAll { $0 == .others }
      for (old, new) in zip(before, world.pictures) {
        // A datagram for another end may open here, and is then dropped.
        let mayChange: Set<String> = [
          "opened", "not for an app", "not for a viewer", "unproven request",
        ]
        #expect(Set(new.changes(since: old)).isSubset(of: mayChange), "seed \(seed)")
      }
      for (old, new) in zip(drops, world.drops) {
        let moved = Set(new.filter { $0.value > old[$0.key, default: 0] }.keys)
        let mayMove: Set<String> = [
          "replayed", "unknown key", "does not open", "other session", "not for an app",
          "not for a viewer",
        ]
        #expect(moved.isSubset(of: mayMove), "seed \(seed): \(moved)")
      }
    }
  }

  /// §18.5: whoever hears the session's id can say so first, in the clear.
  @Test func `a session that somebody said to be open is sealed once its app is heard`() {
    var world = SealedWorld(seed: 0)
    let session = world.apps[0].machine.session
    let forged = Datagram(session: session, body: .heartbeat(.sample()))
    world.receive(
      SealedWorld.Post(
        bytes: forged.encoded(), from: Endpoint(rawValue: 7), to: world.viewers[0].endpoint))
    for _ in 0..<3_000 { world.turn(isSettling: true) }
    let answers = Monitor<[ResetAnswer]>([])
    world.viewers[0].machine.perform(
      .request(
        ObserverRequest(
          session: session, target: .initial, content: nil, isCommand: false,
          timeout: .seconds(3)
        ) { answer in answers.withLock { $0.append(answer) } }), at: world.now)
    for _ in 0..<500 { world.turn(isSettling: true) }
    let count = answers.withLock { $0 }.count { if case .answered = $0 { true } else { false } }
    #expect(count == 1)
    #expect(world.apps[0].moves.count == 1)
  }

  /// A recording cannot take the place of the app itself.
  @Test func `an app that is gone stays gone, and nobody who comes later hears of it`() {
    for seed in Self.seeds(10, long: 200) {
      var world = world(seed: seed)
      let session = world.apps[0].machine.session
      world.apps[0].hasCrashed = true
      world.addViewer()
      for _ in 0..<100 {
        for _ in 0..<25 { world.turn(isSettling: true) }
        world.replaySome(of: world.apps[0].endpoint, count: 20)
      }
      for viewer in world.viewers.dropLast() {
        #expect(viewer.heartbeatsSinceGone[session] == 0, "seed \(seed)")
      }
      let late = world.viewers.last?.sessions ?? []
      #expect(late == [world.apps[1].machine.session], "seed \(seed)")
      for index in world.viewers.indices.dropLast() {
        let isUnreachable = world.isUnreachable(session, by: index)
        #expect(isUnreachable, "seed \(seed), viewer \(index)")
      }
    }
  }
}

extension SealedWorld {
  fileprivate var pictures: [SealedWorldPicture] {
    apps.map(\.picture) + viewers.map(\.picture)
  }

  /// What the seals have dropped.
  fileprivate var drops: [[String: Int]] { apps.map(\.drops) + viewers.map(\.drops) }

  /// Replays all datagrams, in another order and some twice, to each end with a wanted relation:
  /// from the sender, from the receiver or from elsewhere.
  fileprivate mutating func replayAll(_ isWanted: (Relation) -> Bool) {
    let posts = heard.shuffled(using: &random) + heard.shuffled(using: &random).prefix(50)
    let ends = apps.map(\.endpoint) + viewers.map(\.endpoint)
    for post in posts {
      for end in ends where isWanted(relation(of: post, to: end)) {
        let from = [post.from, end, Endpoint(rawValue: 7)].randomElement(using: &random)
        receive(Post(bytes: post.bytes, from: from ?? post.from, to: end))
      }
    }
    for index in viewers.indices {
      viewers[index].machine.advance(to: now)
      _ = viewers[index].listen()
    }
    for index in apps.indices { apps[index].moves += apps[index].machine.takeResets() }
  }

  /// Replays one end's datagrams, from its address, to their receivers and the latecomer.
  fileprivate mutating func replaySome(of sender: Endpoint, count: Int) {
    let posts = heard.filter { $0.from == sender }
    let late = viewers.last?.endpoint
    for post in posts.shuffled(using: &random).prefix(count) {
      for end in viewers.map(\.endpoint)
      where end == late || relation(of: post, to: end) == .received {
        receive(Post(bytes: post.bytes, from: post.from, to: end))
      }
    }
  }

  fileprivate mutating func addViewer() {
    let ring = KeyRing(apps[0].key, [apps[1].key])
    viewers.append(
      SealedWorldViewer(
        ring, at: Endpoint(rawValue: 300), joinsAt: .zero, recorder, &random))
  }

  fileprivate mutating func isUnreachable(_ session: SessionID, by index: Int) -> Bool {
    viewers[index].machine.perform(
      .request(
        ObserverRequest(
          session: session, target: .initial, content: nil, isCommand: false,
          timeout: .seconds(1)
        ) { _ in }), at: now)
    let answers = viewers[index].machine.takeAnswers().map(\.0)
    return answers == [.unreachable]
  }
}
