internal import FoundationEssentials
internal import JSONTree
internal import SurfControl
internal import SurfWire

extension Controller {
  /// The log as it stands after a command, in values; told in rows and JSON on the encoding thread.
  struct Staging: Sendable {
    private let horizon: UInt64
    /// Only if history begins here: otherwise viewers have rows before it.
    private let committed: State?
    private let items: [(id: UInt64, isSkipped: Bool, state: State?)]
    private let current: UInt64?

    init(_ log: Log, changed: Set<UInt64>) {
      horizon = log.horizon
      committed = log.horizon == 0 ? log.committed : nil
      items = log.entries.map { entry in
        (entry.id, entry.isSkipped, changed.contains(entry.id) ? entry.state : nil)
      }
      current = if case .entry(let id) = log.place { id } else { nil }
    }

    func revised(_ sequences: SequenceTable) throws -> Revision.Staging {
      Revision.Staging(
        oldest: horizon == 0 ? 0 : sequences.sequence(of: horizon).rawValue,
        committed: try committed.map(Self.json),
        items: try items.map { item in
          Revision.Item(
            row: sequences.sequence(of: item.id).rawValue, isSkipped: item.isSkipped,
            state: try item.state.map(Self.json))
        },
        current: current.map { sequences.sequence(of: $0).rawValue })
    }

    static func json(_ state: State) throws -> JSON { try ValueCoder.current.json(state) }
  }

  /// A history from elsewhere, decoded into the app's own types.
  struct Replacement: Sendable {
    private struct Step: Sendable {
      let name: String
      let payload: JSON?
      let action: Action?
      let state: State
      let isSkipped: Bool
    }

    private let committed: State
    private let isInitial: Bool
    private let steps: [Step]
    private let current: Int?

    init(_ history: ForeignHistory, in log: Log) throws(RefusedCommand) {
      isInitial = history.committed == nil
      committed = try history.committed.map(Self.state) ?? State()
      var steps: [Step] = []
      for (index, step) in history.steps.enumerated() {
        do throws(RefusedCommand) {
          steps.append(try Self.decode(step, after: steps.last?.state ?? committed, in: log))
        } catch {
          throw RefusedCommand("step \(index + 1), \(step.name): \(error.description)")
        }
      }
      self.steps = steps
      current = history.current.map { min(max(0, $0), steps.count - 1) }.flatMap {
        $0 < 0 ? nil : $0
      }
    }

    private static func decode(
      _ step: ForeignHistory.Step, after before: State, in log: Log
    ) throws(RefusedCommand) -> Step {
      var action: Action?
      if let json = step.action {
        do throws(RefusedCommand) {
          action = try ActionDecoder.decode(json, as: Action.self)
        } catch  where step.state != nil {
          // It keeps its state; it only cannot be run again.
        }
      }
      let told = try step.state.map { json throws(RefusedCommand) in try state(json) }
      return Step(
        name: step.name, payload: step.action, action: action,
        state: told ?? log.outcome(of: action, isSkipped: step.isSkipped, on: before),
        isSkipped: step.isSkipped)
    }

    private static func state(_ json: JSON) throws(RefusedCommand) -> State {
      do throws(RefusedState) {
        return try State.restored(from: Data(json.bytes()))
      } catch {
        throw RefusedCommand(error.description)
      }
    }

    /// Records each step as if it had happened now, so that every viewer has it.
    func install(in log: inout Log, _ mailbox: Mailbox) throws(RefusedCommand) {
      log.restart(from: committed, isInitial: isInitial)
      var ids: [UInt64] = []
      for step in steps {
        var entry = Entry(kind: .action, subject: step.name, source: .none)
        if let payload = step.payload {
          entry.payload = .bytes(payload.bytes(), contentType: Piece.json)
        }
        entry.state = .value(step.state)
        guard let id = mailbox.add(entry) else {
          throw RefusedCommand("the app is too busy to take in \(steps.count) actions")
        }
        ids.append(id.ticket)
        log.append(id.ticket, step.action, step.state)
        log.markSkipped(id.ticket, step.isSkipped)
      }
      if let current {
        log.move(to: ids[current], steps[current].state)
      } else {
        log.move(to: nil, committed)
      }
    }
  }
}
