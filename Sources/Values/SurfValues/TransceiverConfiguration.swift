/// The settings of a transceiver, fixed when it is created.
///
/// `STATESURF_INTERFACE`, `STATESURF_GROUP`, `STATESURF_PORT`, `STATESURF_REALM` and
/// `STATESURF_KEY_FILE` in the environment override these settings, so that you can point a
/// program elsewhere without rebuilding it.
public struct TransceiverConfiguration: Sendable {
  /// Where viewers may be.
  public enum Interface: Hashable, Sendable {
    /// On this machine.
    case loopback
    /// On the network of this interface, such as `eth0`. Anyone there can see and set the state.
    case lan(String)
  }

  /// What `record` does when the network is too slow.
  public enum WhenFull: Hashable, Sendable {
    /// Gives up states other than the newest when 128 MiB of them wait to be encoded, then whole
    /// records when 65,536 wait. The history says so. The app never waits. A value counts with
    /// the average size of earlier values; the first values count 16 KiB each.
    case giveUpStates
    /// Blocks the caller until there is space: for simulations and tests that prefer complete
    /// records to speed. After 5 s without a network, it is `giveUpStates` until one is back.
    case wait
  }

  /// What to leave out, so that the app does less work and its history reaches further back.
  public struct Thinning: Hashable, Sendable {
    /// Which states of actions are encoded and sent while no viewer follows. A viewer, or a
    /// debugger within the program, counts for a minute after it has gone. Names, payloads, logs
    /// and values are always sent.
    ///
    /// Rows whose state was left out have none in viewers that join later, and in those that only
    /// list or listen. When a viewer follows, a mark says how many states were left out, and
    /// carries the newest.
    public enum WhenUnwatched: Hashable, Sendable {
      /// All states, so that viewers that join later see the complete history.
      case everything
      /// Only the newest, once a viewer follows.
      case newestState
      /// One in this many, and the newest once a viewer follows. Less than 2 means `everything`.
      case everyNth(Int)
    }

    /// Everything by default.
    public var whenUnwatched = WhenUnwatched.everything
    /// Names of actions to combine: equal actions in a row become one record, with their number
    /// and the newest state. None by default. `*` matches any text: `tick`, `cursor.*`, `*`. A
    /// name without a parenthesis ignores values: `scroll` matches `scroll(by: 2)`.
    ///
    /// Actions are equal if viewers would see the same name, payload, source and parent. The first
    /// is sent immediately. The others are sent as one record at the end of `interval`, and before
    /// anything else that is recorded; `flush` and `suspend` send it immediately. Until then only
    /// the newest state is kept, and the others are not encoded.
    ///
    /// Never combines actions of a `HistoryTransceiver` or `StoreObserver`: each can be
    /// skipped.
    public var coalesced: [String] = []
    /// Paths in states, written as in `redacted`, such as `cursor.position`, `clock` or
    /// `bodies.*.angle`. None by default. An action whose state differs from the one before only at
    /// these paths is sent without it, except once per `interval`. If the newest state was left out
    /// and nothing else is recorded, a mark carries it at the end of that time. It also says how
    /// many were left out. `flush` and `suspend` send that mark immediately.
    ///
    /// A value of another type, and a member that appears or disappears, is a difference
    /// elsewhere. States that are not JSON are always sent. An invalid path is ignored; a log
    /// record warns.
    public var sampled: [String] = []
    /// The longest time that a combined action or a sampled state is held back, 0 to an hour. At
    /// least one of them is sent in that time.
    public var interval = Duration.milliseconds(100)

    /// Leaves out nothing.
    public init() {}
  }

  /// Where the key is that seals everything the program sends.
  public enum Key: Hashable, Sendable {
    /// In the file that `STATESURF_KEY_FILE` names, or else in `$XDG_CONFIG_HOME/statesurf/key`
    /// or `~/.config/statesurf/key`. Without such a file, nothing is sealed.
    case usual
    /// In this file.
    case file(String)
    /// No key: nothing is sealed.
    case off
  }

