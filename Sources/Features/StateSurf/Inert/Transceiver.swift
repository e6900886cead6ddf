#if !Live
  public import FoundationEssentials

  /// Does nothing: this program was built without the trait `Live`.
  public final class Transceiver: Sendable {
    /// Remembers none of it.
    public init(
      name: String = ProcessInfo.processInfo.processName,
      configuration: Configuration = Configuration()
    ) {}

    /// No: this program was built without StateSurf.
    public var isOn: Bool { false }

    /// No: nothing can be resumed.
    public var isResumed: Bool { false }

    /// None.
    public var viewerCount: Int { 0 }

    /// No, whatever it is set to.
    public var resumesAtLaunch: Bool {
      get { false }
      set {}
    }

    /// Does nothing.
    public func resume() {}

    /// Does nothing.
    public func resumeAtLaunch() {}

    /// Does nothing, and waits for nothing.
    public func suspend() {}

    /// Always true: there is nothing to send.
    @discardableResult
    public func flush(timeout: Duration = .seconds(1)) -> Bool { true }

    /// All zero.
    public var counters: Counters { Counters() }

    /// Counts nothing.
    public struct Counters: Equatable, Sendable {
      /// None.
      public internal(set) var recordCount = 0
      /// None.
      public internal(set) var stateGivenUpCount = 0
      /// None.
      public internal(set) var recordGivenUpCount = 0
      /// None.
      public internal(set) var failureCount = 0
    }
  }

  /// Names a record; this build makes none.
  public struct RecordID: Hashable, Sendable {
    private init() {}
  }
#endif
