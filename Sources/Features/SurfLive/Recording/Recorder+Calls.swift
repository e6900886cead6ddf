package import FoundationEssentials
package import SurfStore
internal import SurfThreads
package import SurfValues
internal import SurfWire

// What the calls of a `Transceiver` record. Each copies its values and returns; nil if nothing was
// recorded, because recording is suspended or too much is waiting.
extension Recorder {
  /// Adds what a call of the app records. Its parent is the task's cause unless it names one.
  func add(_ entry: consuming Entry) -> RecordID? {
    if entry.parent == nil { entry.parent = TaskCause.record }
    return mailbox.add(consume entry)
  }

  package func record(
    action: consuming any Sendable, state: consuming any Encodable & Sendable, parent: RecordID?,
    at site: consuming CallSite
  ) -> RecordID? {
    add(
      Entry(
        kind: .action, subject: copy action, source: site, parent: parent,
        payload: .action(action), state: .value(state)))
  }

  /// The same for an action of a part of the state.
  package func record(
    action: any Sendable, ofPart part: String, state: any Encodable & Sendable, parent: RecordID?,
    at site: CallSite
  ) -> RecordID? {
    add(
      Entry(
        kind: .action, subject: PartAction(subject: action, part: part), source: site,
        parent: parent, payload: .action(action), state: .value(state)))
  }

  /// Records a change without an action. The first one also records the state before it.
  package func record(
    changeFrom former: @autoclosure () -> any Encodable & Sendable,
    to state: any Encodable & Sendable, parent: RecordID?, at site: CallSite
  ) -> RecordID? {
    if !hasStateBefore.load(ordering: .relaxed) {
      // Nothing that happens now has caused that state.
      let before = mailbox.add(Entry(.before, former(), source: site))
      hasStateBefore.store(before != nil, ordering: .relaxed)
    }
    return add(Entry(.after, state, source: site, parent: parent))
  }

  package func record(
    name: String, bytes: [UInt8], contentType: String, parent: RecordID?,
    at site: consuming CallSite
  ) -> RecordID? {
    add(
      Entry(
        .action, name, source: site, parent: parent,
        state: .bytes(bytes, contentType: contentType)))
  }

  package func record(
    name: String, data: Data, contentType: String, parent: RecordID?,
    at site: consuming CallSite
  ) -> RecordID? {
    add(
      Entry(
        .action, name, source: site, parent: parent, state: .data(data, contentType: contentType)))
  }

  /// Makes a function that records the steps of one store with `record`. If another step caused a
  /// step, `parent` is that step's record.
  package static func tracing<Action, State>(
    _ store: Store<Action, State>,
    _ record: @escaping @Sendable (Step<Action, State>, _ parent: RecordID?) -> RecordID?
  ) -> @Sendable (Step<Action, State>) -> Void {
    let recent = Monitor(RecentSteps())
    return { step in
      let cause = step.cause.flatMap { cause in recent.withLock { $0.trace(of: cause) } }
      guard let id = record(step, cause?.record) else { return }
      recent.withLock { $0.remember(RecentSteps.Trace(record: id, restore: nil), of: step.id) }
    }
  }

  package func mark(_ name: String, at site: CallSite) -> RecordID? {
    add(Entry(.mark, name, source: site))
  }

  package func inspect(
    _ name: String, _ value: any Encodable & Sendable, parent: RecordID?, at site: CallSite
  ) -> RecordID? {
    add(Entry(.update, name, source: site, parent: parent, payload: .value(value)))
  }

  package func inspect(
    _ name: String, reflecting value: any Sendable, parent: RecordID?, at site: CallSite
  ) -> RecordID? {
    add(Entry(.update, name, source: site, parent: parent, payload: .reflection(value)))
  }

  /// Removes a value, and all values below it.
  package func removeValue(_ name: String, at site: CallSite) -> RecordID? {
    add(Entry(.remove, name, source: site))
  }

  package func log(
    _ message: String, _ level: TransceiverLevel, attributes: (any Encodable & Sendable)?,
    parent: RecordID?, at site: CallSite
  ) -> RecordID? {
    add(
      Entry(
        .log(level.wire), level.marked(message), source: site, parent: parent,
        payload: attributes.map { .value($0) } ?? .none))
  }

  /// Records a log line about a request, with the request's attributes. The task's cause does not
  /// count.
  func log(
    _ line: RequestLine, _ level: TransceiverLevel, parent: RecordID?, at site: CallSite
  ) -> RecordID? {
    var entry = Entry(kind: .log(level.wire), subject: line, source: site, parent: parent)
    entry.payload = .value(line.report)
    return mailbox.add(entry)
  }
}

extension TransceiverLevel {
  /// Protocol.md §8.1 has five levels.
  fileprivate var wire: LogLevel {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    case .other(let name): ["critical", "fatal"].contains(name.lowercased()) ? .error : .info
    }
  }

  fileprivate func marked(_ message: String) -> String {
    if case .other(let name) = self { "[\(name)] \(message)" } else { message }
  }
}
