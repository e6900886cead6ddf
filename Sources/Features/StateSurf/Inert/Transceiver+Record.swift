#if !Live
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

    /// How much a log line matters.
    public enum Level: Hashable, Sendable {
      case trace, debug, info, warning, error
      /// A level of the program's own logger.
      case other(String)

      /// The level of that name, in upper or lower case; `warn` is `warning`.
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
#endif
