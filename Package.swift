// swift-tools-version: 6.2
import PackageDescription

// Whether somebody works on this package, in its own folder. If another package depends on it by
// path, that package's folder is the working directory. Its flags may cause warnings, which are not
// ours to forbid.
let isOurs = Context.environment["PWD"] == Context.packageDirectory

// One settings array for every target. Swift 6 mode comes with the tools version. A warning is an
// error here, so that no warning is left for the next reader.
let settings: [SwiftSetting] =
  (isOurs ? [.treatAllWarnings(as: .error)] : []) + [.enableUpcomingFeature("ExistentialAny")]

/// The floors of the house, in folders of these names under `Sources`. A module may import only
/// what is listed here and the toolchain's modules. A test checks that of every file, and that each
/// import points down or stays on its floor.
func value(_ name: String, _ dependencies: [String] = []) -> Target {
  module(name, on: "Values", dependencies)
}

/// No I/O, no clock: bytes and `now` in, outputs and a deadline out.
func machine(_ name: String, _ dependencies: [String] = []) -> Target {
  module(name, on: "Machines", dependencies)
}

/// A module with threads, sockets, clocks, files or randomness.
func driver(_ name: String, _ dependencies: [String] = []) -> Target {
  module(name, on: "Drivers", dependencies)
}

/// For people who come from other libraries: those libraries' names for what the drivers do. Nobody
/// else imports it.
func compatibility(_ name: String, _ dependencies: [String] = []) -> Target {
  module(name, on: "Compatibility", dependencies)
}

/// A module that a user asks for. Features never import one another, except StateSurfDebugger.
/// `live` names the internal modules that a feature has only with the trait `Live`.
func feature(_ name: String, _ dependencies: [String] = [], live: [String] = []) -> Target {
  module(name, on: "Features", dependencies, live: live)
}

func module(
  _ name: String, on floor: String, _ dependencies: [String], live: [String] = []
) -> Target {
  .target(
    name: name,
    dependencies: dependencies.map { .byName(name: $0) }
      + live.map { .target(name: $0, condition: .when(platforms: [.linux], traits: ["Live"])) },
    path: "Sources/\(floor)/\(name)", swiftSettings: settings)
}

/// A program at `path`: argument parsing and wiring, no logic.
func program(_ name: String, at path: String, _ dependencies: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: path,
    swiftSettings: settings)
}

/// Tests of one module. Optimizing them takes longer than it saves, unless they go through
/// thousands of cases.
func tests(
  _ name: String, _ dependencies: [String] = [], fixtures: [String] = [], optimized: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Tests/Unit/\(name)",
    exclude: fixtures, swiftSettings: settings + (optimized ? [] : [.unsafeFlags(["-Onone"])]))
}

