import JSONTools
import JSONTree
import SurfControl
import SurfWire

extension PanelInstance {
  /// What a panel's command means for this app.
  package mutating func perform(_ command: PanelCommand) -> [PanelReply] {
    switch command {
    case .start: return [.send(.whole)]
    case .stop: return []
    case .jump(let id, let state): return jump(to: id, state)
    case .jumpToIndex(let index, let state): return jump(toIndex: index, state)
    case .export: return [.send(export)]
    case .unknown(let word): return refusal("this version knows no '\(word)'")
    case .unreadable(let word, let member):
      return refusal("'\(word)' has no '\(member)' that can be read; nothing was changed")
    case .rewrite(.dispatch(let action)): return dispatch(action)
    case .dispatchText(let text): return dispatch(text: text)
    case .create(let call): return dispatch(call)
    case .importText(let text):
      return importHistory { () throws(LiftedFileError) in
        try ForeignHistory(liftedText: text)
      }
    case .importState(let json):
      return importHistory { () throws(LiftedFileError) in
        try ForeignHistory(lifted: ExactNumber.restored(JSAN.plain(json)))
      }
    case .rewrite(let command): return takesCommands ? request(command) : keepBooks(command)
    }
  }

  private func refusal(_ reason: String) -> [PanelReply] { [.send(.error(reason))] }

  // MARK: Jumps

  private func jump(to id: SequenceNumber, _ state: String?) -> [PanelReply] {
    if id == 0 { return jumpToBeginning() }
    // The app is there, wherever that is.
    if list.tail != nil, id == list.nextID { return [] }
    if isRemark(id), let index = list.ids.lastIndex(of: id) {
      return source(of: index).map { restore($0, state) } ?? jumpToBeginning()
    }
    return restore(id, state)
  }

  private func restore(_ id: SequenceNumber, _ state: String?) -> [PanelReply] {
    if let content = self.state(of: id) {
      return [.reset(row: id, .bytes(content.bytes, contentType: content.type))]
    }
    // A panel without lifted state hands back the state that it was told.
    if let state, JSON(ifValid: Array(state.utf8)) != nil {
      return [.reset(row: nil, .bytes(Array(state.utf8), contentType: Content.json))]
    }
    return isFetchable(id) ? [.fetch(row: id)] : jump(toFetched: id)
  }

  private func jump(toIndex index: Int, _ state: String?) -> [PanelReply] {
    if index == 0 { return jumpToBeginning() }
    if list.tail != nil, index == list.ids.count + 1 { return [] }
    guard index > 0, index <= list.ids.count else {
      return refusal("there is no action at place \(index)")
    }
    return jump(to: list.ids[index - 1], state)
  }

  private func jumpToBeginning() -> [PanelReply] {
    switch list.beginning {
    // A revision may name a remark: what comes before that is the beginning again.
    case .cut(let base?): return restore(base, nil)
    case .cut(nil): return refusal("what came before the first row is not here")
    case .whole: break
    }
    guard !rows.beginsAtStart, let committed = rows.committed else {
      return [.reset(row: nil, .initial)]
    }
    return [.reset(row: rows.anchors.max(), .bytes(committed.bytes, contentType: committed.type))]
  }

  // MARK: Commands that the app carries out

  private func request(_ command: HistoryCommand<SequenceNumber>) -> [PanelReply] {
    var command = command
    // Prevents two panels that are clicked at once from toggling it back and forth.
    if case .toggle(let id, nil) = command {
      command = .toggle(id, skipped: !rows.skipped.contains(id))
    }
    return [.command(command.map { $0.rawValue }.bytes)]
  }

  private func dispatch(_ action: JSON) -> [PanelReply] {
    guard takesCommands else { return refusal("\(name) takes no actions from outside") }
    let action = ExactNumber.restored(JSAN.plain(action))
    return [.command(HistoryCommand<UInt64>.dispatch(action).bytes)]
  }

  private func dispatch(text: String) -> [PanelReply] {
    do throws(RefusedCommand) {
      return dispatch(try ActionDecoder.parse(text))
    } catch {
      return refusal(error.description)
    }
  }

  private func dispatch(_ call: ActionCreatorCall) -> [PanelReply] {
    let creator = creators.first { $0.name == call.name }
    do throws(ActionCreatorCall.Refusal) {
      return dispatch(try call.action(labels: creator?.labels))
    } catch {
      return refusal(error.description)
    }
  }

  private func importHistory(
    _ read: () throws(LiftedFileError) -> ForeignHistory
  ) -> [PanelReply] {
    do throws(LiftedFileError) {
      let history = try read()
      if takesCommands { return [.command(HistoryCommand<UInt64>.replace(history).bytes)] }
      // Without a store nothing can take in actions: the state alone is restored.
      let past = history.current.map { history.steps[...$0] } ?? []
      // After an action that failed the state is as before.
      let known = past.last { $0.state != nil }?.state
      guard past.isEmpty || known != nil else { throw .noStates }
      guard let state = known ?? history.committed else { return [.reset(row: nil, .initial)] }
      return [.reset(row: nil, .bytes(state.bytes(), contentType: Content.json))]
    } catch {
      return refusal("the file cannot be imported: \(error)")
    }
  }

  // MARK: Commands for an app that takes none

  private mutating func keepBooks(_ command: HistoryCommand<SequenceNumber>) -> [PanelReply] {
    let replies = changeBooks(command)
    arrange()
    return replies
  }

  private mutating func changeBooks(_ command: HistoryCommand<SequenceNumber>) -> [PanelReply] {
    switch command {
    case .toggle(let id, _):
      guard let row = rows.toggleApproximately(id) else {
        return refusal("row \(id) is no action of this history")
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
    default: return refusal("\(name) has no store that could do this")
    }
    return [.send(.whole)]
  }

  /// The state that the app is in, nil for its own beginning, and the row that has it; nil if no
  /// message has told it.
  private var currentState: (state: Content?, place: SequenceNumber?)? {
    switch timeline.position {
    case .initial: (nil, nil)
    case .record(let row): state(of: row).map { ($0, row) }
    case .elsewhere: nil
    }
  }
}
