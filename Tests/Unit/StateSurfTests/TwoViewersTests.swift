import Foundation
import StateSurf
import SurfControl
import SurfObserver
import SurfStore
import SurfThreads
import SurfWire
import TestSupport
import Testing

/// Two viewers and an app that one of them drives, over a real network.
@Suite(.timeLimit(.minutes(10)))
struct TwoViewersTests {
  private let app: HistoryTransceiver<Counter>
  private let port: UInt16

  init() {
    var configuration = Transceiver.Configuration()
    configuration.port = UInt16(51_200 + 2 * (getpid() % 5_000))
    configuration.registersDNSSD = false
    port = configuration.port
    app = HistoryTransceiver(
      transceiver: Transceiver(name: "driven", configuration: configuration))
    app.resume()
  }

  private final class Viewer: Sendable {
    let observer: Observer
    let heard: Monitor<(session: SessionID?, isDriven: Bool)>

    init(_ name: String, _ port: UInt16) throws {
      var configuration = Observer.Configuration()
      configuration.port = port
      configuration.browsesDNSSD = false
      configuration.viewerName = name
      let heard = Monitor<(session: SessionID?, isDriven: Bool)>((nil, false))
      self.heard = heard
      observer = try Observer(configuration: configuration) { event in
        switch event {
        case .appeared(let session, let heartbeat, _), .heartbeat(let session, let heartbeat):
          heard.withLock { $0 = (session, heartbeat.control.contains(.driven)) }
        default: break
        }
      }
      heard.wait { $0.session != nil }
    }

    private func ask(
      _ send: (SessionID, @escaping @Sendable (ResetAnswer) -> Void) -> Void
    ) -> ResetAnswer? {
      let answer = Monitor<ResetAnswer?>(nil)
      guard let session = heard.withLock({ $0.session }) else { return nil }
      send(session) { value in answer.withLock { $0 = value } }
      answer.wait { $0 != nil }
      return answer.withLock { $0 }
    }

    func drive(_ wish: WheelRequest) -> ResetAnswer? {
      ask {
        observer.command(
          $0, HistoryCommand<UInt64>.drive(wish).bytes, timeout: .seconds(60), completion: $1)
      }
    }

    func reset() -> ResetAnswer? {
      ask { observer.reset($0, to: .initial, state: nil, timeout: .seconds(60), completion: $1) }
    }
  }

  private func isRefusal(_ answer: ResetAnswer?, by name: String) -> Bool {
    if case .answered(.rejected("\(name) is driving"), _) = answer { true } else { false }
  }

  @Test func `the app obeys its driver alone, until another takes over, and then that one`() throws
  {
    defer { app.transceiver.suspend() }
    app.store.dispatch(.increment)
    let (ada, bob) = (try Viewer("ada", port), try Viewer("bob", port))
    defer {
      ada.observer.stop()
      bob.observer.stop()
    }
    #expect(ada.drive(.take(over: false)) == .answered(.applied, .record(1)))
    // Both are told.
    for viewer in [ada, bob] { #expect(viewer.heard.wait { $0.isDriven }) }
    #expect(isRefusal(bob.reset(), by: "ada"))
    #expect(isRefusal(bob.drive(.take(over: false)), by: "ada"))
    #expect(app.store.state.count == 1)
    #expect(bob.drive(.take(over: true)) == .answered(.applied, .record(1)))
    #expect(isRefusal(ada.reset(), by: "bob"))
    // Giving back what is another's changes nothing.
    #expect(ada.drive(.giveBack) == .answered(.applied, .record(1)))
    #expect(isRefusal(ada.reset(), by: "bob"))
    #expect(bob.reset() == .answered(.applied, .initial))
    #expect(bob.drive(.giveBack) == .answered(.applied, .initial))
    #expect(ada.heard.wait { !$0.isDriven })
    #expect(ada.reset() == .answered(.applied, .initial))
  }
}
