import Foundation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import TestSupport
import Testing

/// What a task does has the task's record as its parent, without an id at each call.
@Suite struct ParentTests {
  private let bench = Bench()
  private let transceiver: Transceiver

  init() {
    transceiver = bench.transceiver(bench.waiting())
    transceiver.resume()
  }

  private var records: [Record] {
    transceiver.flush(timeout: .seconds(600))
    return bench.sink.records
  }

  private struct Lost: Error, Equatable {}

  @Test func `calls within a parent have it, and those outside have none`() {
    let first = transceiver.log("first")
    let second = transceiver.log("second")
    let result = transceiver.withParent(first) {
      transceiver.log("within")
      transceiver.record(action: "act", state: 1)
      transceiver.inspect("value", 1)
      transceiver.mark("here")
      transceiver.withParent(second) { transceiver.log("deeper") }
      transceiver.withParent(nil) { transceiver.log("alone") }
      transceiver.log("named", parent: second)
      return 7
    }
    transceiver.log("outside")
    #expect(result == 7)
    #expect(records.map(\.parent) == [0, 0, 1, 1, 1, 1, 2, 0, 2, 0])
  }

  @Test func `an error comes out, and the parent ends with it`() async {
    let id = transceiver.log("first")
    #expect(throws: Lost()) {
      try transceiver.withParent(id) { () throws(Lost) in throw Lost() }
    }
    await #expect(throws: Lost()) {
      try await transceiver.withParent(id) { () async throws(Lost) in
        await Task.yield()
        throw Lost()
      }
    }
    transceiver.log("outside")
    #expect(records.map(\.parent) == [0, 0])
  }

  @Test func `a queue of jobs runs each with the parent of its own`() {
    let first = transceiver.log("first")
    let jobs = transceiver.withParent(first) { [Transceiver.currentParent, nil] }
    let second = transceiver.log("second")
    transceiver.withParent(second) {
      for parent in jobs {
        transceiver.withParent(parent) { _ = transceiver.log("job") }
      }
    }
    #expect(Transceiver.currentParent == nil)
    #expect(records.map(\.parent) == [0, 0, 1, 0])
  }

  @Test func `tasks keep their parents apart`() async {
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          let id = transceiver.log("begin \(number)")
          await transceiver.withParent(id) {
            for _ in 0..<50 {
              transceiver.log("of \(number)")
              await Task.yield()
            }
            async let child: RecordID? = transceiver.log("of \(number)")
            _ = await child
            await Task { _ = transceiver.log("of \(number)") }.value
          }
        }
      }
    }
    expectOwnParents(count: 8 * 52)
  }

  /// Each record `of N` has the record `begin N` as its parent.
  private func expectOwnParents(count: Int) {
    let records = records
    let begins = records.filter { $0.name.hasPrefix("begin ") }
    var owners: [String: SequenceNumber] = [:]
    for begin in begins { owners[String(begin.name.dropFirst(6))] = begin.sequence }
    let children = records.filter { $0.name.hasPrefix("of ") }
    #expect(children.count == count)
    #expect(children.allSatisfy { $0.parent == owners[String($0.name.dropFirst(3))] })
  }

  private struct Named: Sendable, CustomStringConvertible {
    let number: Int
    var description: String { "of \(number)" }
  }

  @Test func `an action belongs to the task that dispatched it, whoever applies it`() async {
    let store = Store(
      initial: 0,
      reducer: Reducer<Named, Int> { action, count in
        count += 1
        // Long enough for others to queue behind it.
        for _ in 0..<2_000 { count ^= 1 }
        return [
          .fireAndForget { [transceiver] in transceiver.log("of \(action.number)") },
          .run { [transceiver] _ in transceiver.log("of \(action.number)") },
        ]
      })
    let token = transceiver.record(reflecting: store)
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          let id = transceiver.log("begin \(number)")
          await transceiver.withParent(id) {
            for turn in 0..<100 {
              store.dispatch(Named(number: number))
              if turn % 10 == 0 { await Task.yield() }
            }
          }
        }
      }
    }
    // Each action, and a line from each of its effects.
    #expect(await bench.recorded(8 + 8 * 100 * 3))
    token.cancel()
    expectOwnParents(count: 8 * 100 * 3)
  }

  /// Runs `body` on a thread of its own, which belongs to no task, and waits for it.
  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }

  @Test func `a turn that waits for another's has its own parent`() async {
    let store = Store(
      initial: 0,
      reducer: Reducer<Int, Int> { action, state in
        state = action
        return []
      })
    let kept = Mutex<Subscription?>(nil)
    let first = transceiver.log("first")
    let second = transceiver.log("second")
    let states = store.subscribe { [transceiver] state in
      transceiver.log("state \(state)")
      guard state == 1 else { return }
      // All of this waits until the step of `first` is over, and is then taken by its thread.
      onThread {
        transceiver.withParent(second) { store.dispatch(2) }
        store.dispatch(3)
        store.restore(4)
        let token = transceiver.withParent(second) {
          store.subscribe { state in _ = transceiver.log("new \(state)") }
        }
        kept.withLock { $0 = token }
      }
    }
    transceiver.withParent(first) { store.dispatch(1) }
    states.cancel()
    let told = records.dropFirst(2).map { "\($0.name) ←\($0.parent)" }
    #expect(
      told == ["state 0 ←0", "state 1 ←1", "state 2 ←2", "state 3 ←0", "state 4 ←0", "new 4 ←2"])
  }

  @Test func `a request that was not recorded ends without another's parent`() async {
    let silent = bench.transceiver()
    silent.resume()
    silent.suspend()
    let lost = silent.request(method: "GET", url: "/lost")
    #expect(lost.id == nil)
    let outer = transceiver.log("outer")
    let other = transceiver.log("other")
    let request = transceiver.withParent(outer) {
      transceiver.request(method: "GET", url: "/a")
    }
    transceiver.withParent(other) { request.finished(status: 200) }
    #expect(records.map(\.parent) == [0, 0, 1, 3])
  }

  @Test func `a request received is the parent of what it sets off`() async throws {
    let answer = await transceiver.withRequest(method: "GET", url: "/cart") { request in
      transceiver.log("looking")
      await Task.yield()
      transceiver.record(action: "add", state: 1)
      request.finished(status: 200)
      return "milk"
    }
    #expect(answer == "milk")
    await #expect(throws: Lost()) {
      try await transceiver.withRequest(method: "PUT", url: "/cart") { _ async throws(Lost) in
        throw Lost()
      }
    }
    await transceiver.withRequest(method: "GET", url: "/slow") { _ in }
    let records = records
    #expect(
      records.map(\.name) == [
        "received GET /cart", "looking", "add", "answered GET /cart: 200", "received PUT /cart",
        "failed PUT /cart: Lost()", "received GET /slow", "unanswered GET /slow",
      ])
    #expect(records.map(\.parent) == [0, 1, 1, 1, 0, 5, 0, 7])
    let kinds: [Record.Kind] = [
      .log(.debug), .log(.info), .action, .log(.info), .log(.debug), .log(.error), .log(.debug),
      .log(.warning),
    ]
    #expect(records.map(\.kind) == kinds)
  }

  @Test func `a request within another has that as its parent`() async {
    await transceiver.withRequest(method: "GET", url: "/outer") { outer in
      let inner = transceiver.request(method: "GET", url: "https://a.example")
      #expect(inner.id != nil && outer.id != nil && inner.id != outer.id)
      inner.finished(status: 200)
      outer.finished(status: 200)
    }
    #expect(records.map(\.parent) == [0, 1, 2, 1])
  }

  @Test func `the values of a scope that waits are removed when it ends`() async {
    let size = await transceiver.scope("request") { scope in
      scope.inspect("url", "/cart")
      await Task.yield()
      await scope.scope("query") { query in
        query.inspect("rows", 3)
        await Task.yield()
      }
      return 2
    }
    #expect(size == 2)
    let told = records.map { "\($0.kind == .remove ? "-" : "")\($0.name)" }
    #expect(told == ["request/url", "request/query/rows", "-request/query", "-request"])
  }

  @Test func `without a resumed transceiver all bodies still run`() async {
    let silent = bench.transceiver()
    let count = silent.withParent(nil) { 1 }
    let more = await silent.withRequest(method: "GET", url: "/") { request in
      request.finished(status: 200)
      return request.id == nil ? 2 : 0
    }
    #expect(count == 1 && more == 2)
  }
}
