import SurfTimeline
import SurfWire

/// An event of an instance that `watch` prints, as a line for people or as JSON for programs.
struct EventLine {
  private enum Subject {
    case row(SequenceNumber, contents: Set<RowContent>)
    case lost(ClosedRange<SequenceNumber>)
    case dropped(Int, ClosedRange<SequenceNumber>)
    case marker(Marker)
    case appeared
    case gone(saidGoodbye: Bool)
  }

  private let subject: Subject
  private let instance: Instance

  /// - Parameter contents: what else the JSON contains.
  init(row: SequenceNumber, with contents: Set<RowContent>, _ instance: Instance) {
    (subject, self.instance) = (.row(row, contents: contents), instance)
  }
  init(lost: ClosedRange<SequenceNumber>, _ instance: Instance) {
    (subject, self.instance) = (.lost(lost), instance)
  }
  init(dropped count: Int, in range: ClosedRange<SequenceNumber>, _ instance: Instance) {
    (subject, self.instance) = (.dropped(count, range), instance)
  }
  init(_ marker: Marker, _ instance: Instance) {
    (subject, self.instance) = (.marker(marker), instance)
  }
  init(appeared instance: Instance) { (subject, self.instance) = (.appeared, instance) }
  init(gone instance: Instance, _ saidGoodbye: Bool) {
    (subject, self.instance) = (.gone(saidGoodbye: saidGoodbye), instance)
  }

  /// Empty for a row that was evicted before it could be printed.
  func text(_ layout: Layout) -> [CommandAction] {
    lines(layout).map(CommandAction.print)
  }

  private func lines(_ layout: Layout) -> [Line] {
    switch subject {
    case .row(let number, _): row(number, layout)
    case .lost(let range): [layout.line(lost: range, of: instance)]
    case .dropped(let count, let range): [layout.line(dropped: count, in: range, of: instance)]
    case .marker(let marker): [layout.line(marker, of: instance)]
    case .appeared: [layout.line(appeared: instance)]
    case .gone(let goodbye): [layout.line(gone: instance, saidGoodbye: goodbye)]
    }
  }

  private func row(_ number: SequenceNumber, _ layout: Layout) -> [Line] {
    guard let row = instance.timeline.row(number) else { return [] }
    let order = StagedOrder(row.record).map { [layout.line($0)] } ?? []
    return [layout.line(row, of: instance)] + order
  }

  /// Nil if `text` is empty.
  func json() -> CommandAction? {
    switch subject {
    case .row(let number, let contents):
      instance.timeline.row(number).map {
        let more = EventJSON.members(contents, of: $0, in: instance.timeline)
        return .printBytes(EventJSON.line($0, of: instance, adding: more))
      }
    case .lost(let range): .printBytes(EventJSON.line(lost: range, of: instance))
    case .dropped(let count, let range):
      .printBytes(EventJSON.line(dropped: count, in: range, of: instance))
    case .marker(let marker): .printBytes(EventJSON.line(marker, of: instance))
    case .appeared: .printBytes(EventJSON.line(instance, event: "appeared"))
    case .gone(let goodbye): .printBytes(EventJSON.line(gone: instance, saidGoodbye: goodbye))
    }
  }
}