let package = Package(
  name: "StateSurf",
  // On macOS StateSurf is inert, as without the trait.
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "StateSurf", targets: ["StateSurf", "SurfStore"]),
    .library(name: "StateSurfDebugger", targets: ["StateSurfDebugger"]),
    .library(name: "SurfPersistence", targets: ["SurfPersistence", "SurfStore"]),
    .library(name: "SwiftRexStyle", targets: ["SwiftRexStyle", "SurfStore"]),
    .library(name: "SwiftyState", targets: ["SwiftyState", "SurfPersistence", "SurfStore"]),
    .library(name: "DevTools", targets: ["DevTools", "SurfStore"]),
    .library(name: "MirrorJSON", targets: ["MirrorJSON"]),
    .executable(name: "statesurf", targets: ["SurfCommand"]),
    .executable(name: "statesurf-bench", targets: ["SurfBench"]),
  ],
  traits: [
    .trait(name: "Live", description: "Records and broadcasts; without it, StateSurf is inert."),
    .default(enabledTraits: ["Live"]),
  ],
  targets: [
    // Values
    value("SurfBasics"),
    value("SurfWire", ["SurfBasics"]),
    value("JSONTree"),
    value("SurfValues"),
    value("JSONTools", ["SurfBasics", "JSONTree"]),
    value("Redaction", ["JSONTree", "SurfValues"]),
    value("ValueCoding", ["SurfBasics", "JSONTree", "Redaction", "SurfValues"]),
    value("MirrorJSON", ["SurfBasics", "JSONTree", "ValueCoding"]),
    value("SurfControl", ["JSONTree", "ValueCoding"]),
    value("SurfQuery", ["SurfBasics", "JSONTree", "JSONTools", "Redaction", "SurfWire"]),
    // Machines
    machine("SurfTransport", ["SurfBasics", "SurfWire"]),
    machine(
      "SurfReceiving", ["SurfBasics", "SurfSeal", "SurfTimeline", "SurfTransport", "SurfWire"]),
    machine("SurfTimeline", ["SurfBasics", "SurfWire", "JSONTree", "SurfControl"]),
    machine(
      "SurfViewer",
      [
        "SurfBasics", "JSONTools", "JSONTree", "Redaction", "SurfControl", "SurfQuery",
        "SurfTimeline", "SurfWire",
      ]),
    machine(
      "SurfDebugger",
      [
        "SurfViewer", "TerminalScreen", "SurfTimeline", "SurfTransport", "SurfControl", "SurfQuery",
        "SurfWire", "SurfBasics", "JSONTree", "JSONTools", "Redaction",
      ]),
    machine("SurfWeb", ["SurfBasics"]),
    machine(
      "ReduxDevTools",
      ["SurfBasics", "JSONTree", "JSONTools", "SurfControl", "SurfTimeline", "SurfWire"]),
    machine("SurfHistory", ["JSONTree", "SurfControl"]),
    machine("TerminalScreen", ["SurfBasics"]),
    machine("SurfRelay", ["SurfBasics", "SurfWire", "JSONTree", "SurfWeb"]),
    machine("SurfSeal", ["SurfBasics", "SurfTransport", "SurfWire"]),
    // Drivers
    .target(name: "CSurfSystem", path: "Sources/Drivers/CSurfSystem"),
    driver("SurfThreads", ["CSurfSystem"]),
    .target(name: "CSurfTTY", path: "Sources/Drivers/CSurfTTY"),
    driver(
      "DebuggerDriver",
      [
        "SurfDebugger", "SurfViewer", "SurfTimeline", "SurfControl", "SurfWire", "TerminalScreen",
        "SurfThreads", "JSONTree", "JSONTools", "CSurfTTY",
      ]),
    driver("SurfStore", ["SurfThreads", "SurfValues"]),
    driver("SurfPersistence", ["SurfBasics", "SurfStore", "SurfThreads", "ValueCoding"]),
    driver("SurfSockets", ["SurfThreads", "CSurfSystem"]),
    driver("SurfStreams", ["SurfThreads", "SurfSockets", "CSurfSystem"]),
    .systemLibrary(
      name: "CDNSSD", path: "Sources/Drivers/CDNSSD",
      providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
    driver("SurfDiscovery", ["SurfBasics", "SurfThreads", "CDNSSD"]),
    driver("SurfCipher", ["SurfBasics", "SurfSeal", "SurfThreads"]),
    driver(
      "SurfNetwork",
      [
        "SurfBasics", "SurfTransport", "SurfSeal", "SurfWire", "SurfThreads", "SurfSockets",
        "SurfDiscovery",
      ]),
    driver(
      "SurfObserver",
      [
        "SurfBasics", "SurfNetwork", "SurfReceiving", "SurfTimeline", "SurfTransport", "SurfWire",
        "SurfSeal", "SurfThreads", "SurfSockets", "SurfDiscovery",
      ]),
    // Features
    feature(
      "SurfLive",
      [
        "SurfStore", "SurfNetwork", "SurfSockets", "SurfCipher", "SurfThreads", "SurfBasics",
        "SurfWire", "SurfControl", "SurfHistory", "SurfValues", "JSONTree", "MirrorJSON",
        "Redaction", "ValueCoding",
      ]),
    feature("StateSurf", ["SurfStore", "SurfThreads", "SurfValues"], live: ["SurfLive"]),
    feature(
      "StateSurfDebugger",
      [
        "StateSurf", "DebuggerDriver", "SurfDebugger", "SurfViewer", "SurfTimeline", "SurfControl",
        "SurfNetwork", "SurfTransport", "SurfWire", "SurfThreads", "TerminalScreen", "JSONTree",
      ], live: ["SurfLive"]),
    feature(
      "SurfTerminal",
      [
        "SurfBasics", "SurfNetwork", "SurfObserver", "SurfTimeline", "SurfWire", "SurfControl",
        "ReduxDevTools", "SurfViewer", "SurfDebugger", "DebuggerDriver", "TerminalScreen",
        "JSONTree", "JSONTools", "Redaction", "SurfThreads", "SurfSockets", "SurfDiscovery",
        "SurfQuery", "SurfCipher", "SurfSeal",
      ]),
    feature(
      "SurfGateway",
      [
        "SurfBasics", "ReduxDevTools", "SurfRelay", "SurfWeb", "JSONTree", "SurfControl",
        "SurfNetwork", "SurfObserver", "SurfReceiving", "SurfThreads", "SurfSockets", "SurfStreams",
        "SurfDiscovery", "SurfCipher", "SurfTimeline", "SurfWire",
      ]),
    // Compatibility
    compatibility("SwiftRexStyle", ["SurfStore", "SurfThreads"]),
    compatibility(
      "SwiftyState", ["SurfBasics", "SurfStore", "SurfPersistence", "ValueCoding", "SurfThreads"]),
    compatibility(
      "DevTools",
      [
        "SurfBasics", "SurfStore", "JSONTree", "JSONTools", "MirrorJSON", "Redaction",
        "SurfControl", "SurfHistory", "ReduxDevTools", "SurfRelay", "SurfThreads", "SurfSockets",
        "SurfStreams", "SurfDiscovery", "SurfValues", "SurfWire", "ValueCoding",
      ]),
    // Programs
    program(
      "SurfCommand", at: "Sources/Programs/SurfCommand",
      ["SurfTerminal", "SurfGateway", "SurfRelay", "SurfObserver", "SurfStreams"]),
    .target(name: "DemoSupport", path: "Demo/Support", swiftSettings: settings),
    program("SystemMonitor", at: "Demo/SystemMonitor", ["StateSurf", "SurfStore", "DemoSupport"]),
    program("Todo", at: "Demo/Todo", ["StateSurf", "SurfStore", "DemoSupport"]),
    program(
      "PrimeTime", at: "Demo/PrimeTime",
      ["StateSurf", "StateSurfDebugger", "SurfStore", "DemoSupport"]),
    program(
      "Sidebar", at: "Demo/Sidebar",
      ["StateSurf", "StateSurfDebugger", "SurfStore", "DemoSupport"]),
    program(
      "ShakeAndCount", at: "Demo/ShakeAndCount",
      ["StateSurf", "SwiftRexStyle", "SurfStore", "DemoSupport"]),
    program("Basket", at: "Demo/Basket", ["StateSurf", "SurfStore", "DemoSupport"]),
    program("Server", at: "Demo/Server", ["StateSurf", "DemoSupport"]),
    program("Board", at: "Demo/Board", ["StateSurf", "DemoSupport"]),
    // Tests
    program("DiscoveryProbe", at: "Tests/Probes/Discovery", ["SurfDiscovery"]),
    program(
      "EchoProbe", at: "Tests/Probes/Echo", ["SurfStreams", "SurfWeb"]),
    program("CounterProbe", at: "Tests/Probes/Counter", ["DevTools", "SurfStore"]),
    program("OpaqueProbe", at: "Tests/Probes/Opaque", ["StateSurf"]),
    program("BlockedProbe", at: "Tests/Probes/Blocked", ["StateSurf", "SurfStore"]),
    program("PauseProbe", at: "Tests/Probes/Pause", ["StateSurf"]),
    program("LogProbe", at: "Tests/Probes/Log", ["StateSurf"]),
    program("ValueProbe", at: "Tests/Probes/Value", ["StateSurf"]),
    program("VaultProbe", at: "Tests/Probes/Vault", ["StateSurf", "SurfStore"]),
    // The programs of README.md and the pages in Sources, and everything that an app can call.
    program("Clicker", at: "Tests/Probes/Clicker", ["StateSurf", "SurfStore"]),
    program("Thermostat", at: "Tests/Probes/Thermostat", ["StateSurf"]),
    program("QuietProbe", at: "Tests/Probes/Quiet", ["StateSurf", "SurfStore"]),
    .target(
      name: "ReSwiftShape", path: "Tests/Shapes/ReSwift", swiftSettings: settings),
    .target(
      name: "ComposableShape", path: "Tests/Shapes/Composable", swiftSettings: settings),
    .target(name: "RexShape", path: "Tests/Shapes/SwiftRex", swiftSettings: settings),
    .target(name: "RoutedShape", path: "Tests/Shapes/Routed", swiftSettings: settings),
    program("ActorKind", at: "Tests/Probes/Kinds/Actor", ["StateSurf"]),
    program("LoopKind", at: "Tests/Probes/Kinds/Loop", ["StateSurf"]),
    program("StoreKind", at: "Tests/Probes/Kinds/Store", ["StateSurf", "SurfStore"]),
    program("ObservableKind", at: "Tests/Probes/Kinds/Observable", ["StateSurf"]),
    program("PartsKind", at: "Tests/Probes/Kinds/Parts", ["StateSurf", "SurfStore"]),
    program("ReSwiftKind", at: "Tests/Probes/Kinds/ReSwift", ["StateSurf", "ReSwiftShape"]),
    program(
      "ComposableKind", at: "Tests/Probes/Kinds/Composable", ["StateSurf", "ComposableShape"]),
    program("RexKind", at: "Tests/Probes/Kinds/SwiftRex", ["StateSurf", "RexShape"]),
    program("KeysKind", at: "Tests/Probes/Kinds/Keys", ["StateSurf"]),
    program("RoutedKind", at: "Tests/Probes/Kinds/Routed", ["StateSurf", "RoutedShape"]),
    program("SurfaceProbe", at: "Tests/Probes/Surface", ["StateSurf", "SurfStore"]),
    program(
      "SaverProbe", at: "Tests/Probes/Saver", ["SurfPersistence", "SurfStore", "SwiftRexStyle"]),
    program("BriefProbe", at: "Tests/Probes/Brief", ["StateSurf"]),
    program("CanaryProbe", at: "Tests/Probes/Canary", ["StateSurf", "SurfStore"]),
    program(
      "ReleasedProbe", at: "Tests/Probes/Released",
      ["StateSurf", "SwiftyState", "DevTools", "SurfStore"]),
    program(
      "ScreenProbe", at: "Tests/Probes/Screen",
      ["DebuggerDriver", "SurfThreads", "TerminalScreen"]),
    program(
      "WithinProbe", at: "Tests/Probes/Within", ["StateSurf", "StateSurfDebugger", "SurfStore"]),
    program("SealProbe", at: "Tests/Probes/Seal", ["SurfCipher", "SurfSeal", "SurfWire"]),
    program(
      "StreamProbe", at: "Tests/Probes/Stream",
      [
        "SurfCipher", "SurfNetwork", "SurfObserver", "SurfThreads", "SurfSockets", "SurfTransport",
        "SurfWire", "TestSupport",
      ]),
    program(
      "SurfBench", at: "Tests/Benchmarks/Bench",
      [
        "StateSurf", "SurfLive", "DevTools", "SwiftRexStyle", "SurfStore", "ValueCoding",
        "Redaction", "SurfCipher", "SurfNetwork", "SurfObserver", "SurfReceiving", "SurfThreads",
        "SurfDebugger", "SurfQuery", "SurfSockets", "SurfTimeline", "SurfTransport", "SurfViewer",
        "SurfWire", "TerminalScreen", "TestSupport",
      ]),
    .target(
      name: "TestSupport",
      dependencies: [
        "JSONTree", "SurfBasics", "SurfWire", "SurfStore", "SurfThreads",
        "TerminalScreen",
      ],
      path: "Tests/Support",
      swiftSettings: settings),
    tests("SurfBasicsTests", ["SurfBasics"]),
    tests("SurfQueryTests", ["SurfQuery", "SurfWire", "JSONTree", "JSONTools", "TestSupport"]),
    tests("SurfWireTests", ["SurfWire", "TestSupport"], optimized: true),
    tests("JSONTreeTests", ["JSONTree", "TestSupport"]),
    tests("JSONToolsTests", ["JSONTools", "JSONTree", "TestSupport"]),
    tests("SurfStoreTests", ["SurfStore", "SurfThreads", "TestSupport"]),
    tests(
      "SurfPersistenceTests", ["SurfPersistence", "SurfStore", "TestSupport"]),
    tests("SwiftRexStyleTests", ["SwiftRexStyle", "SurfStore", "SurfThreads", "TestSupport"]),
    tests(
      "SwiftyStateTests",
      ["SwiftyState", "SurfPersistence", "SurfStore", "TestSupport"]),
    tests("RedactionTests", ["Redaction", "SurfValues", "JSONTree", "TestSupport"]),
    tests(
      "ValueCodingTests", ["ValueCoding", "JSONTree", "Redaction", "SurfValues", "TestSupport"]),
    tests("SurfControlTests", ["SurfControl", "JSONTree", "TestSupport"]),
    tests("SurfHistoryTests", ["SurfHistory", "SurfControl", "JSONTree", "TestSupport"]),
    tests("SurfTransportTests", ["SurfTransport", "SurfWire", "TestSupport"]),
    // The simulations need both ends.
    tests(
      "SurfReceivingTests",
      [
        "SurfTransport", "SurfReceiving", "SurfTimeline", "SurfSeal", "SurfThreads", "SurfWire",
        "SurfNetwork", "SurfObserver", "TestSupport",
      ],
      optimized: true),
    tests(
      "SurfTimelineTests", ["SurfTimeline", "SurfControl", "SurfWire", "JSONTree", "TestSupport"]),
    tests(
      "SurfViewerTests",
      [
        "SurfViewer", "SurfQuery", "SurfTimeline", "SurfWire", "JSONTree", "TestSupport",
      ]),
    tests(
      "SurfDebuggerTests",
      [
        "SurfDebugger", "SurfViewer", "TerminalScreen", "SurfTimeline", "SurfQuery", "SurfControl",
        "SurfWire", "JSONTools", "JSONTree", "TestSupport",
      ], fixtures: ["Frames"]),
    tests("MirrorJSONTests", ["MirrorJSON", "SurfValues", "TestSupport"]),
    tests("SurfWebTests", ["SurfWeb", "TestSupport"]),
    tests("SurfRelayTests", ["SurfRelay", "SurfWeb", "SurfWire", "JSONTree", "TestSupport"]),
    tests("TerminalScreenTests", ["TerminalScreen", "TestSupport"], optimized: true),
    tests(
      "StateSurfDebuggerTests",
      ["StateSurfDebugger", "StateSurf", "SurfNetwork", "SurfStore", "TestSupport"]),
    tests(
      "SurfSealTests",
      ["SurfReceiving", "SurfSeal", "SurfTransport", "SurfWire", "TestSupport"], optimized: true),
    tests(
      "SurfCipherTests", ["SurfCipher", "SurfSeal", "SurfWire", "TestSupport"], optimized: true),
    tests("SurfThreadsTests", ["SurfThreads", "TestSupport"]),
    tests("SurfSocketsTests", ["SurfThreads", "SurfSockets", "TestSupport"]),
    tests("SurfStreamsTests", ["SurfThreads", "SurfSockets", "SurfStreams", "TestSupport"]),
    tests("DebuggerDriverTests", ["DebuggerDriver", "SurfViewer", "TerminalScreen"]),
    tests("SurfDiscoveryTests", ["SurfDiscovery", "TestSupport"]),
    tests(
      "SurfNetworkTests",
      [
        "SurfNetwork", "SurfObserver", "SurfReceiving", "SurfTimeline", "SurfSockets",
        "SurfTransport", "SurfSeal", "SurfDiscovery", "SurfWire", "TestSupport",
      ]),
    tests(
      "StateSurfTests",
      [
        "StateSurf", "SurfLive", "SurfNetwork", "SurfObserver", "SurfTransport", "SurfWire",
        "SurfStore", "SurfControl", "SurfPersistence", "SurfThreads", "SwiftyState",
        "SwiftRexStyle", "SurfCipher", "SurfSeal", "JSONTree", "TestSupport",
      ]),
    tests(
      "DevToolsTests",
      [
        "DevTools", "SwiftRexStyle", "SurfStore", "JSONTree", "SurfRelay", "SurfWeb", "SurfThreads",
        "SurfSockets", "SurfStreams", "SurfDiscovery", "TestSupport",
      ]),
    tests(
      "SurfTerminalTests",
      [
        "SurfTerminal", "SurfControl", "SurfNetwork", "SurfObserver", "SurfQuery", "SurfTimeline",
        "SurfWire", "SurfViewer", "SurfDebugger", "TerminalScreen", "JSONTools", "JSONTree",
        "ReduxDevTools", "SurfSockets", "SurfThreads", "SurfDiscovery", "SurfCipher", "SurfSeal",
        "TestSupport",
      ]),
    // Where a command leads: no module can answer that alone.
    tests(
      "SurfingTests",
      [
        "StateSurf", "SurfLive", "SurfControl", "SurfStore", "SurfTerminal", "SurfTimeline",
        "ReduxDevTools",
        "SurfNetwork", "SurfObserver", "SurfReceiving", "SurfTransport", "SurfWire", "JSONTree",
        "TestSupport",
      ]),
    tests(
      "ReduxDevToolsTests",
      ["ReduxDevTools", "SurfTimeline", "SurfControl", "SurfWire", "JSONTree", "TestSupport"],
      fixtures: ["Fixtures"]),
    // All machines together, and what strangers may send them.
    tests(
      "EdgeTests",
      [
        "SurfNetwork", "SurfObserver", "SurfReceiving", "SurfTransport", "SurfWire", "SurfTimeline",
        "ReduxDevTools",
        "SurfGateway", "SurfWeb", "SurfRelay", "SurfSockets", "SurfStreams", "JSONTree",
        "TestSupport",
      ], optimized: true),
    tests(
      "SurfGatewayTests",
      [
        "SurfGateway", "SurfRelay", "SurfWeb", "JSONTree", "SurfControl", "SurfNetwork",
        "SurfObserver", "SurfTimeline", "SurfStreams", "SurfWire", "TestSupport",
      ]),
    tests(
      "DemoTests",
      [
        "SystemMonitor", "Todo", "PrimeTime", "Board", "DemoSupport", "SurfBasics", "SurfStore",
        "TestSupport",
      ]),
    tests("TidyTests", ["TestSupport"]),
  ]
)

// Names of modules: the tests of all others are left out. Building for the thread sanitizer takes
// less than half the time without the modules that have no threads.
if let names = Context.environment["STATESURF_TESTS"] {
  let wanted = names.split(separator: " ").map { "\($0)Tests" }
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
