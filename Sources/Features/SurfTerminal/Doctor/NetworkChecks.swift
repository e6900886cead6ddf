import SurfNetwork
import SurfTimeline
import SurfWire
import TerminalScreen

/// What can be told from what was heard.
enum NetworkChecks {
  /// - Parameter observes: whether nobody was asked for anything.
  static func all(
    _ live: [Instance], _ counters: ViewerCounters, observes: Bool
  ) -> [DoctorCheck] {
    let heard =
      hidden(counters.network) + sealed(counters.network) + [
        clashes(live), versions(counters.network), drops(counters),
      ]
    if observes { return [instances(live)] + heard }
    return [instances(live), unheard(live, counters.network)] + heard
      + [answers(live, counters.network)]
  }

  /// DNS-SD comes another way than the data: an app that is announced and not heard shows that the
  /// data's is broken.
  private static func unheard(_ live: [Instance], _ counters: NetworkCounters) -> DoctorCheck {
    let heard = Set(live.map(\.id))
    let names = counters.announced.filter { !heard.contains($0.key) }.values.sorted()
    return names.isEmpty
      ? DoctorCheck("announced", isFine: true, "\(counters.announced.count) by DNS-SD, all heard")
      : DoctorCheck(
        "announced", isFine: false,
        "announced and not heard: \(names.map { escaped($0) }.joined(separator: ", "))",
        mend: "let UDP multicast through (firewall, switch, Wi-Fi), or use the same --group, --port"
      )
  }

  /// An app does not answer what it does not hear, or does not believe to come from here.
  private static func answers(_ live: [Instance], _ counters: NetworkCounters) -> DoctorCheck {
    let silent = live.filter { counters.standstills[$0.session] != nil }.map(\.label)
    return silent.isEmpty
      ? DoctorCheck("repairs", isFine: true, "arrive on request")
      : DoctorCheck(
        "repairs", isFine: false,
        "repairs do not arrive: \(silent.joined(separator: ", ")) is heard, but does not answer",
        mend: "let UDP through both ways between this machine and the app's (firewall, NAT)")
  }

  private static func instances(_ live: [Instance]) -> DoctorCheck {
    let labels = live.map(\.label).joined(separator: ", ")
    return DoctorCheck(
      "instances", isFine: true, live.isEmpty ? "none is live" : "\(live.count) live: \(labels)")
  }

  private static func hidden(_ counters: NetworkCounters) -> [DoctorCheck] {
    ListSession.hidden(counters.otherRealmCount).map {
      [DoctorCheck("other realms", isFine: true, $0)]
    } ?? []
  }

  /// Whom this viewer cannot read, and what came to it that is not as it should be.
  private static func sealed(_ counters: NetworkCounters) -> [DoctorCheck] {
    let strangers = counters.strangers.lines.map {
      DoctorCheck(
        "sealed", isFine: true, $0, mend: "ask for that key: statesurf key list tells its id")
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
    _ reason: String, _ counters: NetworkCounters, _ what: String, _ mend: String
  ) -> [DoctorCheck] {
    guard let count = counters.drops[reason] else { return [] }
    let noun = count == 1 ? "datagram" : "datagrams"
    return [DoctorCheck(reason, isFine: true, "\(count) \(noun) \(what)", mend: mend)]
  }

  private static func clashes(_ live: [Instance]) -> DoctorCheck {
    let labels = repeated(live.map { "\($0.label) on \($0.host)" })
    if !labels.isEmpty {
      return DoctorCheck(
        "names", isFine: false, "more than one \(labels.joined(separator: ", "))",
        mend: "give each instance of a process a name of its own, or use its id")
    }
    let ids = repeated(live.map(\.id.description))
    return DoctorCheck(
      "names", isFine: ids.isEmpty,
      ids.isEmpty ? "no two alike" : "two instances with id \(ids[0].prefix(8))",
      mend: ids.isEmpty ? "" : "wait a moment after a restart; never give an id of your own twice")
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
        mend: "use the same release of StateSurf everywhere")
  }

  private static func drops(_ counters: ViewerCounters) -> DoctorCheck {
    let text = counters.dropReasons
    // Strangers may send what they like: we report it, and nothing is wrong with this machine.
    return DoctorCheck(
      "datagrams", isFine: true,
      "\(counters.network.datagramsReceived) received, dropped: \(text.isEmpty ? "none" : text)")
  }
}
