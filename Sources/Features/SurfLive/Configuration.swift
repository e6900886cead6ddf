extension Transceiver {
  /// What a transceiver is told once, when it is made.
  ///
  /// `STATESURF_INTERFACE`, `STATESURF_GROUP` and `STATESURF_PORT` in the environment come before
  /// what is said here, so that a program can be pointed elsewhere without a build.
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
      /// as many octets as those before it turned out to have; the first ones count 16 KiB each.
      case giveUpStates
      /// Blocks the caller until there is room: for simulations and tests, which would rather be
      /// complete than fast.
      case wait
    }

    /// How values become JSON, and how states and actions that viewers send are read.
    public enum Coding: Hashable, Sendable {
      /// As `JSONEncoder` has it by itself: dates as seconds since 2001, and dictionaries whose
      /// keys are neither `String` nor `Int` as arrays of keys and values in turn, in an order
      /// that changes from run to run.
      case foundation
      /// Recommended: dates as ISO 8601, to the last bit, and dictionaries with any key that is
      /// written as a text or a number, such as a `UUID`, as objects. Reads what the other wrote.
      case readable
    }

    /// This machine, unless told otherwise.
    public var interface = Interface.loopback
    /// IPv4 multicast group; one that is none is replaced by the default, with a warning in the
    /// log.
    public var group = "239.255.83.83"
    /// UDP port of the group, 1 to 65534, because viewers probe the next one; 0 and 65535 are
    /// replaced by the default, with a warning in the log.
    public var port: UInt16 = 8383
    /// For states, payloads and actions alike, in both directions.
    public var coding = Coding.foundation
    /// Whether viewers may set the state.
    public var acceptsResets = true
    /// Whether a state may go as a delta from the one before, and what came with it as one
    /// from something like it, where that is shorter. Viewers see no delta; the network does.
    public var sendsDeltas = true
    /// Octets of sent records that are kept for viewers that come late or missed some.
    public var historySizeMax = 64 * 1_024 * 1_024
    /// How long they are kept; the newest state is kept for ever.
    public var historyAgeMax = Duration.seconds(3_600)
    /// Actions of a store that are kept as values, so that one of them can be left out and those
    /// after it run again. At least 1; up to twice as many are held.
    public var replayCountMax = 200
    /// Never to wait, unless told otherwise.
    public var whenFull = WhenFull.giveUpStates
    /// Whether to register with Avahi too, if it runs; viewers find us without it.
    public var registersDNSSD = true

    /// Loopback, and the defaults of the protocol.
    public init() {}
  }
}
