// swift-tools-version: 6.2
import PackageDescription

// Whether somebody works on this package, in its own folder. Where another package depends on it by
// path, that one's folder is the working directory; and what warns there, by flags of its own, is
// not for us to forbid.
let isOurs = Context.environment["PWD"] == Context.packageDirectory

// One settings array for every target: Swift 6 mode comes with the tools version, and a warning is
// an error here, so that none is ever left for the next reader.
let settings: [SwiftSetting] =
  (isOurs ? [.treatAllWarnings(as: .error)] : []) + [.enableUpcomingFeature("ExistentialAny")]

/// A library module under `Sources`, with what it may import (README, "How it is built").
func module(_ name: String, _ dependencies: [String] = []) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) },
    swiftSettings: settings)
}

/// A program at `path`: argument parsing and wiring, no logic.
func program(_ name: String, at path: String, _ dependencies: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path,
    swiftSettings: settings)
}

/// Tests of one module. To optimize them takes longer than it saves, but where they go through
/// thousands of cases.
func tests(
  _ name: String, _ dependencies: [String] = [], fixtures: [String] = [], optimized: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, exclude: fixtures,
    swiftSettings: settings + (optimized ? [] : [.unsafeFlags(["-Onone"])]))
}

let package = Package(
  name: "StateSurf",
  products: [
    .library(name: "StateSurf", targets: ["StateSurf", "SurfStore"]),
    .library(name: "DevTools", targets: ["DevTools", "SurfStore"]),
    .executable(name: "statesurf", targets: ["SurfCommand"]),
    .executable(name: "statesurf-bench", targets: ["SurfBench"]),
  ],
  traits: [
    .trait(name: "Live", description: "Records and broadcasts; without it, StateSurf is inert."),
    .default(enabledTraits: ["Live"]),
  ],
  targets: [
    // Values
    module("SurfWire"),
    module("JSONTree"),
    module("JSONTools", ["JSONTree"]),
    module("SurfStore"),
    module("MirrorJSON"),
    module("SurfControl", ["JSONTree"]),
    module("SurfDelta"),
    // Machines
    module("SurfTransport", ["SurfWire"]),
    module("SurfReceiving", ["SurfTransport", "SurfWire", "SurfDelta"]),
    module("SurfTimeline", ["SurfWire", "SurfDelta", "JSONTree", "SurfStore"]),
    module("SurfHTTP"),
    module("WebSocket", ["SurfHTTP"]),
    module("SocketIO", ["JSONTree", "JSONTools"]),
    module("SocketCluster", ["JSONTree"]),
    module("ReduxDevTools", ["JSONTree", "JSONTools", "SurfControl", "SurfTimeline", "SurfWire"]),
    module("RelayClient", ["JSONTree", "SocketCluster", "SocketIO", "SurfHTTP", "WebSocket"]),
    // Drivers
    .target(name: "CSurfSockets"),
    module("SurfSockets", ["CSurfSockets"]),
    module("SurfStreams", ["SurfSockets", "CSurfSockets"]),
    module("SurfDiagnosis", ["SurfSockets"]),
    .systemLibrary(name: "CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
    module("SurfDiscovery", ["CDNSSD"]),
    module("SurfNetwork", ["SurfTransport", "SurfWire", "SurfSockets", "SurfDiscovery"]),
    module(
      "SurfObserver",
      [
        "SurfNetwork", "SurfReceiving", "SurfTransport", "SurfWire", "SurfSockets", "SurfDiscovery",
      ]),
    // Features
    module(
      "SurfLive",
      [
        "SurfStore", "SurfNetwork", "SurfSockets", "SurfWire", "SurfDelta", "SurfControl",
        "JSONTree",
      ]),
    .target(
      name: "StateSurf",
      dependencies: [
        "SurfStore", .target(name: "SurfLive", condition: .when(traits: ["Live"])),
      ],
      swiftSettings: settings),
    module(
      "DevTools",
      [
        "SurfStore", "JSONTree", "JSONTools", "MirrorJSON", "SurfControl", "ReduxDevTools",
        "RelayClient", "SurfSockets", "SurfStreams", "SurfDiscovery",
      ]),
    module(
      "SurfTerminal",
      [
        "SurfNetwork", "SurfObserver", "SurfTimeline", "SurfWire", "SurfControl", "ReduxDevTools",
        "JSONTree", "JSONTools", "SurfSockets", "SurfDiagnosis", "SurfDiscovery",
      ]),
    module(
      "SurfGateway",
      [
        "ReduxDevTools", "RelayClient", "SocketCluster", "SocketIO", "SurfHTTP", "WebSocket",
        "JSONTree", "SurfNetwork", "SurfObserver", "SurfSockets", "SurfStreams", "SurfDiscovery",
        "SurfWire",
      ]),
    // Programs
    program(
      "SurfCommand", at: "Sources/SurfCommand",
      ["SurfTerminal", "SurfGateway", "RelayClient", "SurfObserver", "SurfStreams"]),
    .target(name: "DemoSupport", path: "Demo/Support", swiftSettings: settings),
    program("SystemMonitor", at: "Demo/SystemMonitor", ["StateSurf", "SurfStore", "DemoSupport"]),
    program("Todo", at: "Demo/Todo", ["StateSurf", "SurfStore", "DemoSupport"]),
    program("PrimeTime", at: "Demo/PrimeTime", ["StateSurf", "SurfStore", "DemoSupport"]),
    // Tests
    program("DiscoveryProbe", at: "Tests/Probes/Discovery", ["SurfDiscovery"]),
    program(
      "EchoProbe", at: "Tests/Probes/Echo", ["SurfStreams", "SurfHTTP", "WebSocket"]),
    program("OpaqueProbe", at: "Tests/Probes/Opaque", ["StateSurf"]),
    // The two programs of README.md, and all that an app can call.
    program("Clicker", at: "Tests/Probes/Clicker", ["StateSurf", "SurfStore"]),
    program("Thermostat", at: "Tests/Probes/Thermostat", ["StateSurf"]),
    program("SurfaceProbe", at: "Tests/Probes/Surface", ["StateSurf", "SurfStore"]),
    program(
      "StreamProbe", at: "Tests/Probes/Stream",
      ["SurfNetwork", "SurfObserver", "SurfSockets", "SurfTransport", "SurfWire"]),
    program(
      "SurfBench", at: "Tests/Benchmarks/Bench",
      [
        "StateSurf", "SurfControl", "SurfDelta", "SurfNetwork", "SurfObserver", "SurfReceiving",
        "SurfSockets", "SurfTimeline", "SurfTransport", "SurfWire",
      ]),
    .target(
      name: "TestSupport", dependencies: ["SurfWire"], path: "Tests/Support",
      swiftSettings: settings),
    tests("SurfWireTests", ["SurfWire", "SurfDelta", "TestSupport"], optimized: true),
    tests("SurfDeltaTests", ["SurfDelta"]),
    tests("JSONTreeTests", ["JSONTree", "JSONTools", "TestSupport"]),
    tests("SurfStoreTests", ["SurfStore"]),
    tests("SurfControlTests", ["SurfControl", "JSONTree", "TestSupport"]),
    tests(
      "SurfTransportTests",
      ["SurfTransport", "SurfReceiving", "SurfWire", "SurfDelta", "TestSupport"],
      optimized: true),
    tests("SurfTimelineTests", ["SurfTimeline", "SurfWire", "JSONTree", "TestSupport"]),
    tests("MirrorJSONTests", ["MirrorJSON", "TestSupport"]),
    tests("SurfHTTPTests", ["SurfHTTP", "TestSupport"]),
    tests("WebSocketTests", ["WebSocket", "SurfHTTP", "TestSupport"]),
    tests("SocketIOTests", ["SocketIO", "JSONTree", "JSONTools", "TestSupport"]),
    tests("SocketClusterTests", ["SocketCluster", "JSONTree", "TestSupport"]),
    tests("SurfSocketsTests", ["SurfSockets", "SurfStreams", "SurfDiagnosis", "TestSupport"]),
    tests("SurfDiscoveryTests", ["SurfDiscovery", "TestSupport"]),
    tests(
      "SurfNetworkTests",
      [
        "SurfNetwork", "SurfObserver", "SurfSockets", "SurfTransport", "SurfWire", "TestSupport",
      ]),
    tests(
      "StateSurfTests",
      [
        "StateSurf", "SurfNetwork", "SurfObserver", "SurfWire", "SurfDelta", "SurfStore",
        "SurfControl", "JSONTree", "TestSupport",
      ]),
    tests(
      "DevToolsTests",
      [
        "DevTools", "SurfStore", "JSONTree", "SocketCluster", "SocketIO", "SurfHTTP", "SurfSockets",
        "SurfStreams", "SurfDiscovery", "WebSocket", "TestSupport",
      ]),
    tests(
      "SurfTerminalTests",
      [
        "SurfTerminal", "SurfNetwork", "SurfObserver", "SurfTimeline", "SurfWire", "SurfDelta",
        "JSONTree",
        "SurfSockets", "SurfDiscovery",
        "TestSupport",
      ]),
    // What no module can be asked alone: where a command leads.
    tests(
      "SurfingTests",
      [
        "StateSurf", "SurfLive", "SurfStore", "SurfTerminal", "SurfTimeline", "ReduxDevTools",
        "SurfNetwork", "SurfObserver", "SurfReceiving", "SurfTransport", "SurfWire", "JSONTree",
        "TestSupport",
      ]),
    tests(
      "ReduxDevToolsTests",
      ["ReduxDevTools", "SurfTimeline", "SurfControl", "SurfWire", "JSONTree", "TestSupport"],
      fixtures: ["Fixtures"]),
    tests(
      "RelayClientTests",
      ["RelayClient", "SocketCluster", "SocketIO", "SurfHTTP", "WebSocket", "JSONTree"]),
    // All machines together, and what strangers may send them.
    tests(
      "EdgeTests",
      [
        "SurfNetwork", "SurfObserver", "SurfTransport", "SurfWire", "SurfTimeline", "ReduxDevTools",
        "SurfGateway", "SurfHTTP", "WebSocket", "RelayClient", "SurfSockets", "SurfStreams",
        "JSONTree", "TestSupport",
      ], optimized: true),
    tests(
      "SurfGatewayTests",
      [
        "SurfGateway", "SocketCluster", "WebSocket", "SurfHTTP", "JSONTree", "SurfObserver",
        "RelayClient", "SurfStreams", "SurfWire", "TestSupport",
      ]),
    tests(
      "DemoTests",
      ["SystemMonitor", "Todo", "PrimeTime", "DemoSupport", "SurfStore", "TestSupport"]),
    tests("TidyTests"),
  ]
)

// Names of modules: the tests of all others are left out. Building for the thread sanitizer takes
// less than half the time without what has no threads.
if let names = Context.environment["STATESURF_TESTS"] {
  let wanted = names.split(separator: " ").map { "\($0)Tests" }
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
