import Foundation
import Synchronization

/// Nanoseconds of the monotonic clock, which all processes of one machine share.
@inline(__always)
func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

/// Processor time of the calling thread.
func threadNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}

/// Sleeps until a time of `nanoseconds()`.
func sleep(until time: UInt64) {
  var moment = timespec(
    tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil)
}

/// Cuts the slack of this process's timers, and of threads that it starts later, from 50 to 1 µs.
/// The harness's other ends use `prctl`, which Swift cannot call because it takes a variable number
/// of arguments.
func sharpenTimers() {
  let file = open("/proc/self/timerslack_ns", O_WRONLY)
  guard file >= 0 else { return }
  _ = write(file, "1000", 4)
  close(file)
}

/// Processor time in seconds.
struct ProcessorTime {
  var user = 0.0
  var system = 0.0

  /// Of this process with all its threads, so far.
  static var now: ProcessorTime { spent(by: RUSAGE_SELF) }

  /// Of the processes that it has started and that have ended.
  static var ofChildren: ProcessorTime { spent(by: RUSAGE_CHILDREN) }

  private static func spent(by who: __rusage_who) -> ProcessorTime {
    var usage = rusage()
    getrusage(__rusage_who_t(who.rawValue), &usage)
    return ProcessorTime(user: usage.ru_utime.seconds, system: usage.ru_stime.seconds)
  }

  static func - (left: ProcessorTime, right: ProcessorTime) -> ProcessorTime {
    ProcessorTime(user: left.user - right.user, system: left.system - right.system)
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// Whether somebody wants this process to end.
enum Termination {
  private static let flag = Atomic(false)

  static var isWanted: Bool { flag.load(ordering: .relaxed) }

  static func watch() {
    // The first use makes the flag; in a handler that would not be safe.
    flag.store(false, ordering: .relaxed)
    for number in [SIGTERM, SIGINT] {
      signal(number) { _ in Termination.flag.store(true, ordering: .relaxed) }
    }
  }
}
