import JSONTools
import JSONTree
import SurfControl
import SurfWire

extension PanelInstance {
  /// The rows of the panels' current history, in their places from 1 on.
  package var numbering: [SequenceNumber] { list.ids }

  /// Carries out a panel's command as far as possible here, and returns what the caller must do.
  ///
  /// - Parameter numbering: the rows of the last history that this panel got. Newer rows may have
  ///   been added since. Nil means the current history.
  package mutating func perform(
    _ command: PanelCommand, numbering: [SequenceNumber]? = nil
  ) -> [PanelReply] {
    let shown = numbering ?? list.ids
    switch command {
    case .start: return [.send(.whole)]
    case .stop: return []
    case .jump(let place, let state), .jumpToIndex(let place, let state):
      return jump(to: place, in: shown, state)
    case .export: return [.send(export)]
    case .unknown(let word): return refusal("unknown command '\(word)'")
    case .unreadable(let word, let member):
      return refusal("'\(word)' lacks a valid '\(member)'; nothing was changed")
    case .rewrite(.dispatch(let action)): return dispatch(action)
    case .dispatchText(let text):
      return dispatch { () throws(RefusedCommand) in try ActionDecoder.parse(text) }
    case .create(let call):
      let labels = creators.first { $0.name == call.name }?.labels
      return dispatch { () throws(RefusedCommand) in try call.action(labels: labels) }
    case .importText(let text):
      return importHistory { () throws(LiftedFileError) in
        try ForeignHistory(liftedText: text)
      }
    case .importState(let json):
      return importHistory { () throws(LiftedFileError) in
        try ForeignHistory(lifted: ExactNumber.restored(JSAN.plain(json)))
      }
    case .rewrite(let command):
      do throws(RefusedCommand) {
        let command = try command.map { place throws(RefusedCommand) in
          guard case .row(let row) = try find(place, in: shown) else {
            throw RefusedCommand("there is no action at place \(place)")
          }
          return row
        }
        return isForApp(command) ? request(command) : applyLocally(command)
      } catch {
        return refusal(error.description)
      }
    }
  }

  /// A row in a panel's list.
  private enum Entry {
    case beginning
    case row(SequenceNumber)
    /// The last row, where the app already is.
    case tail
  }

  private func find(
    _ place: Int, in shown: [SequenceNumber]
  ) throws(RefusedCommand) -> Entry {
    if place == 0 { return .beginning }
    let known = list.ids.starts(with: shown) ? list.ids : shown
    if 1...known.count + 1 ~= place {
      if place <= known.count { return .row(known[place - 1]) }
      if list.tail != nil { return .tail }
    }
    throw RefusedCommand("there is no action at place \(place)")
  }

  private func refusal(_ reason: String) -> [PanelReply] { [.send(.error(reason))] }

  // MARK: Jumps

  private func jump(
    to place: Int, in shown: [SequenceNumber], _ state: String?
  ) -> [PanelReply] {
    do throws(RefusedCommand) {
      switch try find(place, in: shown) {
      case .beginning: return jumpToBeginning()
      case .row(let row): return jump(to: row, state)
      case .tail: return []
      }
    } catch {
      return restore(state) ?? refusal(error.description)
    }
  }

  /// Resets the app to the state in the command, which a panel without lifted state sends.
  private func restore(_ state: String?) -> [PanelReply]? {
    guard let state, JSON(ifValid: Array(state.utf8)) != nil else { return nil }
    return [.reset(row: nil, .bytes(Array(state.utf8), contentType: Content.json))]
  }

  private func jump(to id: SequenceNumber, _ state: String?) -> [PanelReply] {
    if id == 0 { return jumpToBeginning() }
    if isRemark(id), let index = list.ids.lastIndex(of: id) {
      return source(of: index).map { restore($0, state) } ?? jumpToBeginning()
    }
    return restore(id, state)
  }

  private func restore(_ id: SequenceNumber, _ state: String?) -> [PanelReply] {
    if let content = self.state(of: id) {
      return [.reset(row: id, .bytes(content.bytes, contentType: content.type))]
    }
    if let replies = restore(state) { return replies }
    return isFetchable(id) ? [.fetch(row: id)] : jump(toFetched: id)
  }

