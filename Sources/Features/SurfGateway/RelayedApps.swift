import JSONTree
import ReduxDevTools
import SurfBasics
import SurfStreams
import SurfWire

/// The Redux DevTools apps that are connected to our relays, over either protocol. Each becomes a
/// guest of the network, so that every viewer and panel sees it (Relay.md, Guests).
struct RelayedApps {
  /// A connection to one of our relays.
  enum Place: Hashable {
    case cluster(StreamID)
    case engine(sid: String)
  }

  enum Output {
    /// A frame for an app; `isAsked` if the app must answer it.
    case send(JSON, Place, isAsked: Bool)
    case request(GatewayRequest)
  }

  private struct Guest {
    var app: RelayedApp
    /// Nil until it has been announced.
    var instance: InstanceID?
    /// Remains true until it reconnects: its history began with steps that were dropped.
    var isLeftOut = false
  }

  private var guests: [Place: Guest] = [:]
  /// The upper half of the ids of these guests.
  private let guestsHigh: UInt64
  private let random: @Sendable () -> UInt64
  private var outputs: [Output] = []
  /// Counts of what was ignored or refused, by kind.
  var drops: [String: Int] {
    guests.values.reduce(into: ownDrops) { $0.add($1.app.drops) }
  }
  private var ownDrops: [String: Int] = [:]

  init(guestsHigh: UInt64, random: @escaping @Sendable () -> UInt64) {
    self.guestsHigh = guestsHigh
    self.random = random
  }

  mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  /// Whether SocketCluster panels get an instance's own frames.
  func isShownRaw(_ instance: InstanceID) -> Bool {
    guests.contains { place, guest in
      if case .cluster = place { guest.instance == instance } else { false }
    }
  }

  // MARK: Frames from apps

  mutating func hear(
    _ frame: JSON, from place: Place, _ peer: @autoclosure () -> TCPAddress?, at now: Duration
  ) {
    guests[place, default: Guest(app: RelayedApp(frame))].app.hear(frame, at: now)
    drain(place, peer())
  }

  mutating func acknowledge(_ answer: JSON?, from place: Place) {
    guests[place]?.app.acknowledge(answer)
    drain(place, nil)
  }

  mutating func closed(_ place: Place) {
    guard let guest = guests.removeValue(forKey: place) else { return }
    ownDrops.add(guest.app.drops)
    if let instance = guest.instance { outputs.append(.request(.withdraw(instance))) }
  }

  // MARK: Time

  var deadline: Duration? { guests.values.compactMap(\.app.deadline).min() }

  mutating func advance(to now: Duration) {
    for (place, guest) in guests where guest.app.deadline.map({ $0 <= now }) == true {
      guests[place]?.app.advance(to: now)
      drain(place, nil)
    }
  }

  // MARK: Requests of viewers

  mutating func ask(_ instance: InstanceID, _ request: GuestRequest, at now: Duration) {
    guard let place = guests.first(where: { $0.value.instance == instance })?.key else { return }
    if case .command(.describe) = request.wish {
      outputs.append(.request(.tell(instance, .describe)))
      outputs.append(.request(.settle(instance, request, .done)))
      return
    }
    guests[place]?.app.ask(request, at: now)
    drain(place, nil)
  }

  private mutating func drain(_ place: Place, _ peer: TCPAddress?) {
    for output in guests[place]?.app.takeOutputs() ?? [] {
      switch output {
      case .send(let frame): outputs.append(.send(frame, place, isAsked: false))
      case .ask(let frame): outputs.append(.send(frame, place, isAsked: true))
      case .step(let step):
        guard let instance = announced(place, peer) else { continue }
        outputs.append(.request(.tell(instance, step)))
      case .answer(let request, let answer):
        guard let instance = guests[place]?.instance else { continue }
        outputs.append(.request(.settle(instance, request, answer)))
      }
    }
  }

  /// A guest's instance, announced first if need be; nil if there are too many guests.
  private mutating func announced(_ place: Place, _ peer: TCPAddress?) -> InstanceID? {
    guard let guest = guests[place], !guest.isLeftOut else { return nil }
    if let instance = guest.instance { return instance }
    guard guests.values.count(where: { $0.instance != nil }) < GatewayLimits.guestCountMax else {
      guests[place]?.isLeftOut = true
      ownDrops.count("Redux app not announced: too many")
      return nil
    }
    let instance = InstanceID(high: guestsHigh, low: random())
    guests[place]?.instance = instance
    let host = peer?.isLoopback == true ? nil : peer?.hostText ?? ""
    outputs.append(
      .request(
        .announce(
          GuestAnnouncement(
            instance: instance, app: guest.app.name, host: host, port: peer?.port ?? 0,
            travels: true))))
    return instance
  }
}
