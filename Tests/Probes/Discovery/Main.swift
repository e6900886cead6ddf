import Glibc
import SurfDiscovery

/// Pursues the goals of its arguments and prints each event as a line, until SIGTERM:
///
///     DiscoveryProbe [register NAME PORT]… [browse] [register-relay NAME PORT] [browse-relays]
///
/// `Tests/Network/discovery.sh` runs it inside network namespaces.
@main
struct DiscoveryProbe {
  static func main() {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      let goals = try goals(of: arguments)
      // Blocked before the agent starts, so that SIGTERM waits for `sigwait`.
      var termination = sigset_t()
      sigemptyset(&termination)
      sigaddset(&termination, SIGTERM)
      sigprocmask(SIG_BLOCK, &termination, nil)
      let agent = try DiscoveryAgent { say(line(for: $0)) }
      for goal in goals { agent.pursue(goal) }
      var signal: Int32 = 0
      sigwait(&termination, &signal)
      say("stopped \(agent.stop())")
    } catch {
      say("failed \(error)")
      exit(64)
    }
  }

  private static let relayType = "_reduxdevtools._tcp"

  private struct Misuse: Error { let argument: String }

  private static func goals(of arguments: ArraySlice<String>) throws -> [DiscoveryGoal] {
    var rest = arguments
    var goals: [DiscoveryGoal] = []
    while let word = rest.popFirst() {
      switch word {
      case "browse": goals.append(.browse(interface: 0))
      case "browse-relays": goals.append(.browse(interface: 0, type: relayType))
      case "register-relay":
        guard let name = rest.popFirst(), let port = rest.popFirst().flatMap(UInt16.init) else {
          throw Misuse(argument: word)
        }
        goals.append(.advertise(ServiceAdvertisement(name: name, type: relayType, port: port)))
      case "register":
        guard let name = rest.popFirst(), let port = rest.popFirst().flatMap(UInt16.init) else {
          throw Misuse(argument: word)
        }
        goals.append(.advertise(advertisement(name: name, port: port)))
      default: throw Misuse(argument: word)
      }
    }
    return goals
  }

  private static func advertisement(name: String, port: UInt16) -> ServiceAdvertisement {
    let instance = InstanceAdvertisement(
      version: 1, id: UInt128(port), app: name, process: getpid(), host: "probe",
      group: "239.255.7.7", port: port, contentType: "application/json")
    return ServiceAdvertisement(name: name, port: port, instance: instance)
  }

  private static func line(for event: DiscoveryEvent) -> String {
    switch event {
    case .daemon(.connecting): "daemon connecting"
    case .daemon(.running): "daemon running"
    case .daemon(.unavailable(let failure)): "daemon unavailable: \(failure)"
    case .registered(_, let name): "registered \(name)"
    case .found(let service): "found \(service.name)"
    case .resolved(let answer):
      "resolved \(answer.service.name) at \(answer.hostTarget):\(answer.port)"
        + " app=\(answer.instance.app) id=\(answer.instance.id) pid=\(answer.instance.process)"
        + " group=\(answer.instance.group):\(answer.instance.port)"
        + " type=\(answer.instance.contentType)"
    case .located(let answer):
      "located \(answer.service.name) at \(answer.host):\(answer.port)"
        + answer.record.texts.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    case .malformed(let service, let error): "malformed \(service.name): \(error)"
    case .removed(let service): "removed \(service.name)"
    case .failed(_, let failure): "goal failed: \(failure)"
    }
  }

  /// Unbuffered, so that a script sees each line when it happens.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
