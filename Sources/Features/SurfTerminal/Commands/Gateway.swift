import Glibc
import SurfObserver
import SurfThreads

extension Subcommand {
  static let gateway = Self(
    "gateway", in: .share, "Show every app in Redux DevTools, and obey its buttons",
    options: [
      .listen, .connect, .auto, .browse, .serviceType, .inspector, .history, .allowHost,
      .allowOrigin, .tokenFile, .relayToken, .noToken, .expose, .json, .observe,
    ], moving: [.open],
    examples: [
      ("gateway", "panels connect to 127.0.0.1:8000"),
      ("gateway --listen [::1]:9000 --inspector 9001", "elsewhere, and RemoteInspector"),
      ("gateway --connect ws://127.0.0.1:8000", "through a running relay; or socketio://"),
    ],
    notes: [
      "",
      "On loopback any panel may connect. At any other address a client needs the token that the",
      "gateway prints when it starts: ?token=TOKEN after the address, the WebSocket subprotocol",
      "statesurf.token.TOKEN, or the header Authorization: Bearer TOKEN.",
      "",
      "With --inspector, apps that send RemoteInspector's `update` and `log` to that port (or to",
      "HOST:PORT) are listed like any other app. Front ends that send `subscribe` get the last",
      "value of every id, and then all messages: those of these apps as they are, and of every",
      "other app its values as id APP/NAME, or, while it has none, its state as id APP.",
    ], makes: GatewayOptions.init)
}

/// The options of `statesurf gateway`, as the user wrote them.
package struct GatewayOptions: Command {
  /// `HOST:PORT` each. If empty, and there is no relay to dial, the gateway uses the default.
  package var listen: [String] = []
  package var relays: [String] = []
  package var hosts: [String] = []
  package var origins: [String] = []
  /// The file with the token that every client must show.
  package var tokenFile: String?
  /// The file with the token to show to relays.
  package var relayToken: String?
  package var needsNoToken = false
  /// Whether to serve other machines even with a key.
  package var isExposed = false
  package var rowCountMax = 200
  /// Whether to dial all relays that DNS-SD finds.
  package var dialsAll = false
  /// The relay to dial among those that DNS-SD finds.
  package var relayName: String?
  package var serviceType: String?
  /// Where to serve RemoteInspector, `PORT` or `HOST:PORT`; nil not to.
  package var inspector: String?
  package var json = false

  package init() {}

  init(_ words: Words) throws(Failure) {
    try words.exclude(.noToken, .tokenFile)
    listen = words.texts(.listen)
    relays = words.texts(.connect)
    hosts = words.texts(.allowHost)
    origins = words.texts(.allowOrigin)
    tokenFile = words.text(.tokenFile)
    relayToken = words.text(.relayToken)
    needsNoToken = words.has(.noToken)
    isExposed = words.has(.expose)
    if let rows = words.number(.history) { rowCountMax = Int(rows) }
    dialsAll = words.has(.auto)
    relayName = words.text(.browse)
    serviceType = words.text(.serviceType)
    if words.has(.inspector) { inspector = words.text(.inspector) ?? "8080" }
    json = words.has(.json)
  }

  /// Runs until a signal arrives or the output loses its reader.
  package func run(on stage: Stage) throws(Failure) -> Int32 {
    let network = try stage.configuration()
    stage.sayIfObserving()
    let queue = try EventQueue()
    stage.signals.tell(queue)
    let service = try stage.gateway.start(self, network, queue)
    defer { service.stop() }
    for line in service.greeting { stage.output.print(line) }
    while stage.output.fault == nil {
      wait(for: queue, stage.output)
      for event in queue.takeAll() {
        switch event {
        case .line(let line): stage.output.print(line)
        case .complaint(let text): stage.output.note(text)
        // A service normally ends by a signal.
        case .signal: return ExitCode.done
        case .change, .dropped, .answer: break
        }
      }
    }
    return ExitCode.done
  }

  private func wait(for queue: EventQueue, _ output: Output) {
    do throws(ThreadError) {
      let wakeup = try Poller.wait(
        reading: [queue.fileDescriptor], watching: [STDOUT_FILENO], until: nil)
      if !wakeup.abandoned.isEmpty { output.readerLeft() }
    } catch {
      // The loop checks the queue and tries again.
    }
  }
}

/// How to start a gateway. `SurfCommand` passes it in, because features do not know each other.
package struct GatewayProvider {
  /// A gateway's memory limits, for `doctor`.
  let bounds: [MemoryCheck.Bound]
  let start: Starter

  /// Starts a gateway, which puts its lines and complaints into the queue.
  package typealias Starter = (
    GatewayOptions, Observer.Configuration, EventQueue
  ) throws(Failure) -> any ServiceCommand

  package init(bounds: [MemoryCheck.Bound], start: @escaping Starter) {
    (self.bounds, self.start) = (bounds, start)
  }
}

/// A service, such as the gateway, that runs until the user ends it.
package protocol ServiceCommand: Sendable {
  /// The lines to print at the start.
  var greeting: [Line] { get }
  /// Returns once the service has ended.
  func stop()
}
