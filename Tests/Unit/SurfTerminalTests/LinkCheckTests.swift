import Glibc
import SurfDiscovery
import SurfNetwork
import SurfObserver
import SurfSockets
import SurfTerminal
import SurfWire
import Testing

/// Faults of a link, and what `doctor` says and advises about each.
@Suite struct LinkCheckTests {
  private var eth0: NetworkInterface {
    get throws {
      var interface = try NetworkInterface.named("lo")
      (interface.name, interface.address, interface.netmask) = ("eth0", 0x0A63_4D01, 0xFFFF_FF00)
      (interface.mtu, interface.isLoopback, interface.isMulticast) = (1_500, false, true)
      return interface
    }
  }

  private var common: Invocation.Common {
    var common = Invocation.Common()
    common.interface = "eth0"
    return common
  }

  @Test func `an interface with nothing wrong is fine`() throws {
    let check = LinkCheck.of(try eth0)
    #expect(check == DoctorCheck("interface", isFine: true, "eth0 10.99.77.1, MTU 1500"))
    #expect(LinkCheck.of(try .named("lo")).isFine)
  }

  @Test(
    arguments: [
      (.down, "it is switched off", "ip link set eth0 up"),
      (.noCarrier, "no cable is plugged in, or no Wi-Fi is joined (NO-CARRIER)", "plug in the"),
      (.noMulticast, "its multicast is switched off", "ip link set eth0 multicast on"),
    ] as [(NetworkInterface.Fault, String, String)])
  func `an interface says what it lacks, and how to get it`(
    fault: NetworkInterface.Fault, words: String, fix: String
  ) throws {
    var interface = try eth0
    switch fault {
    case .down:
      (interface.isUp, interface.hasCarrier, interface.isMulticast) = (false, false, false)
    case .noCarrier: (interface.hasCarrier, interface.isMulticast) = (false, false)
    case .noAddress: interface.address = 0
    case .noMulticast: interface.isMulticast = false
    }
    #expect(interface.fault == fault)
    let check = LinkCheck.of(interface)
    #expect(!check.isFine && check.finding == "eth0 10.99.77.1, MTU 1500: \(words)")
    #expect(check.fix.hasPrefix(fix))
    let refusal = SocketError.system(.send(to: place), errno: ENETUNREACH)
    #expect(LinkCheck.fix(refusal, on: interface) == check.fix)
  }

