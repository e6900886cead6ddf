import Glibc

/// Whether the thread sanitizer is in, which does not survive a fork.
package let isSanitized = dlsym(nil, "__tsan_init") != nil

/// Forks, and calls `body` in the child.
///
/// - Parameter seconds: how long the child may take.
/// - Returns: the child's exit code, 7 if it came to the end of `body`; or a signal's number and
///   128.
package func inChild(seconds: UInt32, _ body: () -> Void) -> Int32 {
  // Swift has no name for it.
  let fork = unsafeBitCast(dlsym(nil, "fork")!, to: (@convention(c) () -> pid_t).self)
  let child = fork()
  if child == 0 {
    // A test may run on a thread of Dispatch's, which lets no signal in.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    alarm(seconds)
    body()
    _exit(7)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  let signal = status & 0x7F
  return signal == 0 ? status >> 8 : 128 + signal
}
