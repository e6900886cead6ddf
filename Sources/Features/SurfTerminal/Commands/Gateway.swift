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
      "gateway prints when it starts: ?token=TOKEN behind the address, the WebSocket subprotocol",
      "statesurf.token.TOKEN, or the header Authorization: Bearer TOKEN.",
      "",
      "With --inspector, apps that send RemoteInspector's `update` and `log` to that port (or to",
      "HOST:PORT) are listed like any other app. Front ends that send `subscribe` get the last",
      "value of every id, and then all messages: those of these apps as they are, and of every",
      "other app its values as id APP/NAME, or, while it has none, its state as id APP.",
    ], makes: GatewayOptions.init)
}

/// What a gateway is to do, as a person wrote it.
package struct GatewayOptions: Command {
  /// `HOST:PORT` each; without any, and without a relay to dial, the default place.
  package var listen: [String] = []
  /// Addresses of relays.
  package var relays: [String] = []
  package var hosts: [String] = []
  package var origins: [String] = []
  /// Where the token is that everybody must show.
  package var tokenFile: String?
  /// Where the one is that relays ask for.
  package var relayToken: String?
  /// Whether nobody must show one.
  package var needsNoToken = false
  /// Whether it serves other machines even while it holds a key.
  package var isExposed = false
  package var rowCountMax = 200
  /// Whether to dial all relays that DNS-SD finds, or the one with a name.
  package var dialsAll = false
  package var relayName: String?
  package var serviceType: String?
  /// Where to serve RemoteInspector, `PORT` or `HOST:PORT`; nil for nowhere.
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

  /// Runs it until a signal, or until the output has no reader.
  package func run(on stage: Stage) throws(Failure) -> Int32 {
    let network = try stage.configuration()
    stage.sayIfObserving()
    let queue = try EventQueue()
    stage.signals.tell(queue)
    let service = try stage.gateway.start(self, network) { word in
      switch word {
      case .line(let line): queue.push(.line(line))
      case .complaint(let text): queue.push(.complaint(text))
      }
    }
    defer { service.stop() }
    for line in service.greeting { stage.output.print(line) }
    while stage.output.fault == nil {
      wait(for: queue, stage.output)
      for event in queue.takeAll() {
        switch event {
        case .line(let line): stage.output.print(line)
        case .complaint(let text): stage.output.note(text)
        // A signal is how a service ends well.
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
      // Then the loop looks at the queue, and tries again.
    }
  }
}

/// The gateway, which is another feature.
package struct GatewayProvider {
  /// What it keeps at most.
  let bounds: [MemoryCheck.Bound]
  let start: Starter

  /// Starts one; its words may come from any thread.
  package typealias Starter = (
    GatewayOptions, Observer.Configuration, _ onWord: @escaping @Sendable (ServiceMessage) -> Void
  ) throws(Failure) -> any ServiceCommand

  package init(bounds: [MemoryCheck.Bound], start: @escaping Starter) {
    (self.bounds, self.start) = (bounds, start)
  }
}

/// Something that runs until a person ends it, and has lines to say meanwhile.
package protocol ServiceCommand: Sendable {
  /// What a person should know first.
  var greeting: [Line] { get }
  /// Ends it; returns when it has ended.
  func stop()
}

/// What a service says while it runs.
package enum ServiceMessage: Sendable {
  case line(Line)
  /// For standard error.
  case complaint(String)
}
