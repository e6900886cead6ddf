// An app has `Redacted` from the module that it imports.
@_exported public import Redaction

extension Transceiver {
  /// The settings of a transceiver, fixed when it is made.
  ///
  /// `STATESURF_INTERFACE`, `STATESURF_GROUP`, `STATESURF_PORT`, `STATESURF_REALM` and
  /// `STATESURF_KEY_FILE` in the environment override these settings, so that you can point a
  /// program elsewhere without a build.
  public struct Configuration: Sendable {
    /// Where viewers may be.
    public enum Interface: Hashable, Sendable {
      /// On this machine.
      case loopback
      /// On the network of this interface, such as `eth0`: anyone there can see and set the state.
      case lan(String)
    }

    /// What `record` does when the network does not keep up.
    public enum WhenFull: Hashable, Sendable {
      /// Gives up states other than the newest when 128 MiB of them wait to be encoded, then whole
      /// records when 65,536 wait, and says so in the history. The app never waits. A value counts
      /// with the size that earlier values turned out to have; the first values count 16 KiB each.
      case giveUpStates
      /// Blocks the caller until there is room: for simulations and tests that prefer complete
      /// records to speed. Where there has been no network for 5 s, it goes on as `giveUpStates`
      /// does until there is one.
      case wait
    }

    /// Which states of actions are encoded and sent while no viewer follows. Whoever has followed
    /// counts for a minute more, and so does a debugger within the program. Names, payloads, logs
    /// and values are sent in any case.
    ///
    /// What is left out shows to viewers that come later, and to those that only list or listen:
    /// such rows have no state. When a viewer follows, a mark says how many states were left out,
    /// and brings the newest.
    public enum WhenUnwatched: Hashable, Sendable {
      /// All, so that whoever comes later sees the history whole.
      case everything
      /// None but the newest, once somebody follows.
      case newestState
      /// One in this many, and the newest once somebody follows; less than 2 is `everything`.
      case everyNth(Int)
    }

    /// Where the key is under which everything that the program sends is sealed.
    public enum Key: Hashable, Sendable {
      /// In the file that `STATESURF_KEY_FILE` names, or else in `$XDG_CONFIG_HOME/statesurf/key`
      /// or `~/.config/statesurf/key`. Without such a file, nothing is sealed.
      case usual
      /// In this file.
      case file(String)
      /// Nowhere: nothing is sealed.
      case off
    }

    /// How values become JSON, and how states and actions that viewers send are read.
    public enum Coding: Hashable, Sendable {
      /// As `JSONEncoder` does by default: dates are seconds since 2001, and dictionaries whose
      /// keys are neither `String` nor `Int` are arrays of alternating keys and values. These and
      /// sets are in the order of their JSON, so that equal states are equal bytes.
      case foundation
      /// Recommended. Dates from 1583 to 9999 are ISO 8601, exact to the last bit. Dictionaries are
      /// objects if their keys encode as a text or a number, such as a `UUID`. A dictionary stays
      /// an array if its object would restore a different key. Reads what `foundation` wrote.
      case readable
    }

