import Glibc
import SurfObserver
import SurfThreads

/// Something that runs until a person ends it, and has lines to say meanwhile.
package protocol ServiceCommand: Sendable {
  /// What a person should know first.
  var greeting: [Line] { get }
  /// Ends it; returns when it has ended.
  func stop()
}

/// What a service says while it runs.
package enum ServiceWord: Sendable {
  case line(Line)
  /// For standard error.
  case complaint(String)
}

/// Starts a service; its words may come from any thread.
package typealias ServiceStarter<Options> = (
  Options, Observer.Configuration, _ onWord: @escaping @Sendable (ServiceWord) -> Void
) throws(Failure) -> any ServiceCommand

/// Runs a service on the caller's thread until a signal, or until its output has no reader.
struct ServiceRunner {
  private let output: Output
  private let signals: Signals

  init(_ output: Output, _ signals: Signals) { (self.output, self.signals) = (output, signals) }

  func run<Options>(
    _ options: Options, _ network: Observer.Configuration, _ start: ServiceStarter<Options>
  ) throws(Failure) -> Int32 {
    let queue = try EventQueue()
    signals.tell(queue)
    let service = try start(options, network) { word in
      switch word {
      case .line(let line): queue.push(.line(line))
      case .complaint(let text): queue.push(.complaint(text))
      }
    }
    defer { service.stop() }
    for line in service.greeting { output.print(line) }
    while output.fault == nil {
      wait(for: queue)
      for event in queue.takeAll() {
        switch event {
        case .line(let line): output.print(line)
        case .complaint(let text): output.note(text)
        // A signal is how a service ends well.
        case .signal: return ExitCode.done
        case .change, .dropped, .answer: break
        }
      }
    }
    return ExitCode.done
  }

  private func wait(for queue: EventQueue) {
    do throws(ThreadError) {
      let wakeup = try Poller.wait(
        reading: [queue.fileDescriptor], watching: [STDOUT_FILENO], until: nil)
      if !wakeup.abandoned.isEmpty { output.readerLeft() }
    } catch {
      // Then the loop looks at the queue, and tries again.
    }
  }
}
