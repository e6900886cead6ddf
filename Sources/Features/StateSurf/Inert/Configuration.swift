#if !Live
  extension Transceiver {
    /// The settings of a transceiver; this build reads none of them.
    public struct Configuration: Sendable {
      /// Where viewers may be.
      public enum Interface: Hashable, Sendable {
        case loopback
        case lan(String)
      }

      /// What `record` does when the network is too slow.
      public enum WhenFull: Hashable, Sendable {
        case giveUpStates
        case wait
      }

      /// What to leave out of what is recorded.
      public struct Thinning: Hashable, Sendable {
        /// Which states are sent while no viewer follows.
        public enum WhenUnwatched: Hashable, Sendable {
          case everything
          case newestState
          case everyNth(Int)
        }

        /// Not used.
        public var whenUnwatched = WhenUnwatched.everything
        /// Not used.
        public var coalesced: [String] = []
        /// Not used.
        public var sampled: [String] = []
        /// Not used.
        public var interval = Duration.milliseconds(100)

        /// Leaves out nothing.
        public init() {}
      }

      /// Where the key is that seals everything the program sends.
      public enum Key: Hashable, Sendable {
        case usual
        case file(String)
        case off
      }

      /// How values become JSON.
      public enum Coding: Hashable, Sendable {
        case foundation
        case readable
      }

      /// Not used.
      public var version = ""
      /// Not used.
      public var identifier = ""
      /// Not used.
      public var interface = Interface.loopback
      /// Not used.
      public var group = "239.255.83.83"
      /// Not used.
      public var port: UInt16 = 8383
      /// Not used.
      public var realm = ""
      /// Not used.
      public var key = Key.usual
      /// Not used.
      public var coding = Coding.foundation
      /// Not used.
      public var redacted: [String] = []
      /// Not used.
      public var acceptsResets = true
      /// Not used.
      public var sendsDeltas = true
      /// Not used.
      public var historySizeMax = 64 * 1_024 * 1_024
      /// Not used.
      public var historyAgeMax = Duration.seconds(3_600)
      /// Not used.
      public var replayCountMax = 200
      /// Not used.
      public var whenFull = WhenFull.giveUpStates
      /// Not used.
      public var thinning = Thinning()
      /// Not used.
      public var farewell = Duration.seconds(1)
      /// Not used.
      public var registersDNSSD = true
      /// Not used.
      public var keepsInstance = false

      /// The defaults.
      public init() {}
    }
  }
#endif
