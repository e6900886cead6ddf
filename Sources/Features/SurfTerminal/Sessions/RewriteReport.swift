import SurfControl
import SurfObserver
import SurfTimeline
import SurfWire

/// The result of a rewrite. Only the app knows it: the app's answer names the record that tells it.
struct RewriteReport {
  /// The record of the revision.
  let revision: SequenceNumber
  private let command: HistoryCommand<SequenceNumber>
  private let answer: ResetAnswer

  /// Nil if there is nothing to be read.
  init?(_ answer: ResetAnswer, to question: AnswerReport.Question) {
    guard case .command(let command) = question, command.replays,
      case .answered(.applied, .record(let revision)) = answer
    else { return nil }
    (self.revision, self.command, self.answer) = (revision, command, answer)
  }

  /// - Parameter record: The revision; nil if it did not come.
  func actions(_ label: String, told record: Record? = nil) -> [CommandAction] {
    let revision = record.flatMap(Self.revision(in:))
    let question = AnswerReport.Question.command(done(by: revision))
    return AnswerReport(
      answer, to: question, label: label, note: " \(note(of: revision?.replay))"
    ).actions
  }

  private static func revision(in record: Record) -> Revision? {
    guard let payload = record.payload else { return nil }
    do throws(ControlError) {
      return try Revision(parsing: payload.bytes)
    } catch {
      return nil
    }
  }

  /// A toggle leaves it to the app which of the two it is.
  private func done(by revision: Revision?) -> HistoryCommand<SequenceNumber> {
    guard case .toggle(let row, nil) = command else { return command }
    let item = revision?.staging?.items.first { SequenceNumber($0.row) == row }
    return .toggle(row, skipped: item?.isSkipped)
  }

  /// Behind what was done.
  private func note(of replay: Revision.Replay?) -> String {
    guard let replay else {
      return "(row \(revision), which says whether that is exact, did not arrive)"
    }
    return "(\(replay.doubt ?? "exact"))"
  }
}