    /// The program's version, for viewers: a release or a revision, such as `1.4.2`, of up to 63
    /// octets of UTF-8; empty for none. What is longer is cut.
    public var version = ""
    /// The program's identifier, for viewers, such as `com.example.todo`; as `version` otherwise.
    public var identifier = ""
    /// This machine by default.
    public var interface = Interface.loopback
    /// IPv4 multicast group. A text that is not one is replaced by the default, with a warning in
    /// the log.
    public var group = "239.255.83.83"
    /// UDP port of the group, 1 to 65534, because viewers probe the next one. 0 and 65535 are
    /// replaced by the default, with a warning in the log.
    public var port: UInt16 = 8383
    /// The name of a group of people who see only their own apps, 1 to 63 octets of UTF-8 without
    /// control characters and other than `*`; empty for none. It hides the app from the viewers of
    /// others, and protects nothing. A text that is not one is replaced by none, with a warning in
    /// the log.
    public var realm = ""
    /// Who has the key alone can read what the program sends, and move it. If the key cannot be
    /// read, nothing is sent, and standard error says why.
    public var key = Key.usual
    /// For states, payloads and actions alike, in both directions.
    public var coding = Coding.foundation
    /// What never leaves the process: paths in states, payloads, values and attributes, such as
    /// `user.password`, `users.*.token`, `**.password` at any depth, or `$` for all. Viewers see a
    /// mark there, and what they send back keeps the app's own value.
    ///
    /// The path of a value may begin with its name. A key that is not a plain word stands as
    /// `["a key"]`. If a path cannot be read, everything is redacted, with a warning in the log. A
    /// state that is not JSON is not sent. `Redacted` does the same for a property.
    public var redacted: [String] = []
    /// Whether viewers may set the state.
    public var acceptsResets = true
    /// Whether a state may travel as a delta from the one before, and a payload as a delta from a
    /// similar one, where that is shorter. Viewers see no delta; the network does.
    public var sendsDeltas = true
    /// Octets of sent records to keep for viewers that join late or missed some.
    public var historySizeMax = 64 * 1_024 * 1_024
    /// How long to keep sent records; the newest state is kept for ever.
    public var historyAgeMax = Duration.seconds(3_600)
    /// Actions of a store to keep as values, so that a viewer can leave one of them out and the
    /// later ones run again. At least 1; up to twice as many are held.
    public var replayCountMax = 200
    /// Whether viewers see the same instance when the program is started anew: its id is kept in
    /// `$XDG_STATE_HOME/statesurf/instances` or `~/.local/state/statesurf/instances`, in a file of
    /// the program's name. While one process has the id, a second one of this name gets a new id,
    /// and a warning in its log.
    public var keepsInstance = false
    /// Never waits by default.
    public var whenFull = WhenFull.giveUpStates
    /// Everything by default.
    public var whenUnwatched = WhenUnwatched.everything
    /// Names of actions of which equal ones in a row are told as one, with their number and the
    /// newest state; none by default. `*` stands for any text: `tick`, `cursor.*`, `*`. Without a
    /// parenthesis, the values behind a name do not matter: `scroll` is `scroll(by: 2)`, too.
    ///
    /// Equal are actions with one name, payload, source and parent, as viewers would see them. The
    /// first is told at once. The others are told as one at the end of `thinningInterval`, and
    /// before anything else that is recorded; `flush` and `suspend` do not wait for it. Meanwhile
    /// only the newest state is kept, and the others are not encoded.
    ///
    /// The actions of a `HistoryTransceiver` or a `StoreTransceiver` are never told as one: viewers
    /// can leave out each of them.
    public var coalesced: [String] = []
    /// Paths in states, as in `redacted`, such as `cursor.position`, `clock` or `bodies.*.angle`;
    /// none by default. An action whose state differs from the one before at these places alone
    /// goes without it, but once in `thinningInterval`. If the newest state was left out and
    /// nothing else comes, a mark brings it at the end of that time, and says how many were left
    /// out; so do `flush` and `suspend`.
    ///
    /// A value of another kind, and a member that comes or goes, is a difference elsewhere. States
    /// that are not JSON are sent. A path that cannot be read is ignored, with a warning in the
    /// log.
    public var sampled: [String] = []
    /// How long an action may be held back that is told with others, and a state that is sampled,
    /// 0 to an hour: one of them leaves in that time at most.
    public var thinningInterval = Duration.milliseconds(100)
    /// How long `suspend()`, and the program's exit, wait at most for viewers to get what was
    /// recorded. Without a viewer they wait no longer than 100 ms after `resume()`.
    public var farewell = Duration.seconds(1)
    /// Whether to register with Avahi too, if it runs; viewers find the app without it.
    public var registersDNSSD = true

    /// Loopback, and the defaults of the protocol.
    public init() {}
  }
}