  @Test func `who finds no app hears where containers run`() throws {
    let names = [
      ("lo", true), ("eth0", true), ("docker0", true), ("br-0123456789ab", true),
      ("br-lan", true), ("cni0", false),
    ]
    let interfaces = try names.map { name, hasCarrier in
      var interface = try eth0
      (interface.name, interface.hasCarrier) = (name, hasCarrier)
      return interface
    }
    let found = LinkCheck.containerNetworks(among: interfaces, besides: "lo")
    #expect(found.map(\.name) == ["docker0", "br-0123456789ab"])
    #expect(LinkCheck.containerNetworks(among: interfaces, besides: "docker0").count == 1)
    let check = try #require(LinkCheck.check(ofContainersOn: found))
    #expect(
      check.isFine && check.finding.hasPrefix("containers run on docker0 (10.99.77.0/24), br-"))
    #expect(check.fix.hasPrefix("--interface docker0 "))
    #expect(LinkCheck.check(ofContainersOn: []) == nil)
  }

  @Test(
    arguments: [
      (.noAddress("eth0", because: .noAddress), "interface 'eth0' has no IPv4 address", "get an"),
      (
        .noAddress("eth0", because: .noCarrier),
        "interface 'eth0' has no IPv4 address: no cable is plugged in, or no Wi-Fi is joined "
          + "(NO-CARRIER)", "plug in"
      ),
      (
        .noAddress("eth0", because: .down), "interface 'eth0' has no IPv4 address: it is", "ip link"
      ),
      (
        .noSuchInterface("eth0", existing: ["lo"]), "no IPv4 interface is named 'eth0'",
        "--interface"
      ),
    ] as [(SocketError, String, String)])
  func `without an interface it says why`(error: SocketError, words: String, fix: String) {
    let check = LinkCheck.fault(error)
    #expect(!check.isFine && check.name == "interface")
    #expect(check.finding.hasPrefix(words) && check.fix.hasPrefix(fix))
  }

  private let place = IPv4Endpoint(address: 0x0A63_4E02, port: 4_000)

  @Test(arguments: [
    (ENETUNREACH, "give both machines addresses of one subnet"),
    (EHOSTUNREACH, "give both machines addresses of one subnet"),
    (EPERM, "let UDP out through this machine's firewall"), (EINVAL, "another --interface"),
  ])
  func `a refused send has the fix of its reason`(errno: Int32, fix: String) throws {
    let refusal = SocketError.system(.send(to: place), errno: errno)
    #expect(LinkCheck.fix(refusal, on: try eth0).hasPrefix(fix))
    let check = MachineChecks.loopBack(.refused(refusal), try eth0, common)
    #expect(!check.isFine && check.fix.hasPrefix(fix))
  }

  @Test func `a silent loop-back names the ports that the firewall must let in`() throws {
    var common = common
    (common.group, common.port) = (0xEF01_0203, 9_000)
    let check = MachineChecks.loopBack(.silent(for: .seconds(1)), try eth0, common)
    #expect(check.fix.hasPrefix("let UDP to 239.1.2.3, ports 9000 and 9001, in through"))
  }

  /// The lines about what was heard on eth0.
  private func report(
    _ events: [ObserverEvent], _ counters: NetworkCounters,
    missed: KernelCounts.Missed? = nil, on interface: NetworkInterface? = nil
  ) throws -> [String] {
    let network = NetworkChecks(common, on: try interface ?? eth0) { missed }
    var session = Driven(DoctorSession(checks: [], json: false, network: network))
    _ = session.receive(all: events)
    var all = ViewerCounters()
    all.network = counters
    let actions = session.advance(to: .seconds(2), counters: all)
    let isFaulty = actions.text.contains { $0.hasPrefix("!!") }
    #expect(actions.last == .exit(isFaulty ? 1 : 0))
    return actions.text
  }

  @Test(
    arguments: [
      (0x0A63_4D02, nil, "is heard, but does not answer  Try: let UDP through both ways"),
      (
        0x0A63_4E02, nil,
        "is heard, but does not answer: 10.99.78.2 is outside of 10.99.77.0/24  Try: give both"
      ),
      (
        0x0A63_4E02, ENETUNREACH,
        "is heard, but cannot be asked: cannot send to 10.99.78.2:4000: Network is unreachable "
          + "(errno 101)  Try: give both machines addresses of one subnet, or add a route at both "
          + "ends: ip route add 10.99.78.2 dev eth0"
      ),
      (
        0x0A63_4D02, EPERM,
        "is heard, but cannot be asked: cannot send to 10.99.77.2:4000: Operation not permitted "
          + "(errno 1)  Try: let UDP out through this machine's firewall"
      ),
    ] as [(UInt32, Int32?, String)])
  func `who is heard and does not answer is named, with the reason`(
    address: UInt32, errno: Int32?, words: String
  ) throws {
    var counters = NetworkCounters()
    let place = IPv4Endpoint(address: address, port: 4_000)
    counters.silentPlaces[a] = place
    counters.note(errno.map { .system(.send(to: place), errno: $0) }, at: place)
    let lines = try report([.appeared(a, heartbeat())], counters)
    let start = "!!  repairs           repairs do not arrive: PrimeTime#123 "
    #expect(lines.contains { $0.hasPrefix(start + words) }, "\(lines)")
  }

  @Test func `a refusal counts until a datagram leaves for the same place`() {
    var counters = NetworkCounters()
    let refusal = SocketError.system(.send(to: place), errno: EPERM)
    counters.note(refusal, at: place)
    #expect(counters.refusals == [place: refusal])
    counters.note(nil, at: IPv4Endpoint(address: 1, port: 1))
    #expect(counters.refusals == [place: refusal])
    counters.note(nil, at: place)
    #expect(counters.refusals == [:])
    for port in 1...1_000 as ClosedRange<UInt16> {
      counters.note(refusal, at: IPv4Endpoint(address: 1, port: port))
    }
    #expect(counters.refusals.count == NetworkCounters.refusalCountMax)
  }

  @Test func `probes that the firewall stops are a fault`() throws {
    var counters = NetworkCounters()
    let probes = IPv4Endpoint(address: NetworkDefaults.group, port: 8_384)
    counters.note(.system(.send(to: probes), errno: EPERM), at: probes)
    let lines = try report([.appeared(a, heartbeat())], counters)
    let start = "!!  repairs           apps cannot be asked: cannot send to 239.255.83.83:8384: "
    #expect(lines.contains { $0.hasPrefix(start) && $0.contains("Try: let UDP out") }, "\(lines)")
  }

  private func announced(_ port: UInt16, _ group: String = "239.255.83.83") -> NetworkCounters {
    var counters = NetworkCounters()
    counters.announced[InstanceID(high: 1, low: 2)] = InstanceAdvertisement(
      version: 1, id: 3, app: "Todo", process: 9, host: "kitchen", group: group, port: port,
      contentType: "")
    return counters
  }

  @Test func `who is announced here and not heard has a network that stops multicast`() throws {
    let lines = try report([.appeared(a, heartbeat())], announced(8_383))
    let start = "!!  announced         announced and not heard: Todo#9 on kitchen  Try: let UDP "
    #expect(lines.contains { $0.hasPrefix(start) && $0.contains("IGMP snooping") }, "\(lines)")
  }

  @Test(arguments: [(9_000, "239.255.83.83"), (8_383, "239.1.2.3")] as [(UInt16, String)])
  func `who is announced elsewhere is found there`(port: UInt16, group: String) throws {
    let lines = try report([.appeared(a, heartbeat())], announced(port, group))
    let line =
      "!!  announced         announced and not heard, as it is elsewhere: Todo#9 on kitchen"
      + "  Try: --group \(group) --port \(port)"
    #expect(lines.contains(line), "\(lines)")
  }

  @Test func `if nobody is there, it says what may be in the way`() throws {
    let missed = KernelCounts.Missed(toOtherPorts: 3, fromElsewhere: 2)
    let lines = try report([], NetworkCounters(), missed: missed)
    let nobody =
      "ok  instances         none is live on eth0, 239.255.83.83, port 8383  Try: start an"
    #expect(lines.contains { $0.hasPrefix(nobody) && $0.contains("IGMP snooping") }, "\(lines)")
    for start in [
      "ok  other ports       multicast came for ports on which nobody listens here (3)  Try: use",
      "ok  other subnets     the kernel dropped what came from where no route leads (2)  Try: give",
    ] {
      #expect(lines.contains { $0.hasPrefix(start) }, "\(lines)")
    }
  }

  @Test func `a link that is broken has a line of its own`() throws {
    var broken = try eth0
    broken.hasCarrier = false
    let missed = KernelCounts.Missed(toOtherPorts: 3, fromElsewhere: 2)
    let lines = try report([], NetworkCounters(), missed: missed, on: broken)
    #expect(!lines.contains { $0.contains("  Try: ") }, "\(lines)")
  }

  @Test func `whoever hears somebody has the right port`() throws {
    let missed = KernelCounts.Missed(toOtherPorts: 3, fromElsewhere: 2)
    var others = NetworkCounters()
    others.otherRealmCount = 1
    for lines in [
      try report([.appeared(a, heartbeat())], NetworkCounters(), missed: missed),
      try report([], others, missed: missed), try report([], NetworkCounters()),
    ] {
      #expect(!lines.contains { $0.contains("  other ports") || $0.contains("  other subnets") })
    }
  }
}
