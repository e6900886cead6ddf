import Foundation
import SurfQuery
import SurfTimeline
import SurfViewer

/// `statesurf-bench find`: how long a search of a whole history takes, and how long it is until the
/// first hit, from the oldest row on and from the newest one back. It has processor time, as other
/// programs share the cores.
struct FindBench {
  private let options: FindOptions

  init(_ options: FindOptions) { self.options = options }

  func run() -> Int32 {
    do {
      let history = try FindHistory(rowCount: options.rowCount, keepsLines: options.asksJQ)
      let jq = options.asksJQ ? try JQ(history.lines) : nil
      defer { jq?.end() }
      say(Self.line(["all ms", "first ms", "last ms", "hits", "jq ms", "jq / all"], "query"))
      for question in FindQuestion.all {
        guard options.part.map({ question.query.contains($0) }) ?? true else { continue }
        try ask(question, history.instance, jq)
      }
      return 0
    } catch {
      complain("find: \(error)")
      return 1
    }
  }

  private func ask(_ question: FindQuestion, _ instance: Instance, _ jq: JQ?) throws {
    let query = try Query(question.query)
    var count = 0
    let all = Self.milliseconds { count = Self.count(query, instance) }
    let first = Self.milliseconds { keep(Self.hasHit(query, .oldestFirst, instance)) }
    let last = Self.milliseconds { keep(Self.hasHit(query, .newestFirst, instance)) }
    var columns = [all.text(0), first.text(1), last.text(1), "\(count)"]
    if let jq {
      var answer = 0
      let before = ProcessorTime.ofChildren
      answer = try jq.count(question)
      let time = ProcessorTime.ofChildren - before
      let jqTime = 1_000 * (time.user + time.system)
      columns += [jqTime.text(0), (jqTime / all).text(1)]
      guard answer == count else {
        throw BenchmarkFailure("\(query): jq finds \(answer) rows, and not \(count)")
      }
    }
    say(Self.line(columns, question.query))
  }

  private static func count(_ query: Query, _ instance: Instance) -> Int {
    var find = Find(query)
    var count = 0
    while !find.isDone { count += find.step(in: instance).count }
    return count
  }

  private static func hasHit(_ query: Query, _ order: Find.Order, _ instance: Instance) -> Bool {
    var find = Find(query, order: order)
    while !find.isDone {
      if !find.step(in: instance).isEmpty { return true }
    }
    return false
  }

  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let before = ProcessorTime.now
    try body()
    let time = ProcessorTime.now - before
    return 1_000 * (time.user + time.system)
  }

  private static func line(_ columns: [String], _ query: String) -> String {
    columns.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }.joined() + "  " + query
  }
}
