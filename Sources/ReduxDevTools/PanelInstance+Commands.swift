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
    case .dispatch(let action): return dispatch(action)
    case .dispatchText(let text): return dispatch(text: text)
    case .create(let creation): return dispatch(creation)
    case .importText(let text):
      return importHistory { () throws(LiftedFileError) in
        try ForeignHistory(liftedText: text)
      }
    case .importState(let json):
      return importHistory { () throws(LiftedFileError) in
        try ForeignHistory(lifted: json)
      }
    case .toggle, .reorder, .sweep, .commit, .rollback, .reset, .pause, .lock:
      return takesCommands ? request(command) : keepBooks(command)
    }
  }

  private func refusal(_ reason: String) -> [PanelReply] { [.send(.error(reason))] }

  // MARK: Jumps

  private func jump(to id: SequenceNumber, _ state: String?) -> [PanelReply] {
    if id == 0 { return jumpToBase() }
    if let content = self.state(of: id) {
      return [.reset(row: id, .bytes(content.bytes, contentType: content.type))]
    }
    // A panel without lifted state hands back the state that it was told.
    if let state, JSON(ifValid: Array(state.utf8)) != nil {
      return [.reset(row: nil, .bytes(Array(state.utf8), contentType: Content.json))]
    }
    return refusal("row \(id) can no longer be had: only the latest rows are kept")
  }

  private func jump(toIndex index: Int, _ state: String?) -> [PanelReply] {
    let shown = shown.rows
    if index == 0 { return jumpToBase() }
    guard index > 0, index <= shown.count else {
      return refusal("there is no action at place \(index)")
    }
    return jump(to: shown[shown.startIndex + index - 1], state)
  }

  private func jumpToBase() -> [PanelReply] {
    if let row = shown.base { return jump(to: row, nil) }
    guard let committed = rows.committed else { return [.reset(row: nil, .initial)] }
    return [.reset(row: nil, .bytes(committed.bytes, contentType: committed.type))]
  }

  // MARK: Commands that the app carries out

  private func request(_ command: PanelCommand) -> [PanelReply] {
    let request: ControlCommand? =
      switch command {
      case .toggle(let id): .toggle(row: id.rawValue, skipped: !rows.skipped.contains(id))
      case .reorder(let id, let before): .reorder(row: id.rawValue, before: before?.rawValue)
      case .sweep: .sweep
      case .commit: .commit
      case .rollback: .rollback
      case .reset: .reset
      case .pause(let on): .pause(on)
      case .lock(let on): .lock(on)
      default: nil
      }
    return request.map { [.command($0.bytes)] } ?? []
  }

  private func dispatch(_ action: JSON) -> [PanelReply] {
    guard takesCommands else { return refusal("\(name) takes no actions from outside") }
    return [.command(ControlCommand.dispatch(JSAN.plain(action)).bytes)]
  }

  private func dispatch(text: String) -> [PanelReply] {
    do throws(RefusedCommand) {
      return dispatch(try ActionDecoder.parse(text))
    } catch {
      return refusal(error.description)
    }
  }

  private func dispatch(_ creation: Creation) -> [PanelReply] {
    let creator = creators.first { $0.name == creation.name }
    do throws(Creation.Refusal) {
      return dispatch(try creation.action(labels: creator?.arguments))
    } catch {
      return refusal(error.description)
    }
  }

  private func importHistory(
    _ read: () throws(LiftedFileError) -> ForeignHistory
  ) -> [PanelReply] {
    do throws(LiftedFileError) {
      let history = try read()
      if takesCommands { return [.command(ControlCommand.replace(history).bytes)] }
      // Without a store there is nobody to take in actions: the state alone is restored.
      let state = history.current.map { history.steps[$0].state } ?? history.committed
      guard let state else { return [.reset(row: nil, .initial)] }
      return [.reset(row: nil, .bytes(state.bytes(), contentType: Content.json))]
    } catch {
      return refusal("the file cannot be imported: \(error)")
    }
  }

  // MARK: Commands for an app that takes none

  private mutating func keepBooks(_ command: PanelCommand) -> [PanelReply] {
    switch command {
    case .toggle(let id):
      guard let row = rows.toggleApproximately(id) else {
        return refusal("row \(id) is no action of this history")
      }
      return jump(to: row, nil) + [.send(.whole)]
    case .sweep: rows.sweep()
    case .commit:
      if case .record(let row) = timeline.position, state(of: row) == nil {
        return refusal("the state that \(name) is in is not known here")
      }
      rows.restart(from: currentState, after: timeline.newestNumber)
    case .rollback:
      rows.restart(from: rows.committed, after: timeline.newestNumber)
      return jumpToBase() + [.send(.whole)]
    case .reset:
      rows.restart(from: nil, after: timeline.newestNumber)
      return [.reset(row: nil, .initial), .send(.whole)]
    case .pause(let on): rows.isPaused = on
    default: return refusal("\(name) has no store that could do this")
    }
    return [.send(.whole)]
  }

  private var currentState: Content? {
    if case .record(let row) = timeline.position { state(of: row) } else { rows.committed }
  }
}
