#if !Live
  public import FoundationEssentials

  /// Does nothing, because this program was built without the trait `Live`.
  public final class Transceiver: Sendable {
    /// Does nothing with its arguments.
    public init(
      name: String = ProcessInfo.processInfo.processName,
      configuration: Configuration = Configuration()
    ) {}

    /// Always false.
    public var isOn: Bool { false }

    /// Always false.
    public var isResumed: Bool { false }

    /// Always 0.
    public var viewerCount: Int { 0 }

    /// Always false, whatever it is set to.
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

    /// Always zero.
    public struct Counters: Equatable, Sendable {
      /// Always 0.
      public internal(set) var recordCount = 0
      /// Always 0.
      public internal(set) var stateGivenUpCount = 0
      /// Always 0.
      public internal(set) var recordGivenUpCount = 0
      /// Always 0.
      public internal(set) var failureCount = 0
    }
  }

  /// Identifies a record; this build makes none.
  public struct RecordID: Hashable, Sendable {
    private init() {}
  }

  public import FoundationEssentials

  // No argument is ever evaluated.
  extension Transceiver {
    /// Records nothing.
    @discardableResult
    public func record<Action: Sendable, State: Encodable & Sendable>(
      action: @autoclosure () -> Action, state: @autoclosure () -> State, parent: RecordID? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Records nothing.
    @discardableResult
    public func record(
      action: @autoclosure () -> String, state: @autoclosure () -> [UInt8], contentType: String,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Records nothing.
    @discardableResult
    public func record(
      action: @autoclosure () -> String, state: @autoclosure () -> Data, contentType: String,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Logs nothing.
    @discardableResult
    public func log(
      _ message: @autoclosure () -> String, level: Level = .info,
      attributes: @autoclosure () -> [String: String] = [:], parent: RecordID? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Logs nothing.
    @discardableResult
    public func log(
      _ message: @autoclosure () -> String, level: Level = .info,
      attributes: @autoclosure () -> any Encodable & Sendable, parent: RecordID? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Marks nothing.
    @discardableResult
    public func mark(
      _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// The severity of a log line.
    public enum Level: Hashable, Sendable {
      case trace, debug, info, warning, error
      /// A level of the program's own logger.
      case other(String)

      /// The level with this name, in upper or lower case; `warn` is `warning`.
      public init(named name: String) {
        self =
          switch name.lowercased() {
          case "trace": .trace
          case "debug": .debug
          case "info", "": .info
          case "warning", "warn": .warning
          case "error": .error
          default: .other(name)
          }
      }
    }
  }

  public import SurfStore

  extension Transceiver {
    /// Records nothing, and evaluates no argument.
    @discardableResult
    public func record<Action: Sendable>(
      action: @autoclosure () -> Action, reflecting state: @autoclosure () -> any Sendable,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Records nothing, and leaves the store alone.
    public func record<Action, State>(reflecting store: Store<Action, State>) -> Subscription {
      Subscription {}
    }
  }

  public import FoundationEssentials

  extension Transceiver {
    /// A request by a viewer to put the program into a state; this build never receives one.
    public struct Reset: Equatable, Sendable {
      /// The state's bytes as they were recorded; `nil` for the initial state.
      public let state: Data?
      /// The content type of the bytes; empty if there are none.
      public let contentType: String
      /// The name of the viewer.
      public let viewerName: String

      /// Decodes the state; `nil` for the initial one.
      public func state<State: Decodable>(as type: State.Type) throws -> State? {
        try state.map { try JSONDecoder().decode(type, from: $0) }
      }
    }

    /// Never calls `handler`.
    public func onReset(_ handler: @escaping @Sendable (Reset) throws -> Void) {}

    /// Never calls `handler`.
    public func onReset(_ handler: @escaping @Sendable (Reset) async throws -> Void) {}

    /// Never calls `handler`.
    public func onReset<Owner: Actor>(
      on owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Reset) throws -> Void
    ) {}

    /// Never calls `handler`.
    public func onReset(
      on owner: MainActor.Type, _ handler: @escaping @MainActor @Sendable (Reset) throws -> Void
    ) {}
  }

  // No argument is ever evaluated.
  extension Transceiver {
    /// Always `nil`.
    public static var shared: Transceiver? { nil }

    /// Shows nothing.
    @discardableResult
    public func inspect(
      _ name: @autoclosure () -> String, _ value: @autoclosure () -> any Encodable & Sendable,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Shows nothing.
    @discardableResult
    public func inspect(
      _ name: @autoclosure () -> String, reflecting value: @autoclosure () -> any Sendable,
      parent: RecordID? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Removes nothing.
    @discardableResult
    public func removeValue(
      _ name: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordID? { nil }

    /// Runs `body`.
    @discardableResult
    public func scope<Result, Failure>(
      _ name: String, file: StaticString = #fileID, line: UInt = #line,
      _ body: (InspectionScope) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(InspectionScope(path: name)) }

    /// A scope that shows nothing.
    public func scope(
      _ name: String, file: StaticString = #fileID, line: UInt = #line
    ) -> InspectionScope { InspectionScope(path: name) }
  }
#endif
