internal import Glibc
internal import JSONTree
internal import Redaction
internal import SurfControl
internal import SurfHistory
internal import SurfNetwork
internal import SurfThreads
internal import SurfWire
internal import ValueCoding

// An imported history may have millions of steps. The app reads and computes them before the
// store's turn, and keeps no more of them than of its own history.
extension Controller {
  /// Rows of one import: half of what may wait, which leaves the app's own records the other half.
  static var importedRowCountMax: Int { 32_768 }
  /// Encoded octets of the states of one import: half of what is kept for repair.
  static var importedStateSizeMax: Int { 32 * 1_024 * 1_024 }
  /// The app decides an import of up to this many steps before it looks at later requests.
  static var promptStepCountMax: Int { 1_024 }

  /// Replaces the history. A long import runs on its own thread, beside other requests.
  func importHistory(
    from text: ImportText, for reset: IncomingReset, in store: Port, answer: @escaping Answer
  ) throws {
    guard text.stepCount > Self.promptStepCountMax else {
      return perform(try order(for: text, reset), in: store, answer: answer)
    }
    let isFirst = contents.withLock { contents in
      defer { contents.isImporting = true }
      return !contents.isImporting
    }
    guard isFirst else {
      throw RefusedCommand("another import is under way; try again when it is over")
    }
    let coder = ValueCoder.current
    do throws(ThreadError) {
      _ = try Thread.start(name: "surf-import") { [self] in
        ValueCoder.$current.withValue(coder) {
          do throws(RefusedCommand) {
            let order = try order(for: text, reset)
            let isDecided = Monitor(false)
            perform(order, in: store) { result in
              answer(result)
              isDecided.withLock { $0 = true }
            }
            isDecided.wait { $0 }
            followEncoding(of: text.stepCount, for: reset)
          } catch {
            answer(.rejected(reason: error.description))
          }
        }
        contents.withLock { $0.isImporting = false }
      }
    } catch {
      contents.withLock { $0.isImporting = false }
      throw RefusedCommand("the app has no thread for it: \(error)")
    }
  }

  private func order(
    for text: ImportText, _ reset: IncomingReset
  ) throws(RefusedCommand) -> Order {
    let log = contents.withLock { $0.history.log }
    let coder = ValueCoder.current
    var limits = Plan<Action, State>.ImportLimits()
    limits.rowCountMax = Self.importedRowCountMax
    limits.stateSizeMax = Self.importedStateSizeMax
    limits.size = { state in
      // If a state cannot be encoded, a log record says so later.
      do { return try coder.bytes(of: state).count } catch { return 0 }
    }
    limits.note = { [recorder] done, total throws(RefusedCommand) in
      guard recorder.note(done * 2, of: total * 3, for: reset) else {
        throw RefusedCommand("the viewer that asked for it is gone")
      }
    }
    let plan = Plan.imported(
      try Plan.ImportedHistory(text, in: log, reading: reader(over: log.state), keeping: limits))
    return Order(
      plan, word: "import", title: HistoryCommand<UInt64>.importTitle(text.stepCount),
      by: reset.viewerName)
  }

  /// Reports to the viewer how far its rows are encoded. The answer follows them in the mailbox.
  private func followEncoding(of stepCount: Int, for reset: IncomingReset) {
    let (first, newest) = (recorder.ledger.lastSequence.rawValue, recorder.newestRow.rawValue)
    var row = first
    while row < newest, recorder.mailbox.isOpen {
      let done = stepCount * Int(row - first) / Int(newest - first)
      guard recorder.note(2 * stepCount + done, of: 3 * stepCount, for: reset) else { return }
      usleep(100_000)
      row = recorder.ledger.lastSequence.rawValue
    }
  }

  private func reader(over live: State) -> Plan<Action, State>.Reader {
    Plan.Reader { json throws(RefusedCommand) in
      try self.action(from: json)
    } state: { json throws(RefusedCommand) in
      do throws(RefusedState) {
        return try self.state(from: json, over: live)
      } catch {
        throw RefusedCommand(error.description)
      }
    }
  }

  /// Refuses an import that the mailbox cannot hold. Adds a mark that counts steps without a row.
  ///
  /// - Returns: The position that the first row builds on.
  func prepare(
    for other: Plan<Action, State>.ImportedHistory
  ) throws(RefusedCommand) -> Position {
    guard recorder.mailbox.hasRoom(forRecords: other.stepCount - other.rowlessCount + 1) else {
      throw RefusedCommand("the app is too busy to take in so many actions; try again")
    }
    guard other.rowlessCount > 0 else { return other.isInitial ? .initial : .elsewhere }
    let subject = """
      \(other.rowlessCount) of \(other.stepCount) imported actions were run and have no row: \
      an import makes \(Self.importedRowCountMax) rows, of its newest
      """
    _ = recorder.mailbox.add(Entry(kind: .mark, subject: subject, source: .none))
    return .elsewhere
  }
}
