import SurfControl
import SurfNetwork
import SurfObserver
import SurfQuery
import SurfWire

/// A command line, understood.
package enum Invocation: Equatable, Sendable {
  /// Help for a subcommand, or for all.
  case help(Subcommand?)
  /// The reference of the query language.
  case queryHelp
  case version
  case run(Command, Common)

  /// What most subcommands share.
  package struct Common: Equatable, Sendable {
    package var instance: String?
    package var interface = "lo"
    package var group = NetworkDefaults.group
    package var port = NetworkDefaults.port
    package var realms = RealmFilter.only(nil)
    package var viewerName: String?
    package var browsesDNSSD = true
    package var timeout = Duration.seconds(5)
    /// Transmits nothing.
    package var observes = false
    /// Moves open apps although it has a key.
    package var movesOpenApps = false
    /// Takes the wheel of an app that it moves.
    package var drives = false
    package var debugger = DebuggerOptions()

    package init() {}
  }
}

/// What to do.
package enum Command: Equatable, Sendable {
  case list(json: Bool, wait: Duration)
  /// The debugger.
  case surf
  case watch(WatchOptions)
  case logs(LogOptions)
  case values(ValueOptions)
  case show(ShowOptions)
  case diff(DiffOptions)
  case find(FindOptions)
  case trace(TraceOptions)
  case wait(WaitOptions)
  case report(json: Bool)
  /// This many steps, or as many as there are.
  case back(Int)
  case forward(Int)
  case reset
  case jump(RowReference)
  /// An action as it was written, or nil for standard input.
  case dispatch(String?)
  case rewrite(HistoryCommand<RowReference>)
  /// To a path, or nil for standard output.
  case save(RowReference, to: String?)
  /// From a path, or nil for standard input.
  case load(from: String?)
  /// To a path, or nil for standard output.
  case export(to: String?)
  /// From a path, or nil for standard input.
  case replace(from: String?)
  case gateway(GatewayOptions)
  case doctor(json: Bool)
  case key(KeyTask, json: Bool)
  case settings(json: Bool)
  case completions(Shell)
  case manual
}

/// What to do with keys.
package enum KeyTask: Equatable, Sendable {
  case new(KeyDestination)
  case watch
  case list
}

/// Where a new key goes.
package enum KeyDestination: Equatable, Sendable {
  case usualFile
  case file(String)
  case output
}

/// How the debugger shows things.
package struct DebuggerOptions: Equatable, Sendable {
  package var isAmbiguousWide = false
  package var isNewestFirst = false
  /// The app to show first, or `none`.
  package var appAtLaunch: String?
  /// Where sources are looked for: folders, with colons between them.
  package var sources: String?
  /// What the command line said, so that no setting counts.
  package var given: Set<OptionName> = []
  /// Words by which another command finds the same apps: what is not left at its default here.
  package var reach: [String] = []

  package init() {}
}

/// What a gateway is to do, as a person wrote it.
package struct GatewayOptions: Equatable, Sendable {
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
}

package struct LogOptions: Equatable, Sendable {
  package var filter = LogFilter()
  package var json = false
  package var follows = false

  package init() {}
}

package struct ValueOptions: Equatable, Sendable {
  package var path: ValuePath?
  /// Levels to open.
  package var depth = 2
  package var json = false
  package var follows = false

  package init() {}
}

/// What came with a row, beside what a line tells.
package enum RowContent: Sendable {
  case state, payload
}

package struct WatchOptions: Equatable, Sendable {
  package var wish = HistoryRequest.newestState
  package var json = false
  package var duration: Duration?
  package var recordCount: UInt64?
  /// Only rows of which it is true.
  package var query: Query?
  /// What else the JSON of a row has.
  package var contents: Set<RowContent> = []

  package init() {}
}