  /// How values are encoded as JSON, and how states and actions from viewers are decoded.
  public enum Coding: Hashable, Sendable {
    /// As `JSONEncoder` does by default: dates are seconds since 2001, and dictionaries whose
    /// keys are neither `String` nor `Int` are arrays of alternating keys and values. These
    /// arrays, and sets, are sorted by their JSON, so that equal states are equal bytes.
    case foundation
    /// Dates from 1583 to 9999 are ISO 8601, exact to the last bit. Dictionaries are objects if
    /// their keys encode as text or a number, such as a `UUID`. If an object would restore a
    /// different key, the dictionary stays an array. Also reads `foundation`'s JSON.
    case readable
  }

  /// The program's version, shown in viewers: a release or a revision, such as `1.4.2`. At most
  /// 63 octets of UTF-8, cut if longer; empty for none.
  public var version = ""
  /// The program's identifier for viewers, such as `com.example.todo`; limited as `version` is.
  public var identifier = ""
  /// This machine by default.
  public var interface = Interface.loopback
  /// An IPv4 multicast group. For any other text, the default is used, and a log record warns.
  public var group = "239.255.83.83"
  /// The UDP port of the group, 1 to 65534, because viewers probe the next one. For 0 and 65535
  /// the default is used, and a log record warns.
  public var port: UInt16 = 8383
  /// The name of a group of people who see only their own apps: 1 to 63 octets of UTF-8 without
  /// control characters, and not `*`. Empty for none. A realm hides the app from other people's
  /// viewers, but protects nothing. An invalid name counts as none, and a log record warns.
  public var realm = ""
  /// Only people with the key can read what the program sends, and move it. If the key cannot be
  /// read, nothing is sent, and standard error says why.
  public var key = Key.usual
  /// Applies to states, payloads and actions, in both directions.
  public var coding = Coding.readable
  /// Paths to what never leaves the process, in states, payloads, values and attributes, such as
  /// `user.password`, `users.*.token`, `**.password` at any depth, or `$` for everything. Viewers
  /// see a mark there, and what they send back keeps the app's own value.
  ///
  /// A path into a value may begin with the value's name. Write a key that is not a plain word as
  /// `["a key"]`. If a path is invalid, everything is redacted, and a log record warns. A state
  /// that is not JSON is not sent. `Redacted` does the same for a property.
  public var redacted: [String] = []
  /// Whether viewers may set the state.
  public var acceptsResets = true
  /// Whether a state may be sent as a delta from the one before, and a payload as a delta from a
  /// similar one, where that is shorter. Viewers show no difference.
  public var sendsDeltas = true
  /// Octets of sent records to keep for viewers that join late or missed some.
  public var historySizeMax = 64 * 1_024 * 1_024
  /// How long to keep sent records. The newest state is kept forever.
  public var historyAgeMax = Duration.seconds(3_600)
  /// How many actions of a store to keep as values, so that a viewer can skip one and the later
  /// ones run again. At least 1; up to twice as many are held.
  public var replayCountMax = 200
  /// Whether viewers see the same instance when the program is started again. Its id is kept in
  /// `$XDG_STATE_HOME/statesurf/instances` or `~/.local/state/statesurf/instances`, in a file
  /// with the program's name. While one process uses the id, a second one of this name gets a new
  /// id, and a log record warns.
  public var keepsInstance = false
  /// Never waits by default.
  public var whenFull = WhenFull.giveUpStates
  /// What to leave out of what is recorded: nothing by default.
  public var thinning = Thinning()
  /// The longest time that `suspend()`, and the program's exit, wait for viewers to receive what
  /// was recorded. Without a viewer they wait no longer than 100 ms after `resume()`.
  public var farewell = Duration.seconds(1)
  /// Whether to register with Avahi too, if it runs. Viewers find the app without it.
  public var registersDNSSD = true

  /// Loopback, and the defaults of the protocol.
  public init() {}
}
