#if !Live || !canImport(Glibc)
  internal import SurfStore

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  // Without the trait `Live` no recorder exists: these types have no values, because each holds a
  // `Never`. So nothing behind a `guard let recorder` runs, and no argument is evaluated.
  //
  // Enums without cases would say the same, but there the compiler warns of what never runs.

  struct Recorder {
    private let never: Never

    init?(name: String, configuration: TransceiverConfiguration) { return nil }

    var isOurs: Bool { switch never {} }
    var isOpen: Bool { switch never {} }
    var isResumed: Bool { switch never {} }
    var counters: TransceiverCounters { switch never {} }
    var viewerCount: Int { switch never {} }
    var resumesAtLaunch: Bool {
      get { switch never {} }
      nonmutating set {}
    }

    func resume() {}
    func close() {}
    func close(then: @escaping @Sendable () -> Void) {}
    func flush(timeout: Duration) -> Bool { switch never {} }
    func release(isLeftOff: Bool) {}

    func record(
      action: any Sendable, state: any Encodable & Sendable, parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    func record(
      changeFrom former: @autoclosure () -> any Encodable & Sendable,
      to state: any Encodable & Sendable, parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    func record(
      name: String, bytes: [UInt8], contentType: String, parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    func record(
      name: String, data: Data, contentType: String, parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    func record(
      action: any Sendable, ofPart part: String, state: any Encodable & Sendable,
      parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    static func tracing<Action, State>(
      _ store: Store<Action, State>,
      _ record: @escaping @Sendable (Step<Action, State>, _ parent: RecordID?) -> RecordID?
    ) -> @Sendable (Step<Action, State>) -> Void { { _ in } }
    func mark(_ name: String, at site: CallSite) -> RecordID? { switch never {} }
    func inspect(
      _ name: String, _ value: any Encodable & Sendable, parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    func inspect(
      _ name: String, reflecting value: any Sendable, parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    func removeValue(_ name: String, at site: CallSite) -> RecordID? { switch never {} }
    func log(
      _ message: String, _ level: TransceiverLevel, attributes: (any Encodable & Sendable)?,
      parent: RecordID?, at site: CallSite
    ) -> RecordID? { switch never {} }
    func start(
      method: String, url: String, isReceived: Bool, parent: RecordID?, at site: CallSite
    ) -> StartedRequest { switch never {} }

    func onReset(_ handler: @escaping @Sendable (OfferedReset) throws -> Void) {}
    func onReset(
      waitingFor owner: (any Actor)?,
      _ handler: @escaping @Sendable (CommandTask, OfferedReset) async throws -> Bool
    ) {}
    func removeResetHandler() {}
    func setInitial(_ state: any Encodable & Sendable) {}
    func onLock(_ handler: @escaping @Sendable (Bool) -> Void) {}

    func controller<Action: Sendable, State: Codable & Sendable>(
      reducer: Reducer<Action, State>, validators: [Validator<State>],
      creators: [(name: String, arguments: [String])], initial: State,
      read: @escaping @Sendable (Data) -> State?
    ) -> Controller<Action, State> { switch never {} }

    static func encode(reflecting value: some Sendable, to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: isOff))
    }

    static func value<Value>(_ type: Value.Type, seenIn decoder: any Decoder) throws -> Value {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: isOff))
    }

    private static var isOff: String { "StateSurf is off, and does not look into values" }

    /// A program may read its states without viewers.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
      try JSONDecoder().decode(type, from: data)
    }
  }

  struct Controller<Action: Sendable, State: Codable & Sendable> {
    private let never: Never

    func admits(_ action: Action, from source: ActionSource) -> Bool { switch never {} }
    func record(_ step: Step<Action, State>) {}
    func reject(_ rejection: Rejection<Action>) {}
    func serve(_ store: Store<Action, State>) {}
    func serve(
      dispatch: @escaping @Sendable (Action) async -> Void,
      revise:
        @escaping @Sendable (_ change: @escaping @Sendable (State) -> State?) async -> Void
    ) {}
    @discardableResult func begin() -> Bool { switch never {} }
  }

  struct StartedRequest {
    private let never: Never

    var id: RecordID? { switch never {} }
    func finish(status: Int, sentSize: Int?, receivedSize: Int?, at site: CallSite) {}
    func fail(_ error: any Error, at site: CallSite) {}
    func abandon() {}
  }

  struct OfferedReset: Equatable {
    private let never: Never

    var state: Data? { switch never {} }
    var contentType: String { switch never {} }
    var viewerName: String { switch never {} }
    func state<State: Decodable>(as type: State.Type) throws -> State? { switch never {} }
  }

  struct CommandTask {
    private let never: Never

    func begin() -> Bool { switch never {} }
  }

  enum CallSite {
    case call(file: StaticString, line: UInt)
    case step(ActionSource)
    case logger(file: String, line: UInt)
  }
#endif
