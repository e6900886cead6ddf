import SurfDiscovery
import SurfNetwork
import SurfSockets
import SurfTimeline
import SurfWire
import TerminalScreen

/// `doctor`'s checks of what it heard from the network, and of what it should have heard.
package struct NetworkChecks {
  private let common: Invocation.Common
  private let interface: NetworkInterface?
  private let containers: [NetworkInterface]
  private let missed: () -> KernelCounts.Missed?

  /// - Parameters:
  ///   - common: where the doctor listens, and whether it only observes.
  ///   - interface: nil if it cannot be examined.
  ///   - containers: the networks of this machine's containers.
  ///   - missed: datagrams that reached the machine but no process since the doctor began to
  ///     listen.
  package init(
    _ common: Invocation.Common, on interface: NetworkInterface? = nil,
    containers: [NetworkInterface] = [],
    missed: @escaping () -> KernelCounts.Missed? = { nil }
  ) {
    (self.common, self.interface, self.missed) = (common, interface, missed)
    self.containers = containers
  }

  func all(_ live: [Instance], _ counters: ViewerCounters) -> [DoctorCheck] {
    let heard =
      Self.hidden(counters.network) + Self.sealed(counters.network) + [
        Self.clashes(live), Self.versions(counters.network), Self.drops(counters),
      ]
    let instances = instances(live, counters.network)
    if common.observes { return instances + heard }
    return instances + unheard(live, counters.network) + heard + answers(live, counters.network)
  }

  private func instances(_ live: [Instance], _ counters: NetworkCounters) -> [DoctorCheck] {
    let name = "instances"
    guard live.isEmpty else {
      let labels = live.map(\.label).joined(separator: ", ")
      return [DoctorCheck(name, isFine: true, "\(live.count) live: \(labels)")]
    }
    // A doctor that hears other apps is on the right link. A broken link has a check of its own.
    guard counters.otherRealmCount == 0, counters.strangers.places.isEmpty,
      interface?.fault == nil
    else {
      return [DoctorCheck(name, isFine: true, "none is live")]
    }
    let place = "\(common.interface), \(IPv4.text(common.group)), port \(common.port)"
    return [DoctorCheck(name, isFine: true, "none is live on \(place)", fix: start)] + strays
      + [LinkCheck.check(ofContainersOn: containers)].compactMap(\.self)
  }

  private var start: String {
    let start = "start an app with the same STATESURF_INTERFACE, STATESURF_GROUP and STATESURF_PORT"
    guard interface?.isLoopback == false else { return start }
    return start + "; if one runs on another machine, let multicast through the firewall there, "
      + "and through the switch: its IGMP snooping needs a querier"
  }

  /// Datagrams that nobody received. They may come from apps, but are not a fault of this machine.
  private var strays: [DoctorCheck] {
    guard let missed = missed() else { return [] }
    var checks: [DoctorCheck] = []
    if missed.toOtherPorts > 0 {
      checks.append(
        DoctorCheck(
          "other ports", isFine: true,
          "multicast came for ports on which nobody listens here (\(missed.toOtherPorts))",
          fix: "use the port of the app: --port here, or STATESURF_PORT there"))
    }
    if missed.fromElsewhere > 0 {
      checks.append(
        DoctorCheck(
          "other subnets", isFine: true,
          "the kernel dropped what came from where no route leads (\(missed.fromElsewhere))",
          fix: "give both machines addresses of one subnet, or add a route to the other's"))
    }
    return checks
  }

  /// DNS-SD takes another route than the data. If an app is announced but not heard, the route of
  /// the data is broken.
  private func unheard(_ live: [Instance], _ counters: NetworkCounters) -> [DoctorCheck] {
    let name = "announced"
    let heard = Set(live.map(\.id))
    let unheard = counters.announced.filter { !heard.contains($0.key) }.values
    guard !unheard.isEmpty else {
      let finding = "\(counters.announced.count) by DNS-SD, all heard"
      return [DoctorCheck(name, isFine: true, finding)]
    }
    let places = Dictionary(grouping: unheard) { "--group \($0.group) --port \($0.port)" }
    let here = "--group \(IPv4.text(common.group)) --port \(common.port)"
    return places.sorted { $0.key < $1.key }.map { place, apps in
      let names = apps.map { "\($0.app)#\($0.process) on \($0.host)" }.sorted()
      let (words, fix) =
        place == here
        ? (
          "",
          "let UDP multicast through: the firewalls of both machines, the Wi-Fi, and the switch,"
            + " whose IGMP snooping needs a querier"
        ) : (", as it is elsewhere", place)
      return DoctorCheck(
        name, isFine: false,
        "announced and not heard\(words): \(names.map { escaped($0) }.joined(separator: ", "))",
        fix: escaped(fix))
    }
  }

  /// An app stays silent if it does not hear a request, or does not accept the sender's address.
  private func answers(_ live: [Instance], _ counters: NetworkCounters) -> [DoctorCheck] {
    let name = "repairs"
    let group = IPv4Endpoint(
      address: common.group, port: NetworkDefaults.probePort(common.port))
    let unasked = counters.refusals[group].map { refusal in
      DoctorCheck(
        name, isFine: false, "apps cannot be asked: \(refusal)",
        fix: LinkCheck.fix(refusal, on: interface))
    }
    let silent = live.compactMap { app in
      counters.silentPlaces[app.session].map { place in
        let (words, fix) = silence(at: place, counters.refusals[place])
        return DoctorCheck(
          name, isFine: false, "repairs do not arrive: \(app.label) is heard, but \(words)",
          fix: fix)
      }
    }
    let faults = (unasked.map { [$0] } ?? []) + silent
    return faults.isEmpty ? [DoctorCheck(name, isFine: true, "arrive on request")] : faults
  }

  private func silence(
    at place: IPv4Endpoint, _ refusal: SocketError?
  ) -> (words: String, fix: String) {
    if let refusal {
      return ("cannot be asked: \(refusal)", LinkCheck.fix(refusal, on: interface))
    }
    if let interface, !interface.reaches(place.address) {
      return (
        "does not answer: \(IPv4.text(place.address)) is outside of \(interface.network)",
        "give both machines addresses of one subnet, or add a route at both ends"
      )
    }
    return (
      "does not answer",
      "let UDP through both ways between this machine and the app's (firewall, NAT)"
    )
  }

  private static func hidden(_ counters: NetworkCounters) -> [DoctorCheck] {
    ListSession.hidden(counters.otherRealmCount).map {
      [DoctorCheck("other realms", isFine: true, $0)]
    } ?? []
  }

  /// Apps whose key this user does not have, and sealed datagrams that something is wrong with.
  private static func sealed(_ counters: NetworkCounters) -> [DoctorCheck] {
    let strangers = counters.strangers.lines.map {
      DoctorCheck(
        "sealed", isFine: true, $0, fix: "ask for that key: statesurf key list tells its id")
    }
    return strangers
      + faults(
        "does not open", counters, "under a key that is here",
        "compare the fingerprints of both key files: statesurf key list")
      + faults(
        "replayed", counters, "were here before",
        "look for who sends them again: a recording, or a second way between two networks")
      + faults(
        "not sealed", counters, "of sealed apps came in the clear",
        "look for who poses as these apps: they themselves send no such datagram")
  }

  private static func faults(
    _ reason: String, _ counters: NetworkCounters, _ what: String, _ fix: String
  ) -> [DoctorCheck] {
    guard let count = counters.drops[reason] else { return [] }
    let noun = count == 1 ? "datagram" : "datagrams"
    return [DoctorCheck(reason, isFine: true, "\(count) \(noun) \(what)", fix: fix)]
  }

  private static func clashes(_ live: [Instance]) -> DoctorCheck {
    let labels = repeated(live.map { "\($0.label) on \($0.host)" })
    if !labels.isEmpty {
      return DoctorCheck(
        "names", isFine: false, "more than one \(labels.joined(separator: ", "))",
        fix: "give each instance of a process a name of its own, or use its id")
    }
    let ids = repeated(live.map(\.id.description))
    return DoctorCheck(
      "names", isFine: ids.isEmpty,
      ids.isEmpty
        ? "no two share a name, process and host"
        : "two instances with id \(ids[0].prefix(8))",
      fix: ids.isEmpty ? "" : "wait a moment after a restart; never give an id of your own twice")
  }

  private static func repeated(_ names: [String]) -> [String] {
    Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
  }

  private static func versions(_ counters: NetworkCounters) -> DoctorCheck {
    let others = counters.foreignVersions.sorted().map(String.init).joined(separator: ", ")
    return others.isEmpty
      ? DoctorCheck("protocol", isFine: true, "only version 1 was heard")
      : DoctorCheck(
        "protocol", isFine: false, "heard version \(others) too, and cannot read it",
        fix: "use the same release of StateSurf everywhere")
  }

  private static func drops(_ counters: ViewerCounters) -> DoctorCheck {
    let text = counters.dropReasons
    // Anybody may send anything to the group. It is worth reporting, but not a fault of this
    // machine.
    return DoctorCheck(
      "datagrams", isFine: true,
      "\(counters.network.datagramsReceived) received, dropped: \(text.isEmpty ? "none" : text)")
  }
}
