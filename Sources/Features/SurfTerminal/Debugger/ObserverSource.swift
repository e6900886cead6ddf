import DebuggerDriver
import SurfControl
import SurfDebugger
import SurfObserver
import SurfTimeline
import SurfWire

/// The apps on the network, for the debugger of `statesurf surf`.
struct ObserverSource: HistorySource {
  let live: LiveCatalog
  let settings: SettingsStorage
  /// How long to wait for an app's answer.
  let timeout: Duration

  func read<Result>(_ body: (Catalog) -> sending Result) -> sending Result { live.read(body) }

  func follow(_ app: SessionID) { live.observer.follow(app, since: .all) }

  func refetch(_ rows: ClosedRange<SequenceNumber>, of app: SessionID) {
    live.refetch(rows, of: app)
  }

  func reset(
    _ app: SessionID, to target: Position, state: Content?, from file: String?,
    completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    let label = label(app)
    let name = file.map { StateFile.name(of: $0) }
    live.reset(app, to: target, state: state, fileName: name, timeout: timeout) {
      completion(MoveAnswer($0, to: .state, label))
    }
  }

  func command(
    _ app: SessionID, _ command: HistoryCommand<SequenceNumber>,
    completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    let label = label(app)
    live.observer.command(app, command.map { $0.rawValue }.bytes, timeout: timeout) {
      completion(MoveAnswer($0, to: .command(command), label))
    }
  }

  func followValues(of app: SessionID) { live.observer.followValues(of: app) }

  func hide(_ row: SequenceNumber, of app: SessionID) { live.change { $0.hide(row, of: app) } }

  func showHidden(_ row: SequenceNumber?, of app: SessionID) {
    live.change { $0.showHidden(row, of: app) }
  }

  /// Copies a row in the format of `watch --json`.
  func bytes(of content: CopyRequest.Content) -> [UInt8]? {
    switch content {
    case .bytes(let bytes): bytes
    case .row(let app, let number):
      live.read { catalog -> [UInt8]? in
        guard let instance = catalog[app], let row = instance.timeline.row(number) else {
          return nil
        }
        let members = EventJSON.members([.state, .payload], of: row, in: instance.timeline)
        return EventJSON.line(row, of: instance, adding: members)
      }
    }
  }

  func loadState(from path: String) throws(FileFault) -> Content {
    do throws(Failure) { return try StateFile.read(path) } catch { throw FileFault(error.what) }
  }

  func saveState(_ bytes: [UInt8], to path: String) throws(FileFault) {
    do throws(Failure) { try StateFile.write(bytes, to: path) } catch {
      throw FileFault(error.what)
    }
  }

  func checkHistory(at path: String) throws(FileFault) {
    do throws(Failure) { _ = try LiftedStateFile.read(path) } catch { throw FileFault(error.what) }
  }

  func importHistory(
    from path: String, into app: SessionID, completion: @escaping @Sendable (MoveAnswer) -> Void
  ) {
    do throws(Failure) {
      command(app, .replace(try LiftedStateFile.read(path)), completion: completion)
    } catch {
      completion(.failed(error.what))
    }
  }

  func exportHistory(of app: SessionID, to path: String) throws(FileFault) -> Int {
    guard let instance = live.read({ $0[app] }) else {
      throw FileFault("the app is no longer here")
    }
    let exported = TargetTask.exported(instance)
    do throws(Failure) { try StateFile.write(exported.bytes, to: path) } catch {
      throw FileFault(error.what)
    }
    return exported.actionCount
  }

  func set(_ name: String, to value: String) throws(FileFault) -> PersonalSettings {
    do throws(Failure) { return try settings.set(name, value) } catch {
      throw FileFault(error.what)
    }
  }

  private func label(_ app: SessionID) -> String { read { $0[app]?.label } ?? "the app" }
}

extension DebuggerEvent {
  init(_ change: CatalogChange) {
    switch change {
    case .rows(let app, let rows): self = .rows(app, rows)
    case .completed(let app, let row): self = .rows(app, row...row)
    case .caughtUp(let app): self = .caughtUp(app)
    default: self = .news
    }
  }
}

extension MoveAnswer {
  /// The message that a subcommand would print, in one line.
  fileprivate init(_ answer: ResetAnswer, to question: AnswerReport.Question, _ label: String) {
    do throws(Failure) {
      self = .applied(try AnswerReport.position(after: answer, to: question, label))
    } catch {
      self =
        switch answer {
        case .answered(.rejected, _): .refused(error.what)
        case .notSealed:
          .failed(
            "\(label) is open, and you have a key: anybody may pose as it; surf --open moves it")
        default: .failed(error.what)
        }
    }
  }
}