  private func jumpToBeginning() -> [PanelReply] {
    switch list.beginning {
    // Not `jump(to:)`, which may lead back here: a revision may name a remark.
    case .cut(let base?): return restore(base, nil)
    case .cut(nil): return refusal("what came before the first row is not here")
    case .whole: break
    }
    guard !rows.beginsAtStart, let committed = rows.committed else {
      return [.reset(row: nil, .initial)]
    }
    return [.reset(row: rows.anchors.max(), .bytes(committed.bytes, contentType: committed.type))]
  }

  // MARK: Commands for the app

  private func isForApp(_ command: HistoryCommand<SequenceNumber>) -> Bool {
    if case .lock = command { takesCommands } else { rewritesHistory }
  }

  private func request(_ command: HistoryCommand<SequenceNumber>) -> [PanelReply] {
    var command = command
    // States the direction, so that simultaneous clicks in two panels do not undo each other.
    if case .toggle(let id, nil) = command {
      command = .toggle(id, skipped: !rows.skipped.contains(id))
    }
    return [.command(command.map { $0.rawValue }.bytes)]
  }

  private func dispatch(_ action: JSON) -> [PanelReply] {
    guard heartbeat.takesActions else { return refusal("\(name) takes no actions from outside") }
    let action = ExactNumber.restored(JSAN.plain(action))
    return [.command(HistoryCommand<UInt64>.dispatch(action).bytes)]
  }

  private func dispatch(_ read: () throws(RefusedCommand) -> JSON) -> [PanelReply] {
    do throws(RefusedCommand) {
      return dispatch(try read())
    } catch {
      return refusal(error.description)
    }
  }

  private func importHistory(
    _ read: () throws(LiftedFileError) -> ForeignHistory
  ) -> [PanelReply] {
    do throws(LiftedFileError) {
      let history = try read()
      if rewritesHistory { return [.command(HistoryCommand<UInt64>.replace(history).bytes)] }
      // Without a store no action can be imported: only the state is restored.
      let past = history.current.map { history.steps[...$0] } ?? []
      // An action that failed left the state as it was.
      let known = past.last { $0.state != nil }?.state
      guard past.isEmpty || known != nil else { throw .noStates }
      guard let state = known ?? history.committed else { return [.reset(row: nil, .initial)] }
      return [.reset(row: nil, .bytes(state.bytes(), contentType: Content.json))]
    } catch {
      return refusal("the file cannot be imported: \(error)")
    }
  }

  // MARK: History of an app without a store

  private mutating func applyLocally(_ command: HistoryCommand<SequenceNumber>) -> [PanelReply] {
    let replies = changeRows(command)
    arrange()
    return replies
  }

  private mutating func changeRows(_ command: HistoryCommand<SequenceNumber>) -> [PanelReply] {
    switch command {
    case .toggle(let id, _):
      guard let row = rows.toggleApproximately(id) else {
        return refusal("row \(id) is not an action of this history")
      }
      return jump(to: row, nil) + [.send(.whole)]
    case .sweep: rows.sweep()
    case .commit:
      guard let (state, place) = currentState else {
        return refusal("the state that \(name) is in is not known here")
      }
      rows.restart(from: state, of: place, after: timeline.newestNumber)
    case .rollback:
      rows.restart(from: rows.committed, of: rows.anchors.max(), after: timeline.newestNumber)
      arrange()
      return jumpToBeginning() + [.send(.whole)]
    case .reset:
      rows.restart(from: nil, of: nil, after: timeline.newestNumber)
      return [.reset(row: nil, .initial), .send(.whole)]
    case .pause(let on): rows.isPaused = on
    default:
      return refusal(
        "\(name) cannot do this, and nothing was changed; a program with a HistoryTransceiver can")
    }
    return [.send(.whole)]
  }

  /// The state that the app is in (nil for its initial one) and its row; nil if it is not known.
  private var currentState: (state: Content?, place: SequenceNumber?)? {
    switch timeline.position {
    case .initial: (nil, nil)
    case .record(let row): state(of: row).map { ($0, row) }
    case .elsewhere: nil
    }
  }
}

extension ActionDecoder {
  /// Reads a typed action: a JavaScript value, or the name of a case without quotes.
  package static func parse(_ text: String) throws(RefusedCommand) -> JSON {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(text)
    } catch {
      let isName = text.utf8.allSatisfy { $0 == 0x5F || UnicodeScalar($0).properties.isAlphabetic }
      if isName, !text.isEmpty { return .string(text) }
      throw RefusedCommand("no action can be made of this: \(error)")
    }
  }
}
