internal import SurfValues

extension Transceiver {
  /// What `withParent` says in the current task; nil for none. A queue of jobs keeps it with each
  /// job, and runs the job with that parent:
  ///
  ///     waiting.append(Job(parent: Transceiver.currentParent, body))
  ///     …
  ///     await transceiver.withParent(job.parent) { await job.body() }
  public static var currentParent: RecordID? { TaskCause.record }

  /// Runs `body` so that all that it records has `parent` as its parent, and so has all that the
  /// tasks record which it starts. A call with a parent of its own keeps that.
  ///
  ///     let id = transceiver.log("import of \(file)")
  ///     transceiver.withParent(id) {
  ///       for line in lines { store.dispatch(.add(line)) }
  ///     }
  ///
  /// Actions of a store count, too, even if another thread applies them. A detached task, a thread
  /// and a dispatch queue begin without a parent. So start what outlives `body`, such as a worker
  /// that serves others as well, as a detached task. Of several transceivers, the innermost counts.
  ///
  /// - Parameter parent: A record of this transceiver; nil for no parent.
  @discardableResult
  public func withParent<Result, Failure>(
    _ parent: RecordID?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard parent != TaskCause.record else { return try body() }
    let result = TaskCause.$record.withValue(parent) {
      Swift.Result { () throws(Failure) in try body() }
    }
    return try result.get()
  }

  /// The same for a `body` that waits.
  @discardableResult
  public func withParent<Result, Failure>(
    _ parent: RecordID?, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard parent != TaskCause.record else { return try await body() }
    let result: Swift.Result<Result, Failure> = await TaskCause.$record.withValue(parent) {
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
