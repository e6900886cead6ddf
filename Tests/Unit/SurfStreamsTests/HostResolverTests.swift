import SurfSockets
import SurfStreams
import SurfThreads
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct HostResolverTests {
  typealias Answer = Result<[TCPAddress], ResolveError>

  private func resolve(_ host: String) throws -> Answer {
    let answer = Monitor<Answer?>(nil)
    HostResolver().resolve(host, port: 7) { found in answer.withLock { $0 = found } }
    answer.wait(until: monotonicNow() + patience) { $0 != nil }
    return try #require(answer.withLock { $0 })
  }

  @Test(arguments: ["127.0.0.1", "::1", "[::1]"])
  func aLiteralIsAnsweredBeforeTheCallReturns(_ host: String) {
    let answer = Mutex<Answer?>(nil)
    HostResolver().resolve(host, port: 7) { found in answer.withLock { $0 = found } }
    let expected = TCPAddress(parsing: host, port: 7).map { [$0] }
    #expect(answer.withLock { $0 } == expected.map { .success($0) })
  }

  @Test func localhostIsThisMachine() throws {
    let addresses = try resolve("localhost").get()
    #expect(!addresses.isEmpty)
    #expect(addresses.allSatisfy { $0.isLoopback && $0.port == 7 })
    #expect(Set(addresses).count == addresses.count)
  }

  @Test func anUnknownNameHasAReason() throws {
    guard case .failure(let error) = try resolve("no-such-host.invalid") else { throw Gone() }
    #expect("\(error)".hasPrefix("cannot find the host 'no-such-host.invalid': "))
  }

  /// Each open question holds a thread. Those over the limit fail immediately; all are answered.
  @Test func everyQuestionIsAnsweredOnceHoweverMany() {
    let answers = Monitor<[Answer]>([])
    let resolver = HostResolver()
    for _ in 0..<200 {
      resolver.resolve("localhost", port: 7) { answer in answers.withLock { $0.append(answer) } }
    }
    answers.wait(until: monotonicNow() + patience) { $0.count >= 200 }
    let known = answers.withLock { $0 }
    #expect(known.count == 200)
    let isExpected = known.allSatisfy { answer in
      switch answer {
      case .success(let addresses): !addresses.isEmpty
      case .failure(let error): error == .busy(host: "localhost")
      }
    }
    #expect(isExpected)
  }
}
