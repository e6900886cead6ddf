import SurfNetwork
import SurfObserver
import SurfWire

/// A command line, understood.
package struct Invocation {
  package let command: any Command
  package let common: Common

  /// What most subcommands share.
  package struct Common: Equatable, Sendable {
    package var instance: String?
    /// The machine of who asks; nil if every app counts as on it.
    package var host: String?
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

    package init() {}
  }
}
